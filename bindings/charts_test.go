package bindings_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

const vegaLite = "application/vnd.vegalite.v5+json"

// A tradeoff plot has a form with tooltips as long as it is as it was made, and all forms have the
// size of %config.
func TestPlotFormats(t *testing.T) {
	n := open(t)
	n.run(`path := &svm.Path{Solver: "ISSVM", Points: []solvers.PathPoint{{SupportSize: 3, TestError: 0.2}, {SupportSize: 30, TestError: 0.1, TestStd: 0.01}}}`)
	b, _ := n.run("svm.PlotTradeoff(path)")
	spec, ok := b.Data[vegaLite].(map[string]any)
	if !ok || spec["width"] != 480 || spec["height"] != 320 {
		t.Fatalf("the plot has the formats %v", b.Data)
	}
	b, _ = n.run("p := svm.PlotTradeoff(path)\np.Title.Text = \"mine\"\np")
	if _, ok := b.Data[vegaLite]; ok || !strings.Contains(b.Data["image/svg+xml"].(string), "mine") {
		t.Errorf("a changed plot has the formats %v", b.Data)
	}
	if b, _ = n.run("svm.PlotHeatmap([]float64{1, 2}, []float64{3}, [][]float64{{4, 5}})"); b.Data[vegaLite] == nil {
		t.Error("a heat map has no Vega-Lite form")
	}
	n.run("%config plot.width = 600")
	b, _ = n.run("svm.PlotTradeoff(path)")
	picture, err := png.DecodeConfig(bytes.NewReader(b.Data["image/png"].([]byte)))
	if err != nil || picture.Width != 1200 || b.Data[vegaLite].(map[string]any)["width"] != 600 || !strings.Contains(b.Data["image/svg+xml"].(string), `width="600"`) {
		t.Errorf("%v: a picture of %d pixels", err, picture.Width)
	}
	n.run("%config plot.formats = png")
	if b, _ = n.run("svm.PlotTradeoff(path)"); b.Data["image/svg+xml"] != nil || b.Data[vegaLite] != nil || b.Data["image/png"] == nil {
		t.Errorf("the plot has the formats %v", b.Data)
	}
	n.exchange(
		exchange{"%config plot.width", "600\n"},
		exchange{"%config plot.width=3", "MagicError: plot.width = 3: want a whole number of pixels from 100 to 4000\nat line 1:1\n"},
		exchange{"%config plot.formats=jpg", "MagicError: plot.formats = jpg: want some of svg, png, vega, with commas between\nat line 1:1\n"},
		exchange{"%config nosuch", "MagicError: %config: there is no setting nosuch: want one of plot.width, plot.height, plot.formats\nat line 1:1\n"},
		exchange{"%config", "~= setting +value +meaning\nplot.width +600 .*plot.formats +png .*"},
	)
}

// A handle shows plots and widgets as the cell itself would.
func TestHandleOfPlots(t *testing.T) {
	n, s := openWidgets(t)
	_, f := n.run(`h := display.NewHandle()
h.Show("begun")
path := &svm.Path{Solver: "ISSVM", Points: []solvers.PathPoint{{SupportSize: 3, TestError: 0.2}}}
h.Update(svm.PlotTradeoff(path))`)
	if len(f.shown) != 1 || f.shown[0].Data["image/svg+xml"] == nil {
		t.Errorf("shown: %v", f.shown)
	}
	n.run("k := display.NewHandle()\nk.Show(1)\nk.Update(&widgets.Checkbox{Description: \"b\"})")
	s.find(t, "Checkbox", "b")
}
