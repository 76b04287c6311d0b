package plotting_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
)

func TestHeatmap(t *testing.T) {
	x, y := []float64{10, 20, 50}, []float64{1, 2}
	z := [][]float64{{14.5, 12.1, math.NaN()}, {9.9, 8.25, 7}}
	p, err := plotting.Heatmap(x, y, z)
	if err != nil {
		t.Fatal(err)
	}
	svg, _, err := plotting.Render(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">14.5<", ">8.25<", ">7<", ">50<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if strings.Contains(string(svg), "NaN") {
		t.Error("a number that is none is shown")
	}
	large := make([][]float64, 200)
	for i := range large {
		large[i] = make([]float64, 300)
	}
	if p, err = plotting.Heatmap(make([]float64, 300), make([]float64, 200), large); err != nil {
		t.Fatal(err)
	}
	if _, err := plotting.SVG(p, 0, 0); err != nil {
		t.Error(err)
	}
	refused := 0
	for _, c := range []struct {
		x, y []float64
		z    [][]float64
	}{{x, y, z[:1]}, {x[:2], y, z}, {nil, nil, nil}, {x[:1], y[:1], [][]float64{{math.Inf(1)}}}} {
		if _, err := plotting.Heatmap(c.x, c.y, c.z); err == nil {
			t.Errorf("%v is drawn", c.z)
		}
		refused++
	}
	if refused == 0 {
		t.Fatal("nothing was refused")
	}
}

// The specification has a row for each point that the plot has, and is JSON.
func TestVegaLite(t *testing.T) {
	a, b := fallingPath("ISSVM", 30, 2, 500, 0.02, 5, 1), fallingPath("<SASSO>", 20, 2, 300, 0.02, 5, 2)
	a.Points[3].SupportSize, b.Points[4].TestError = 0, math.NaN()
	text, err := json.Marshal(plotting.TradeoffVegaLite(a, b))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Schema string `json:"$schema"`
		Data   struct {
			Values []struct {
				Method           string
				Size             int
				Error, Low, High float64
				Best             bool
			}
		}
		Layer []map[string]any
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	if n := len(a.Points) + len(b.Points) - 2; len(spec.Data.Values) != n || !strings.Contains(spec.Schema, "/v5.json") || len(spec.Layer) != 6 {
		t.Errorf("%d points, want %d: %s", len(spec.Data.Values), n, text)
	}
	if !strings.Contains(string(text), `"Dense reference: `) {
		t.Error("no legend for the dense reference")
	}
	best := 0
	for _, v := range spec.Data.Values {
		if v.Low > v.Error || v.High < v.Error || v.Size < 1 || v.Method == "" {
			t.Errorf("a point is %+v", v)
		}
		if v.Best {
			best++
		}
	}
	if best != 2 {
		t.Errorf("%d points are the best, want one for each path", best)
	}
	if _, err := json.Marshal(plotting.TradeoffVegaLite(nil, &solvers.Path{})); err != nil {
		t.Error(err)
	}
	heat, err := json.Marshal(plotting.HeatmapVegaLite([]float64{1, 2}, []float64{3}, [][]float64{{4, math.NaN()}}))
	if err != nil || strings.Count(string(heat), `"z":`) != 1 {
		t.Errorf("%v: %s", err, heat)
	}
}
