package plotting_test

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
)

func TestPNGSize(t *testing.T) {
	p, err := plotting.Tradeoff(fallingPath("ISSVM", 5, 1, 50, 0.02, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		width, height vg.Length
		scale         float64
		wide, high    int
	}{
		{0, 0, 0, 960, 640},
		{100 * plotting.Pixel, 60 * plotting.Pixel, 3, 300, 180},
	} {
		image, err := plotting.PNG(p, c.width, c.height, c.scale)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(image))
		if err != nil {
			t.Fatal(err)
		}
		if config.Width != c.wide || config.Height != c.high {
			t.Errorf("%g × %g at %g: %d × %d pixels, want %d × %d", c.width, c.height, c.scale, config.Width, config.Height, c.wide, c.high)
		}
	}
}

func TestRenderErrors(t *testing.T) {
	p, err := plotting.Tradeoff(fallingPath("ISSVM", 5, 1, 50, 0.02, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	broken := plot.New() // what gonum itself panics for
	broken.X.Scale, broken.X.Min, broken.X.Max = plot.LogScale{}, 0, 2
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 2}})
	if err != nil {
		t.Fatal(err)
	}
	broken.Add(line)
	nan := vg.Length(math.NaN())
	errors := []struct {
		do   func() error
		want string
	}{
		{func() error { _, err := plotting.SVG(nil, 0, 0); return err }, "no plot to draw"},
		{func() error { _, err := plotting.SVG(p, -1, 0); return err }, "want sides from 1"},
		{func() error { _, err := plotting.SVG(p, 0, nan); return err }, "want sides from 1"},
		{func() error { _, err := plotting.PNG(p, 0, 0, -1); return err }, "scale = -1: want > 0"},
		{func() error { _, err := plotting.PNG(p, 0, 0, math.NaN()); return err }, "scale = NaN"},
		{func() error { _, err := plotting.PNG(p, 0, 0, 1000); return err }, "want at most"},
		{func() error { _, err := plotting.SVG(broken, 0, 0); return err }, "cannot be drawn"},
		{func() error { _, err := plotting.PNG(broken, 0, 0, 0); return err }, "cannot be drawn"},
	}
	for i, c := range errors {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: got error %v, want one with %q", i, err, c.want)
		}
	}
}

