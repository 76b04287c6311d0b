package bindings_test

import (
	"strings"
	"testing"
)

// A path solver of a cell is called by compiled code with a function, and by cells made before and
// after it, also the second such type of a notebook.
func TestOwnPathSolver(t *testing.T) {
	n := open(t)
	n.run(`train, test := svm.Load("toy")
call := func(s svm.PathSolver) string {
	models := 0
	_, err := s.FitPath(context.Background(), train, func(p float64, m *svm.Model) error {
		models++
		if p > 2 {
			return fmt.Errorf("stop at %g", p)
		}
		return nil
	})
	return fmt.Sprint(models, " ", err)
}`)
	for _, name := range []string{"First", "Second"} {
		n.run(strings.ReplaceAll(`type NAME struct{ Sizes []float64 }

func (s NAME) Name() string          { return "NAME" }
func (s NAME) ParameterName() string { return "C" }
func (s NAME) FitPath(ctx context.Context, train *svm.Dataset, visit func(float64, *svm.Model) error) (*svm.Result, error) {
	var last *svm.Result
	for _, c := range s.Sizes {
		r, err := svm.SMO{C: c}.Fit(ctx, train)
		if err != nil {
			return nil, err
		}
		if err := visit(c, r.Model); err != nil {
			return r, err
		}
		last = r
	}
	return last, nil
}
func (s NAME) Fit(ctx context.Context, train *svm.Dataset) (*svm.Result, error) {
	return s.FitPath(ctx, train, func(float64, *svm.Model) error { return nil })
}`, "NAME", name))
		if b, _ := n.run(name + `{}.Name() + ": " + call(` + name + `{[]float64{1, 2, 3, 4}})`); text(b) != name+": 3 stop at 3" {
			t.Errorf("%s called by a cell: %s", name, text(b))
		}
		if b, _ := n.run(`path := svm.FitPath(train, test, ` + name + `{[]float64{0.1, 1}})
fmt.Sprint(len(path.Points), path.Solver)`); text(b) != "2"+name {
			t.Errorf("%s called by compiled code: %s", name, text(b))
		}
	}
}
