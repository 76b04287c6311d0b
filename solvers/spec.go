package solvers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// AllSolvers lists the solvers of this package, each with its defaults.
func AllSolvers() []Solver {
	return []Solver{
		SMO{}, SBP{}, ISSVM{}, SASSO{}, LassoPath{}, BudgetSVM{}, NuSVC{}, MinimalSVM{},
		Refit{}, RSVM{}, SpSVM{}, Prune{}, KMeans{}, Nystrom{}, RandomSubset{}, ReducedSet{}, OsunaGirosi{},
		RampLoss{}, CPSP{}, LPSVM{}, SparseLargeMargin{}, CSVM{}, VirtualVectors{}, Condense{}, Perceptron{}, Forgetron{}, RBP{}, BSGD{},
	}
}

// specs writes solvers as JSON and makes them from it. A solver or kernel is an object whose one
// key is its type and whose value has the fields that are not zero:
//
//	{"ISSVM": {"Epsilon": 0.25, "Reference": {"SMO": {"C": 10, "Kernel": {"RBF": {"Gamma": 1}}}}}}
//
// What changes no result, Workers, CacheMB and Progress, is left out. A field for a model is
// the solver that is to fit it, or the checksum of a model that was given: {"Model": "…"}. What
// cannot be written down, such as a KernelFunc, is a number, {"Local": 0}, and has a meaning here
// only.
type specs struct {
	types  map[string]reflect.Type
	models map[string]*Model
	local  []any
	// fit makes the model that a solver is to fit.
	fit func(spec json.RawMessage, s Solver) (*Model, error)
}

// object is the form of a spec and of the fields in it.
type object = map[string]any

func newSpecs() *specs {
	s := &specs{types: map[string]reflect.Type{}, models: map[string]*Model{}}
	for _, known := range AllSolvers() {
		s.learn(reflect.TypeOf(known))
	}
	for _, known := range []Kernel{Linear{}, RBF{}, Poly{}, Sigmoid{}} {
		s.learn(reflect.TypeOf(known))
	}
	return s
}

func (s *specs) learn(t reflect.Type) { s.types[t.Name()] = t }

// withoutEffect are the fields that change no result.
var withoutEffect = [...]string{"Workers", "CacheMB", "Progress"}

// write is the spec of a solver or a kernel.
func (s *specs) write(value any) (object, error) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Struct || v.Type().Name() == "" {
		return s.keep(value), nil
	}
	known := s.types[v.Type().Name()] == v.Type()
	fields, err := s.writeFields(v)
	switch {
	case err != nil && known:
		return nil, fmt.Errorf("%s.%w", v.Type().Name(), err)
	case err != nil:
		return s.keep(value), nil
	case !known && s.types[v.Type().Name()] != nil:
		return s.keep(value), nil // another of this name
	}
	s.learn(v.Type())
	return object{v.Type().Name(): fields}, nil
}

// keep is the spec of what cannot be written down.
func (s *specs) keep(value any) object {
	s.local = append(s.local, value)
	return object{local: object{"Number": len(s.local) - 1}}
}

// local is the name of what has none.
const local = "Local"

func (s *specs) writeFields(v reflect.Value) (object, error) {
	fields := object{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || v.Field(i).IsZero() || slices.Contains(withoutEffect[:], field.Name) {
			continue
		}
		spec, err := s.writeField(v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field.Name, err)
		}
		if inner, ok := spec.(object); !ok || len(inner) > 0 {
			fields[field.Name] = spec
		}
	}
	return fields, nil
}

func (s *specs) writeField(v reflect.Value) (any, error) {
	switch x := v.Interface().(type) {
	case *Model:
		sum, err := x.checksum()
		if err != nil {
			return nil, err
		}
		s.models[sum] = x
		return object{"Model": sum}, nil
	case Settings:
		return s.writeFields(v)
	}
	switch v.Kind() {
	case reflect.Interface:
		return s.write(v.Interface())
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.String:
		// As the decoder would have it, so that both forms are the same.
		text, err := json.Marshal(v.Interface())
		return json.RawMessage(text), err
	}
	return nil, fmt.Errorf("a %v cannot be written down", v.Type())
}

