package svm

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/sweep"
)

// SweepOptions say where Sweep runs its trials and keeps their results. The zero value runs them on
// this machine.
type SweepOptions struct {
	Protocol Protocol // how models are judged; Workers and File have no meaning
	Folder   string   // for the results and the data, which workers must reach by this name; "": one in the user's cache
	Runner   string   // of Apache Beam: "flink", "spark", "universal", "dataflow"; "": "prism", in the process
	Endpoint string   // host and port of the runner's job server
	Flags    []string // more that Beam is told, such as "--environment_type=PROCESS"
	Program  string   // gonb-svm-sweep; "": $GONB_SVM_SWEEP, or that beside gonb-svm, or that on the PATH
}

// Sweep is Compare in other processes, for what takes long or outgrows this machine: it runs the
// trials of the methods as an Apache Beam pipeline, in a process of this machine, or on what
// SweepOptions name, such as Flink. The grid is that of each method that has none; nil: no more than the
// methods have. Results are kept in a folder: the same sweep again, or one that was interrupted, runs
// only what is not there. It shows how many trials are done, and gives what Compare gives.
//
// It needs the program gonb-svm-sweep, beside gonb-svm or on the PATH, and panics with a
// *sweep.MissingError if there is none, or with another error if nothing can be run.
func Sweep(train, test *Dataset, methods []Solver, grid Grid, options ...SweepOptions) (*solvers.Comparison, *plot.Plot) {
	return new(Notebook).Sweep(train, test, methods, grid, options...)
}

// Sweep is Compare in other processes, for what takes long or outgrows this machine: it runs the
// trials of the methods as an Apache Beam pipeline, in a process of this machine, or on what
// SweepOptions name, such as Flink. The grid is that of each method that has none; nil: no more than the
// methods have. Results are kept in a folder: the same sweep again, or one that was interrupted, runs
// only what is not there. It shows how many trials are done, and gives what Compare gives.
//
// It needs the program gonb-svm-sweep, beside gonb-svm or on the PATH, and panics with a
// *sweep.MissingError if there is none, or with another error if nothing can be run.
func (n *Notebook) Sweep(train, test *Dataset, methods []Solver, grid Grid, options ...SweepOptions) (*solvers.Comparison, *plot.Plot) {
	if len(options) > 1 {
		panic(errors.New("Sweep takes one SweepOptions at most"))
	}
	var o SweepOptions
	if len(options) == 1 {
		o = options[0]
	}
	spec := must(sweepOf(train, test, methods, grid, o))
	ctx, bar := n.context(), n.watch()
	told, end := bar.trials()
	results, _, err := sweep.Run(ctx, spec, sweep.Options{Folder: o.Folder, Runner: o.Runner, Endpoint: o.Endpoint, Flags: o.Flags, Program: o.Program}, told)
	end()
	bar.finish(ctx)
	if err != nil && (len(results) == 0 || !errors.Is(err, ctx.Err())) {
		panic(err)
	}
	compared := make([]Solver, len(spec.Methods))
	for i, m := range spec.Methods {
		compared[i] = m
	}
	return drawn(must(o.Protocol.Comparison(results, train, test, compared...)))
}

// sweepOf is the sweep, with its data as files.
func sweepOf(train, test *Dataset, methods []Solver, grid Grid, o SweepOptions) (*solvers.SweepSpec, error) {
	if len(methods) == 0 {
		return nil, errors.New("Sweep: no method: want at least one, such as svm.ISSVM{Aggressive: true}")
	}
	if train == nil || test == nil {
		return nil, errors.New("Sweep: the data set is nil")
	}
	s := &solvers.SweepSpec{Protocol: o.Protocol}
	for i, method := range methods {
		if method == nil {
			return nil, fmt.Errorf("Sweep: method %d is nil: want a solver such as svm.ISSVM{Aggressive: true}, or a svm.Method", i+1)
		}
		m, ok := method.(Method)
		if !ok {
			m = Method{Solver: method}
		}
		if m.Grid == nil {
			m.Grid = grid
		}
		s.Methods = append(s.Methods, m)
	}
	folder := filepath.Join(xdg.CacheHome, "gonb-svm", "sweeps", "data")
	if o.Folder != "" {
		absolute, err := filepath.Abs(o.Folder)
		if err != nil {
			return nil, err
		}
		folder = filepath.Join(absolute, "data")
	}
	var err error
	if s.Train, err = sweep.Keep(folder, train); err != nil {
		return nil, err
	}
	s.HeldOut, err = sweep.Keep(folder, test)
	return s, err
}
