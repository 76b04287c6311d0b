// Package plotting draws what sparse SVMs are looked at for: how the test error falls with
// the number of support vectors (Tradeoff), how a solver approaches its optimum
// (Convergence), where a model of two features decides (Boundary), how sure it is (Margins),
// and the rows of a set of pictures (Images).
//
// Every function gives a *plot.Plot of gonum.org/v1/plot in one style, to be changed further
// and then drawn by SVG or PNG. Lengths are those of package vg; Pixel is a CSS pixel.
package plotting