// read makes what a spec says.
func (s *specs) read(spec json.RawMessage) (any, error) {
	name, fields, err := oneKey(spec)
	if err != nil {
		return nil, err
	}
	if name == local {
		return s.kept(fields)
	}
	t, known := s.types[name]
	if !known {
		return nil, fmt.Errorf("%q is no solver or kernel that is known here", name)
	}
	v := reflect.New(t).Elem()
	if err := s.readFields(fields, v); err != nil {
		return nil, fmt.Errorf("%s.%w", name, err)
	}
	return v.Interface(), nil
}

func (s *specs) kept(spec json.RawMessage) (any, error) {
	var place struct{ Number int }
	if err := json.Unmarshal(spec, &place); err != nil {
		return nil, err
	}
	if place.Number < 0 || place.Number >= len(s.local) {
		return nil, errors.New("a solver or kernel that cannot be written down can only be used where it was made")
	}
	return s.local[place.Number], nil
}

// oneKey takes {"name": fields} apart.
func oneKey(spec json.RawMessage) (name string, fields json.RawMessage, err error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(spec, &parts); err != nil {
		return "", nil, fmt.Errorf("%.60s: %w", spec, err)
	}
	if len(parts) != 1 {
		return "", nil, fmt.Errorf("%.60s: want one name, as in {\"SMO\": {…}}", spec)
	}
	for name, fields = range parts {
	}
	return name, fields, nil
}

func (s *specs) readFields(spec json.RawMessage, v reflect.Value) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(spec, &parts); err != nil {
		return fmt.Errorf("%.60s: %w", spec, err)
	}
	for name, part := range parts {
		field := v.FieldByName(name)
		if !field.IsValid() || !field.CanSet() {
			return fmt.Errorf("%s: %v has no such field", name, v.Type())
		}
		if err := s.readField(part, field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (s *specs) readField(spec json.RawMessage, field reflect.Value) error {
	switch field.Interface().(type) {
	case *Model:
		m, err := s.model(spec)
		field.Set(reflect.ValueOf(m))
		return err
	case Settings:
		return s.readFields(spec, field)
	}
	switch field.Kind() {
	case reflect.Bool:
		if text := string(spec); text == "0" || text == "1" { // of a grid
			field.SetBool(text == "1")
			return nil
		}
		return json.Unmarshal(spec, field.Addr().Interface())
	case reflect.Interface:
	default:
		return json.Unmarshal(spec, field.Addr().Interface())
	}
	value, err := s.read(spec)
	if err != nil {
		return err
	}
	if !reflect.TypeOf(value).AssignableTo(field.Type()) {
		return fmt.Errorf("%T: want a %v", value, field.Type())
	}
	field.Set(reflect.ValueOf(value))
	return nil
}

// model is one that was given or is to be fitted.
func (s *specs) model(spec json.RawMessage) (*Model, error) {
	name, fields, err := oneKey(spec)
	if err != nil {
		return nil, err
	}
	if name == "Model" {
		var sum string
		if err := json.Unmarshal(fields, &sum); err != nil {
			return nil, err
		}
		if m, known := s.models[sum]; known {
			return m, nil
		}
		return nil, fmt.Errorf("the model %.12s… is not at hand: name the solver that fits it instead", sum)
	}
	solver, err := s.readSolver(spec)
	if err != nil {
		return nil, err
	}
	if s.fit == nil {
		return nil, errors.New("no data to fit it on")
	}
	return s.fit(spec, solver)
}

func (s *specs) readSolver(spec json.RawMessage) (Solver, error) {
	value, err := s.read(spec)
	if err != nil {
		return nil, err
	}
	solver, ok := value.(Solver)
	if !ok {
		return nil, fmt.Errorf("%T is no solver", value)
	}
	return solver, nil
}

// checksum is a hash of what the model says.
func (m *Model) checksum() (string, error) {
	hash := sha256.New()
	if _, err := m.WriteTo(hash); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}
