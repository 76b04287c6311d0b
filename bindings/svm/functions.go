package svm

import (
	"io"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// The functions below are what a program outside a notebook gets; in a cell the same names
// stand for the methods of the cell's Notebook.

// Load gives the training and the test part of a data set by its name; see Names. A set that is
// not inside the binary is looked for in the folders of $GONB_SVM_DATA and in the user's cache,
// then downloaded, checked and kept. It panics with a *datasets.NameError if no set has
// the name, a *datasets.UnavailableError if there is no way to get it, or the reader's error.
func Load(name string) (train, test *Dataset) { return new(Notebook).Load(name) }

// LoadFile reads a file of LIBSVM text, a CSV table or IDX images, each also packed by gzip or
// bzip2; see datasets.LoadFile. It panics with a *ParseError that says file, line and column,
// or with the error of opening the file.
func LoadFile(file string) *Dataset { return new(Notebook).LoadFile(file) }

// FromDense makes a data set of dense rows: x[i][j] is feature j of row i and y[i] its label.
// It panics with an error that names the row if the rows differ in length, a value is not
// finite, or len(x) != len(y).
func FromDense(x [][]float64, y []float64) *Dataset { return new(Notebook).FromDense(x, y) }

// Names lists the data sets that Load knows.
func Names() []datasets.Info { return new(Notebook).Names() }

// Fit trains on a two-class set. It shows progress when it takes longer than half a second,
// and panics with a *ParamError for a parameter out of range or a *DataError for data that
// cannot be trained on. When the cell is interrupted Fit returns the model it has, with the
// Status Canceled.
func Fit(train *Dataset, s Solver) *Result { return new(Notebook).Fit(train, s) }

// FitMulti trains a classifier of any number of classes, such as svm.OneVsRest{Solver: svm.SMO{C: 10}}.
// It shows how many of the two-class problems are solved, and panics as Fit does. When the cell is
// interrupted FitMulti returns a model of the problems it has begun, with the Status Canceled.
func FitMulti(train *Dataset, s solvers.MultiSolver) *solvers.MultiResult {
	return new(Notebook).FitMulti(train, s)
}

// FitPath trains models of many support sizes in one run and judges them by the default
// Protocol: in each of 10 random halvings of test the one half is for choosing (ValidationError),
// the other for reporting (TestError). It shows progress and panics as Fit does. When the cell
// is interrupted there is no path, and a variable that was to hold it stays as it was.
func FitPath(train, test *Dataset, s PathSolver) *Path { return new(Notebook).FitPath(train, test, s) }

// PlotTradeoff draws test error by number of support vectors, a curve for each path; see
// plotting.Tradeoff. The plot can be changed before it is shown. It panics with an error that
// names the path if one has nothing to show.
func PlotTradeoff(paths ...*Path) *plot.Plot { return new(Notebook).PlotTradeoff(paths...) }

// PlotHeatmap draws numbers as a table of coloured fields, z[i][j] at x[j] and y[i], such as the test
// error by Budget and support size; see plotting.Heatmap. It panics with an error unless z has
// len(y) rows of len(x) numbers.
func PlotHeatmap(x, y []float64, z [][]float64) *plot.Plot { return new(Notebook).PlotHeatmap(x, y, z) }

// PlotBoundary draws the rows of a data set with two features and a model's decision boundary
// f = 0 with its margins f = ±1; see plotting.Boundary. It panics with an error for other data.
func PlotBoundary(m *Model, d *Dataset) *plot.Plot { return new(Notebook).PlotBoundary(m, d) }

// PlotConvergence draws how the gap of runs fell; see plotting.Convergence. It panics with an
// error if a run has nothing to show.
func PlotConvergence(results ...*Result) *plot.Plot { return new(Notebook).PlotConvergence(results...) }

// PlotMargins draws how the decision values of the rows are distributed in each class; see
// plotting.Margins. It panics with an error unless the data set has two classes.
func PlotMargins(m *Model, d *Dataset) *plot.Plot { return new(Notebook).PlotMargins(m, d) }

// PlotSupportVectors shows count support vectors of largest weight, of images of width × height
// pixels; see plotting.SupportVectors. It panics with an error if the size does not fit.
func PlotSupportVectors(m *Model, count, width, height int) *plot.Plot {
	return new(Notebook).PlotSupportVectors(m, count, width, height)
}

// LoadModel reads a model file in LIBSVM's format, ours or svm-train's, of two classes; for more
// there is LoadMultiModel. It panics with a *ParseError or the error of opening the file.
func LoadModel(file string) *Model { return new(Notebook).LoadModel(file) }

// LoadMultiModel reads a model file of two or more classes in LIBSVM's format, ours or svm-train's. It
// panics with a *ParseError or the error of opening the file.
func LoadMultiModel(file string) *MultiModel { return new(Notebook).LoadMultiModel(file) }

// SaveModel writes a *Model, or a *MultiModel of OneVsOne, to a file in LIBSVM's format, which
// svm-predict reads. It panics with an error if the kernel has no name in that format or the file
// cannot be written.
func SaveModel(file string, m io.WriterTo) { new(Notebook).SaveModel(file, m) }

// Help prints the manual of this package, or what the documentation says about topics: a name
// of this package ("SMO", "Model.ErrorRate", "Fit") or of another ("mat.Dense", "strings.Cut").
func Help(topic ...string) { new(Notebook).Help(topic...) }
