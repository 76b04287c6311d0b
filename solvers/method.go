package solvers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Method is a solver whose parameters are chosen on validation rows: what is compared.
type Method struct {
	Label  string // in tables and plots; "": what Solver is called, with what was set of it
	Solver Solver
	// Reference fits the dense model that Solver, or the solver in its field Of, makes sparse. Trials
	// with the same one share the model. Solver's own Reference is nil then, and for ISSVM, SASSO and
	// LassoPath so are its Kernel and C. nil: the solver is taken as it is.
	Reference Solver
	Grid      Grid // nil: the parameters are as Solver has them
	// TuneBias gives each model in each split the bias with the fewest errors on the validation rows, as
	// Protocol.TuneBias does for all methods. SASSO's authors do so.
	TuneBias bool
}

var _ Solver = Method{}

// Grid is the values that are tried of parameters, all combinations. A parameter is named by its
// field, those further inside with points: "C", "Kernel.Gamma", "Settings.Seed", "Of.Eta",
// "Reference.C". Values of switches are 0 and 1.
type Grid map[string][]float64

// ISSVMGrid is the steps and tolerances that ISSVM's authors tried: η ∈ {4⁻⁴ … 4²},
// ε ∈ {2⁻⁴ … 1}.
func ISSVMGrid() Grid {
	return Grid{
		"Eta":     {1. / 256, 1. / 64, 1. / 16, 1. / 4, 1, 4, 16},
		"Epsilon": {1. / 16, 1. / 8, 1. / 4, 1. / 2, 1},
	}
}

// methodOf makes a method of a solver that is none.
func methodOf(s Solver) Method {
	if m, ok := s.(Method); ok {
		return m
	}
	return Method{Solver: s}
}

// Fit fits Solver with its parameters as they are, the grid apart.
func (m Method) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	m.Grid = nil
	bench := &Bench{Train: train, specs: newSpecs()}
	trials, err := m.trials(bench.specs, Trial{})
	if err != nil {
		return nil, err
	}
	s, err := bench.solver(ctx, trials[0].Solver, 0)
	if err != nil {
		return nil, err
	}
	return s.Fit(ctx, train)
}

// trials are the trials of all combinations of the grid, like the first in all else.
func (m Method) trials(s *specs, like Trial) ([]Trial, error) {
	if m.Solver == nil {
		return nil, fmt.Errorf("Method %q: Solver is nil: want one such as ISSVM{Aggressive: true}", m.Label)
	}
	if _, ok := m.Solver.(Method); ok {
		return nil, fmt.Errorf("Method %q: Solver is a Method: want a solver", m.Label)
	}
	like.Method = m.Name()
	like.TuneBias = like.TuneBias || m.TuneBias
	names := slices.Sorted(maps.Keys(m.Grid))
	total := 1
	for _, name := range names {
		total *= len(m.Grid[name])
	}
	var trials []Trial
	for k := range total {
		spec, err := m.spec(s) // anew, because it is changed
		if err != nil {
			return nil, err
		}
		var settings []string
		rest := k
		for _, name := range slices.Backward(names) {
			values := m.Grid[name]
			value := values[rest%len(values)]
			rest /= len(values)
			if err := set(spec, name, value); err != nil {
				return nil, fmt.Errorf("Method %q: Grid %q: %w", like.Method, name, err)
			}
			settings = append(settings, name+"="+number(value))
		}
		slices.Reverse(settings)
		trial := like
		trial.Settings = strings.Join(settings, ", ")
		if trial.Solver, err = json.Marshal(spec); err != nil {
			return nil, err
		}
		trials = append(trials, trial)
	}
	if len(trials) == 0 {
		return nil, fmt.Errorf("Method %q: Grid has a parameter without values", like.Method)
	}
	return trials, nil
}

// spec is the solver with its reference.
func (m Method) spec(s *specs) (object, error) {
	spec, err := s.write(m.Solver)
	if err != nil || m.Reference == nil {
		return spec, err
	}
	reference, err := s.write(m.Reference)
	if err != nil {
		return nil, err
	}
	_, fields := inside(spec)
	if of, ok := fields["Of"].(object); ok {
		_, fields = inside(of)
	}
	if fields["Reference"] != nil {
		return nil, fmt.Errorf("Method %q: both it and its Solver have a Reference", m.Name())
	}
	fields["Reference"] = reference
	return spec, nil
}

// inside takes the one key and its fields.
func inside(spec object) (name string, fields object) {
	for name, inner := range spec {
		return name, inner.(object)
	}
	panic("solvers: an empty spec")
}

// set sets a field of a spec.
func set(spec object, path string, value float64) error {
	name, fields := inside(spec)
	if name == local {
		return errors.New("this solver or kernel cannot be written down, so that its fields cannot be set")
	}
	first, rest, deeper := strings.Cut(path, ".")
	if first == "" {
		return fmt.Errorf("want the name of a field of %s", name)
	}
	if !deeper {
		if err := checkFinite(name, first, value); err != nil {
			return err
		}
		fields[first] = value
		return nil
	}
	inner, ok := fields[first].(object)
	if first == "Settings" {
		if !ok {
			inner = object{}
			fields[first] = inner
		}
		return set(object{first: inner}, rest, value)
	}
	if !ok {
		return fmt.Errorf("%s.%s is not given: set it to the solver or kernel whose %s is tried", name, first, rest)
	}
	if first == "Reference" && inner["Model"] != nil {
		return fmt.Errorf("%s.Reference is a model: give the Method's Reference, a solver, instead", name)
	}
	return set(inner, rest, value)
}

// Name is Label, or what the solver is called, with what was set of it.
func (m Method) Name() string {
	switch {
	case m.Label != "":
		return m.Label
	case m.Solver == nil:
		return "Method"
	}
	return methodLabel(m.Solver)
}
