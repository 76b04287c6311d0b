package plotting

import (
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

func TestSupportVectorsShowsTheHeaviestFirst(t *testing.T) {
	m := &solvers.Model{Labels: []float64{3, 8}, Coefficients: []float64{0.5, -2, 1},
		SupportVectors: []solvers.Vector{{}, {Index: []int32{1}, Value: []float64{1}}, {}}}
	p, err := SupportVectors(m, 2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := SVG(p, Width, Height)
	if err != nil {
		t.Fatal(err)
	}
	first, second := strings.Index(string(svg), "3: 2<"), strings.Index(string(svg), "8: 1<")
	if first < 0 || second < first {
		t.Errorf("captions at %d and %d: want both, the coefficient of size 2 first", first, second)
	}
	if strings.Contains(string(svg), "8: 0.5<") {
		t.Error("a third support vector is shown")
	}
	for _, bad := range []*solvers.Model{nil, {}} {
		if _, err := SupportVectors(bad, 0, 2, 2); err == nil {
			t.Errorf("%v: want an error", bad)
		}
	}
	if _, err := SupportVectors(m, -1, 2, 2); err == nil {
		t.Error("n -1: want an error")
	}
}
