package solvers

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// filled is a value of the type with no field zero, but for models and functions.
func filled(t reflect.Type, number int) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Duration]():
		v.SetInt(int64(number) * 1e9)
	case t == reflect.TypeFor[Kernel]():
		v.Set(filled(reflect.TypeFor[Poly](), number))
	case t == reflect.TypeFor[Solver]():
		v.Set(filled(reflect.TypeFor[ISSVM](), number))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if name := t.Field(i).Name; t.Field(i).IsExported() && name != "Workers" && name != "CacheMB" && name != "Progress" {
				v.Field(i).Set(filled(t.Field(i).Type, number+i))
			}
		}
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case t.Kind() == reflect.Int:
		v.SetInt(int64(number) + 1)
	case t.Kind() == reflect.Uint64:
		v.SetUint(1<<63 + 12345 + uint64(number))
	case t.Kind() == reflect.Float64:
		v.SetFloat(1 / (3 + float64(number)))
	}
	return v
}

// Every solver with every field set is the same after it was written and read.
func TestSpecRoundTrip(t *testing.T) {
	checked := 0
	for _, s := range AllSolvers() {
		for _, want := range []any{s, filled(reflect.TypeOf(s), 1).Interface()} {
			spec, err := newSpecs().write(want)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			got, err := newSpecs().readSolver(text)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v\n%s\nread  %+v\nwrote %+v", err, text, got, want)
			}
			checked++
		}
	}
	if checked < 40 {
		t.Errorf("checked %d solvers", checked)
	}
}

// AllSolvers has every type of the package that is a Solver.
func TestAllSolvers(t *testing.T) {
	listed := map[string]bool{"Method": true} // which is no solver of its own
	for _, s := range AllSolvers() {
		listed[reflect.TypeOf(s).Name()] = true
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Fit" {
				continue
			}
			receiver, ok := f.Recv.List[0].Type.(*ast.Ident)
			if results := f.Type.Results; !ok || results == nil || !strings.Contains(typeText(results.List[0].Type), "*Result") {
				continue
			}
			if checked++; !listed[receiver.Name] {
				t.Errorf("%s is a solver that AllSolvers does not list", receiver.Name)
			}
		}
	}
	if checked < 20 {
		t.Errorf("found %d solvers", checked)
	}
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func TestSpecErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                `{}: want one name, as in {"SMO": {…}}`,
		`[`:                                 `[: unexpected end of JSON input`,
		`{"Local":{"Number":0}}`:            `a solver or kernel that cannot be written down can only be used where it was made`,
		`{"RBF":{}}`:                        `solvers.RBF is no solver`,
		`{"SOM":{}}`:                        `"SOM" is no solver or kernel that is known here`,
		`{"SMO":{"Gamma":1}}`:               `SMO.Gamma: solvers.SMO has no such field`,
		`{"SMO":{"Kernel":{"SMO":{}}}}`:     `SMO.Kernel: solvers.SMO: want a solvers.Kernel`,
		`{"SMO":{"Start":{"Model":"abc"}}}`: `SMO.Start: the model abc… is not at hand: name the solver that fits it instead`,
		`{"SMO":{"Start":{"SMO":{}}}}`:      `SMO.Start: no data to fit it on`,
	} {
		if _, err := newSpecs().readSolver(json.RawMessage(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	for _, s := range []Method{
		{},
		{Solver: SMO{Kernel: KernelFunc(RBF{Gamma: 1}.Eval)}, Grid: Grid{"Kernel.Gamma": {1}}},
		{Solver: SMO{}, Grid: Grid{"Kernel.Gamma": {1}}},
		{Solver: SMO{}, Grid: Grid{"C": {}}},
		{Solver: SMO{}, Grid: Grid{"": {1}}},
		{Solver: ISSVM{Reference: &Model{Kernel: Linear{}}}, Reference: SMO{}},
		{Solver: Method{Solver: SMO{}}},
	} {
		if trials, err := s.trials(newSpecs(), Trial{}); err == nil {
			t.Errorf("%+v: %d trials, want an error", s, len(trials))
		}
	}
}
