package solvers

import (
	"math/rand/v2"
	"testing"
)

// TestFrontier holds that the frontier answers AtMost for every size, and that its errors fall.
func TestFrontier(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for range 200 {
		p := &Path{Solver: "S", Dataset: "d", ParameterName: "p", Reference: PathPoint{SupportSize: 99}}
		for range random.IntN(30) {
			p.Points = append(p.Points, PathPoint{SupportSize: 1 + random.IntN(20),
				ValidationError: float64(random.IntN(10)) / 10, TestError: random.Float64()})
		}
		f := p.Frontier()
		if f.Solver != p.Solver || f.Dataset != p.Dataset || f.ParameterName != p.ParameterName || f.Reference != p.Reference {
			t.Fatalf("%+v: the rest of the path was not kept", f)
		}
		for i := 1; i < len(f.Points); i++ {
			if f.Points[i].SupportSize <= f.Points[i-1].SupportSize || f.Points[i].ValidationError >= f.Points[i-1].ValidationError {
				t.Fatalf("point %d of %v does not go on and down", i, f.Points)
			}
		}
		for size := range 25 {
			var want PathPoint
			for _, q := range f.Points {
				if q.SupportSize <= size {
					want = q
				}
			}
			if got := p.AtMost(size); got != want {
				t.Fatalf("AtMost(%d) = %v, the frontier says %v", size, got, want)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Fatal("nothing was checked")
	}
}

func TestMethodLabel(t *testing.T) {
	for want, s := range map[string]Solver{
		"ISSVM":                      ISSVM{Reference: &Model{}, Settings: Settings{Seed: 3}},
		"ISSVM(Eta=0.1, Aggressive)": ISSVM{Aggressive: true, Eta: 0.1, Kernel: RBF{Gamma: 1}},
	} {
		if got := methodLabel(s); got != want {
			t.Errorf("label is %q: want %q", got, want)
		}
	}
}
