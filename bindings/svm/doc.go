// Package svm trains kernel support vector machines and makes them sparse. In a notebook it is
// there without an import. Its functions give one value and stop the cell with a clear error when
// something is wrong; its types are those of package solvers.
//
// # From data to a plot
//
//	train, test := svm.Load("mnist38")
//	ref := svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: 0.02}, C: 10})
//	issvm := svm.FitPath(train, test, svm.ISSVM{Reference: ref.Model, Aggressive: true})
//	svm.PlotTradeoff(issvm)
//	issvm.Best()
//	sparse := svm.Fit(train, svm.ISSVM{Reference: ref.Model, Epsilon: 0.5})
//	svm.SaveModel("sparse.model", sparse.Model)
//
// # Data
//
// Load(name) gives the training and the test part of a data set. Names() lists the sets; mnist38
// (3 against 8, real digits), toy, banana, checkerboard and spirals are inside the binary. Others
// are looked for in the folders of $GONB_SVM_DATA, then in the user's cache, then downloaded.
// LoadFile(file) reads LIBSVM text, CSV and IDX, also packed as .gz or .bz2. FromDense(x, y) takes
// slices. A Dataset has Len(), Dim, X, Y, Labels, Subset(rows), Split(fraction, seed),
// OneAgainst(label) and Groups(negative, positive).
//
// Two classes are -1 and +1; the greater label of a file is +1. Rows count from 0 in Go and
// from 1 in files.
//
// # Training
//
// A solver is a struct of parameters: svm.SMO{Kernel: svm.RBF{Gamma: 0.5}, C: 10}. A field left
// out has its documented default, and so has a field that is 0. Fit(train, solver) gives a
// Result: the Model (SupportVectors, Coefficients, Bias, with Decision, Predict, ErrorRate,
// Norm, SupportSize), how it was reached (Iterations, KernelEvaluations, Objective, Gap) and why
// the run ended (Status). FitPath(train, test, solver) gives a Path: test error by number of
// support vectors, chosen and judged on separate halves of test, with Best() and AtMost(size).
//
// Kernels are svm.Linear{}, svm.RBF{Gamma}, svm.Poly{Gamma, Coef0, Degree}, svm.Sigmoid{Gamma, Coef0} and
// one's own: svm.KernelFunc(func(x, z svm.Vector) float64 { ... }), which is slower.
//
// A fit that takes longer than half a second shows its progress. Interrupting the cell ends it;
// Fit gives the model there is so far, with the Status Canceled, and FitPath nothing.
//
// # More
//
// Help("SMO"), Help("Model.TuneBias") or Help("mat.Dense") print what the documentation says.
// PlotTradeoff(paths...) draws paths, PlotConvergence(results...) runs, PlotMargins(model, data) and
// PlotBoundary(model, data) a model, PlotSupportVectors(model, 20, 28, 28) its images and
// PlotHeatmap(x, y, z) a table of numbers; each plot can be changed, as any of gonum's.
// widgets.Interact(func(gamma float64) any { ... }) draws anew when a slider is moved.
// SaveModel(file, model) and LoadModel(file) use LIBSVM's format; LoadMultiModel(file) is for several
// classes. check.Question("1a", 2, check.Close(...)) tells learners whether an answer is right.
package svm

//go:generate go run ./generate
