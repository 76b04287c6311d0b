package svm

import (
	"context"
	"errors"
	"io"
	"reflect"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// Notebook stands behind the functions of this package in the cells of one notebook: svm.Fit
// there is its method Fit, so that a fit ends when its cell is interrupted and its progress
// goes to the cell's output. The zero Notebook is what a program outside a notebook gets: no
// interrupt, and progress on standard error where that is a terminal.
type Notebook struct {
	Context func() context.Context // of the running cell; nil: context.Background
	Output  func() display.Output  // of the running cell; nil: the terminal
	// Chart keeps a form of a plot that front ends draw themselves; nil: there are none.
	Chart func(p *plot.Plot, vegaLite map[string]any)
}

func (n *Notebook) context() context.Context {
	if n.Context != nil {
		return n.Context()
	}
	return context.Background()
}

func (n *Notebook) output() display.Output {
	if n.Output != nil {
		return n.Output()
	}
	return nil
}

// Load gives the training and the test part of a data set by its name; see Names. A set that is
// not inside the binary is looked for in the folders of $GONB_SVM_DATA and in the user's cache,
// then downloaded, checked and kept. It panics with a *datasets.NameError if no set has
// the name, a *datasets.UnavailableError if there is no way to get it, or the reader's error.
func (n *Notebook) Load(name string) (train, test *Dataset) {
	bar := n.watch()
	train, test, err := datasets.Catalogue{Progress: bar.download}.Load(n.context(), name)
	bar.finish(n.context())
	if err != nil {
		panic(err)
	}
	return train, test
}

// LoadFile reads a file of LIBSVM text, a CSV table or IDX images, each also packed by gzip or
// bzip2; see datasets.LoadFile. It panics with a *ParseError that says file, line and column,
// or with the error of opening the file.
func (n *Notebook) LoadFile(file string) *Dataset { return must(datasets.LoadFile(file)) }

// FromDense makes a data set of dense rows: x[i][j] is feature j of row i and y[i] its label.
// It panics with an error that names the row if the rows differ in length, a value is not
// finite, or len(x) != len(y).
func (n *Notebook) FromDense(x [][]float64, y []float64) *Dataset {
	return must(datasets.FromDense(x, y))
}

// Names lists the data sets that Load knows.
func (n *Notebook) Names() []datasets.Info { return datasets.Names() }

// Fit trains on a two-class set. It shows progress when it takes longer than half a second,
// and panics with a *ParamError for a parameter out of range or a *DataError for data that
// cannot be trained on. When the cell is interrupted Fit returns the model it has, with the
// Status Canceled.
func (n *Notebook) Fit(train *Dataset, s Solver) *Result {
	if s == nil {
		panic(errors.New("Fit: the solver is nil: want one such as svm.SMO{C: 10}"))
	}
	ctx, bar := n.context(), n.watch()
	result, err := s.Fit(solvers.WithProgress(ctx, bar.solver(s.Name())), train)
	if err != nil {
		bar.finish(ctx)
		if result != nil && ctx.Err() != nil {
			return result
		}
		panic(err)
	}
	bar.finish(ctx)
	return result
}

// FitMulti trains a classifier of any number of classes, such as svm.OneVsRest{Solver: svm.SMO{C: 10}}.
// It shows how many of the two-class problems are solved, and panics as Fit does. When the cell is
// interrupted FitMulti returns a model of the problems it has begun, with the Status Canceled.
func (n *Notebook) FitMulti(train *Dataset, s solvers.MultiSolver) *solvers.MultiResult {
	if s == nil {
		panic(errors.New("FitMulti: the solver is nil: want one such as svm.OneVsRest{Solver: svm.SMO{C: 10}}"))
	}
	ctx, bar := n.context(), n.watch()
	result, err := s.Fit(solvers.WithProgress(ctx, bar.solver(s.Name())), train)
	bar.finish(ctx)
	if err != nil && (result == nil || ctx.Err() == nil) {
		panic(err)
	}
	return result
}

// FitPath trains models of many support sizes in one run and judges them by the default
// Protocol: in each of 10 random halvings of test the one half is for choosing (ValidationError),
// the other for reporting (TestError). It shows progress and panics as Fit does. When the cell
// is interrupted there is no path, and a variable that was to hold it stays as it was.
func (n *Notebook) FitPath(train, test *Dataset, s PathSolver) *Path {
	if s == nil {
		panic(errors.New("FitPath: the solver is nil: want one such as svm.ISSVM{Aggressive: true}"))
	}
	ctx, bar := n.context(), n.watch()
	path, err := Protocol{}.Run(solvers.WithProgress(ctx, bar.solver(s.Name())), s, train, test)
	if err != nil {
		bar.finish(ctx)
		panic(err)
	}
	bar.finish(ctx)
	return path
}

// PlotTradeoff draws test error by number of support vectors, a curve for each path; see
// plotting.Tradeoff. The plot can be changed before it is shown. It panics with an error that
// names the path if one has nothing to show.
func (n *Notebook) PlotTradeoff(paths ...*Path) *plot.Plot {
	p := must(plotting.Tradeoff(paths...))
	if n.Chart != nil {
		n.Chart(p, plotting.TradeoffVegaLite(paths...))
	}
	return p
}

// PlotHeatmap draws numbers as a table of coloured fields, z[i][j] at x[j] and y[i], such as the test
// error by Budget and support size; see plotting.Heatmap. It panics with an error unless z has
// len(y) rows of len(x) numbers.
func (n *Notebook) PlotHeatmap(x, y []float64, z [][]float64) *plot.Plot {
	p := must(plotting.Heatmap(x, y, z))
	if n.Chart != nil {
		n.Chart(p, plotting.HeatmapVegaLite(x, y, z))
	}
	return p
}

// PlotBoundary draws the rows of a data set with two features and a model's decision boundary
// f = 0 with its margins f = ±1; see plotting.Boundary. It panics with an error for other data.
func (n *Notebook) PlotBoundary(m *Model, d *Dataset) *plot.Plot {
	return must(plotting.Boundary(m, d))
}

// PlotConvergence draws how the gap of runs fell; see plotting.Convergence. It panics with an
// error if a run has nothing to show.
func (n *Notebook) PlotConvergence(results ...*Result) *plot.Plot {
	return must(plotting.Convergence(results...))
}

// PlotMargins draws how the decision values of the rows are distributed in each class; see
// plotting.Margins. It panics with an error unless the data set has two classes.
func (n *Notebook) PlotMargins(m *Model, d *Dataset) *plot.Plot { return must(plotting.Margins(m, d)) }

// PlotSupportVectors shows count support vectors of largest weight, of images of width × height
// pixels; see plotting.SupportVectors. It panics with an error if the size does not fit.
func (n *Notebook) PlotSupportVectors(m *Model, count, width, height int) *plot.Plot {
	return must(plotting.SupportVectors(m, count, width, height))
}

// LoadModel reads a model file in LIBSVM's format, ours or svm-train's, of two classes; for more
// there is LoadMultiModel. It panics with a *ParseError or the error of opening the file.
func (n *Notebook) LoadModel(file string) *Model { return must(solvers.LoadModel(file)) }

// LoadMultiModel reads a model file of two or more classes in LIBSVM's format, ours or svm-train's. It
// panics with a *ParseError or the error of opening the file.
func (n *Notebook) LoadMultiModel(file string) *MultiModel { return must(solvers.LoadMultiModel(file)) }

// SaveModel writes a *Model, or a *MultiModel of OneVsOne, to a file in LIBSVM's format, which
// svm-predict reads. It panics with an error if the kernel has no name in that format or the file
// cannot be written.
func (n *Notebook) SaveModel(file string, m io.WriterTo) {
	if m == nil || m == (*Model)(nil) || m == (*MultiModel)(nil) {
		panic(errors.New("SaveModel: the model is nil"))
	}
	if err := solvers.SaveModel(file, m); err != nil {
		panic(err)
	}
}

// Symbols are the methods of n by their names: what stands behind svm.Fit and the other
// functions in the cells of this notebook.
func (n *Notebook) Symbols() map[string]reflect.Value {
	symbols := map[string]reflect.Value{}
	v := reflect.ValueOf(n)
	for i := range v.NumMethod() {
		if name := v.Type().Method(i).Name; name != "Symbols" {
			symbols[name] = reflect.ValueOf(v.Method(i).Interface())
		}
	}
	return symbols
}

// must is value, or a panic with err, which the notebook shows as the cell's error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
