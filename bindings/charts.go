package bindings

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"slices"
	"weak"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/plotting"
)

// vegaLite is the format of plots that a front end draws, with texts beside the pointer.
const vegaLite = "application/vnd.vegalite.v5+json"

// chart is the Vega-Lite form of a plot as it was made.
type chart struct {
	spec  map[string]any
	drawn [sha256.Size]byte // what the plot looked like
}

// keepChart keeps the Vega-Lite form of a plot for as long as there is the plot.
func (s *Session) keepChart(p *plot.Plot, spec map[string]any) {
	svg, err := plotting.SVG(p, 0, 0)
	if err != nil {
		return // the plot says so itself when it is shown
	}
	key := weak.Make(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.charts == nil {
		s.charts = map[weak.Pointer[plot.Plot]]chart{}
	}
	s.charts[key] = chart{spec, sha256.Sum256(svg)}
	runtime.AddCleanup(p, s.dropChart, key)
}

func (s *Session) dropChart(key weak.Pointer[plot.Plot]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.charts, key)
}

// chartOf is the Vega-Lite form of a plot that has not been changed since it was made.
func (s *Session) chartOf(p *plot.Plot) (map[string]any, bool) {
	s.mu.Lock()
	c, ok := s.charts[weak.Make(p)]
	s.mu.Unlock()
	if !ok {
		return nil, false
	}
	svg, err := plotting.SVG(p, 0, 0)
	return c.spec, err == nil && sha256.Sum256(svg) == c.drawn
}

// plot draws a plot in the formats of the settings: as SVG; for places that show no SVG as PNG; and
// where texts beside the pointer help as Vega-Lite. What is drawn again and again is SVG only, which is
// quick.
func (s *Session) plot(p *plot.Plot, again bool) (display.Bundle, error) {
	s.mu.Lock()
	how := s.plots
	s.mu.Unlock()
	width, height := vg.Length(how.width)*plotting.Pixel, vg.Length(how.height)*plotting.Pixel
	b := display.Bundle{Data: map[string]any{"text/plain": plotText(p)}}
	if slices.Contains(how.formats, "svg") {
		svg, err := plotting.SVG(p, width, height)
		if err != nil {
			return display.Bundle{}, err
		}
		b.Data["image/svg+xml"] = string(svg)
	}
	if slices.Contains(how.formats, "png") && !(again && b.Data["image/svg+xml"] != nil) {
		png, err := plotting.PNG(p, width, height, 0)
		if err != nil {
			return display.Bundle{}, err
		}
		b.Data["image/png"] = png
		b.Metadata = map[string]any{"image/png": map[string]any{"width": how.width, "height": how.height}}
	}
	if slices.Contains(how.formats, "vega") && !again {
		if spec, ok := s.chartOf(p); ok {
			b.Data[vegaLite] = sized(spec, how.width, how.height)
		}
	}
	return b, nil
}

// sized is a specification with a size.
func sized(spec map[string]any, width, height int) map[string]any {
	c := make(map[string]any, len(spec)+2)
	for name, value := range spec {
		c[name] = value
	}
	c["width"], c["height"] = width, height
	return c
}

// plotText is what a plot is called where there are no pictures.
func plotText(p *plot.Plot) string {
	switch {
	case p == nil:
		return "no plot"
	case p.Title.Text != "":
		return "plot: " + p.Title.Text
	case p.X.Label.Text != "" && p.Y.Label.Text != "":
		return fmt.Sprintf("plot: %s by %s", p.Y.Label.Text, p.X.Label.Text)
	}
	return "plot"
}