// A user may give a tradeoff plot any range, and any size down to a pixel.
func TestTradeoffSurvivesChanges(t *testing.T) {
	p, err := plotting.Tradeoff(fallingPath("ISSVM", 25, 1, 500, 0.02, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	odd := []float64{math.Inf(-1), -1, 0, 1e-300, 1, 1e300, math.Inf(1), math.NaN()}
	for _, low := range odd {
		for _, high := range odd {
			p.X.Min, p.X.Max = low, high
			if _, err := plotting.SVG(p, 0, 0); err != nil {
				t.Errorf("x from %g to %g: %v", low, high, err)
			}
		}
	}
	p.X.Min, p.X.Max = 1, 1000
	for _, side := range []vg.Length{1, 10, 50, 2000} {
		if _, err := plotting.SVG(p, side*plotting.Pixel, side*plotting.Pixel); err != nil {
			t.Errorf("side %g: %v", side, err)
		}
	}
}

func TestTextStaysTextAndIsEscaped(t *testing.T) {
	p, err := plotting.Tradeoff(&solvers.Path{Solver: `<b>&"x"`, Points: []solvers.PathPoint{{SupportSize: 4, TestError: 0.1}}})
	if err != nil {
		t.Fatal(err)
	}
	p.Title.Text = `"><script>`
	svg, err := plotting.SVG(p, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"&lt;b&gt;&amp;", ">Test error (%)<", `font-family:'Liberation Sans',Arial,Helvetica,sans-serif`, `width="480" height="320"`} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the document lacks %s", want)
		}
	}
	if bytes.Contains(svg, []byte("<script")) {
		t.Error("the title is not escaped")
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []plot.Tick) string {
		var all []string
		for _, tick := range ticks {
			if !tick.IsMinor() {
				all = append(all, tick.Label)
			}
		}
		return strings.Join(all, " ")
	}
	cases := []struct {
		ticker    plot.Ticker
		low, high float64
		want      string
	}{
		{plotting.LogTicks{}, 1, 1000, "1 2 5 10 20 50 100 200 500 1000"},
		{plotting.LogTicks{}, 0.9, 60000, "1 10 100 1000 10000"},
		{plotting.LogTicks{}, 20, 80, "20 50"},
		{plotting.LogTicks{}, 30, 45, "30 35 40 45"},
		{plotting.LogTicks{}, 1e-6, 1e-3, "10⁻⁶ 10⁻⁵ 10⁻⁴ 0.001"},
		{plotting.LogTicks{Vertical: true, Length: 250}, 0.01, 2, "0.01 0.02 0.05 0.1 0.2 0.5 1 2"},
		{plotting.LogTicks{}, 0, 10, ""},
		{plotting.LogTicks{}, -1, math.Inf(1), ""},
		{plotting.RoundTicks{}, 0, 42, "0 10 20 30 40"},
		{plotting.RoundTicks{}, -0.25, 0.25, "−0.2 −0.1 0.0 0.1 0.2"},
		{plotting.RoundTicks{}, 9, 11, "9.0 9.5 10.0 10.5 11.0"},
		{plotting.RoundTicks{}, 0, 5e6, "0 1×10⁶ 2×10⁶ 3×10⁶ 4×10⁶ 5×10⁶"},
		{plotting.RoundTicks{}, 1, 1, ""},
		{plotting.RoundTicks{}, 1, math.NaN(), ""},
		{plotting.RoundTicks{}, math.Inf(-1), math.Inf(1), ""},
		{plotting.RoundTicks{}, 1e18, 1e18 + 256, ""},
	}
	for _, c := range cases {
		if got := labels(c.ticker.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("%T from %g to %g: %q, want %q", c.ticker, c.low, c.high, got, c.want)
		}
	}
}

func TestBoundaryErrors(t *testing.T) {
	m, d := discModel(), twoFeatures(20)
	three := *d
	three.Dim = 3
	classes := *d
	classes.Y, classes.Labels = append([]float64{7}, d.Y[1:]...), []float64{-1, 1, 7}
	infinite := &solvers.Dataset{Name: "odd", Dim: 2, X: []solvers.Vector{{Index: []int32{1}, Value: []float64{math.Inf(1)}}}, Y: []float64{1}}
	unbounded := *m
	unbounded.Bias = math.NaN()
	cases := []struct {
		m    *solvers.Model
		d    *solvers.Dataset
		want string
	}{
		{nil, d, "no model"},
		{&solvers.Model{}, d, "no model"},
		{m, nil, "no rows"},
		{m, &solvers.Dataset{Dim: 2}, "no rows"},
		{m, &three, "ring has 3 features"},
		{m, &classes, "ring has 3 classes"},
		{m, infinite, "row 0 of odd has the value +Inf"},
		{&unbounded, d, "want finite coefficients"},
	}
	for _, c := range cases {
		if _, err := plotting.Boundary(c.m, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
	same := &solvers.Dataset{Dim: 2, X: []solvers.Vector{{}, {}}, Y: []float64{1, -1}}
	p, err := plotting.Boundary(m, same)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plotting.SVG(p, 0, 0); err != nil {
		t.Error(err)
	}
}

func TestConvergenceErrors(t *testing.T) {
	zero := &solvers.Result{Solver: solvers.SMO{}}
	zero.Trace = []solvers.Progress{{Gap: 0}, {Gap: math.NaN()}, {Gap: -1}}
	for _, c := range []struct {
		results []*solvers.Result
		want    string
	}{
		{nil, "no result to draw"},
		{[]*solvers.Result{nil}, "result 1 (nil) has nothing to draw"},
		{[]*solvers.Result{zero}, "result 1 (SMO) has nothing to draw: its trace has 3 points"},
	} {
		if _, err := plotting.Convergence(c.results...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
	one := &solvers.Result{}
	one.Trace = []solvers.Progress{{Gap: 0.5}, {Gap: 0}}
	p, err := plotting.Convergence(one)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.X.Label.Text, "Not shown: 1 point") {
		t.Errorf("x label %q does not tell of the point left out", p.X.Label.Text)
	}
	if _, err := plotting.SVG(p, 0, 0); err != nil {
		t.Error(err)
	}
}

func TestImagesErrors(t *testing.T) {
	pixel := solvers.Vector{Index: []int32{4}, Value: []float64{1}}
	for _, c := range []struct {
		rows          []solvers.Vector
		width, height int
		want          string
	}{
		{nil, 2, 2, "no rows"},
		{make([]solvers.Vector, 401), 2, 2, "at most 400"},
		{[]solvers.Vector{{}}, 0, 2, "0 × 2 pixels"},
		{[]solvers.Vector{{}, pixel}, 2, 2, "row 1 has feature 4"},
		{[]solvers.Vector{{Index: []int32{0}, Value: []float64{math.NaN()}}}, 2, 2, "not a finite number"},
	} {
		if _, err := plotting.Images(c.rows, nil, c.width, c.height); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
	for n := 1; n <= 400; n += 133 {
		p, err := plotting.Images(make([]solvers.Vector, n), []string{"only one"}, 3, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plotting.SVG(p, 0, 0); err != nil {
			t.Errorf("%d pictures: %v", n, err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	p, err := plotting.Tradeoff(fallingPath("ISSVM basic", 30, 1, 3000, 0.014, 7, 1),
		fallingPath("ISSVM aggressive", 40, 1, 1200, 0.013, 9, 2))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := plotting.Render(p); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleTradeoff() {
	path := &solvers.Path{Solver: "ISSVM", Dataset: "ijcnn1",
		Points: []solvers.PathPoint{
			{SupportSize: 1, ValidationError: 0.39, TestError: 0.40},
			{SupportSize: 10, ValidationError: 0.11, TestError: 0.12},
			{SupportSize: 100, ValidationError: 0.02, TestError: 0.02}},
		Reference: solvers.PathPoint{SupportSize: 3514, TestError: 0.013}}
	p, err := plotting.Tradeoff(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Title.Text = "Sparse enough?"
	svg, png, err := plotting.Render(p)
	fmt.Println(p.X.Label.Text, "|", p.Y.Label.Text, "|", len(svg) > 0, len(png) > 0, err)
	// Output: Support vectors (ijcnn1) | Test error (%) | true true <nil>
}

func ExampleSVG() {
	p := plot.New()
	plotting.Style(p)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	svg, err := plotting.SVG(p, 4*vg.Inch, 3*vg.Inch)
	fmt.Println(strings.Contains(string(svg), `width="384" height="288"`), err)
	// Output: true <nil>
}

func ExampleRows() {
	cross := solvers.Vector{Index: []int32{1, 3, 4, 5, 7}, Value: []float64{1, 1, 1, 1, 1}}
	d := &solvers.Dataset{Dim: 9, X: []solvers.Vector{cross}, Y: []float64{7}}
	p, err := plotting.Rows(d, 1, 3, 3)
	fmt.Println(p != nil, err)
	// Output: true <nil>
}

func ExampleConvergence() {
	result := &solvers.Result{}
	result.Trace = []solvers.Progress{{Iteration: 1, Gap: 2}, {Iteration: 100, Gap: 0.1}, {Iteration: 500, Gap: 1e-3}}
	p, err := plotting.Convergence(result)
	fmt.Println(p.X.Label.Text, p.Y.Label.Text, err)
	// Output: Iteration Gap <nil>
}
