package bindings

import (
	"context"
	"fmt"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/plotting"
)

// render is how a cell's value is shown. The value's own methods, which may be a cell's and may
// never return, run until ctx ends.
func render(ctx context.Context, v engine.Value) (display.Bundle, error) {
	type rendered struct {
		bundle display.Bundle
		err    error
	}
	done := make(chan rendered, 1)
	go func() {
		if p, ok := v.Any.(*plot.Plot); ok {
			b, err := Plot(p)
			done <- rendered{b, err}
			return
		}
		done <- rendered{bundle: display.Of(v.Any, v.Text)}
	}()
	select {
	case r := <-done:
		return r.bundle, r.err
	case <-ctx.Done():
		return display.Bundle{}, engine.ErrInterrupted
	}
}

// Plot draws a plot as SVG and, for places that show no SVG, as PNG.
func Plot(p *plot.Plot) (display.Bundle, error) {
	svg, png, err := plotting.Render(p)
	if err != nil {
		return display.Bundle{}, err
	}
	text := "plot"
	switch {
	case p.Title.Text != "":
		text = "plot: " + p.Title.Text
	case p.X.Label.Text != "" && p.Y.Label.Text != "":
		text = fmt.Sprintf("plot: %s by %s", p.Y.Label.Text, p.X.Label.Text)
	}
	return display.Bundle{Data: map[string]any{
		"image/svg+xml": string(svg),
		"image/png":     png,
		"text/plain":    text,
	}, Metadata: map[string]any{"image/png": map[string]any{"width": plotWidth, "height": plotHeight}}}, nil
}

// The size of a shown plot in CSS pixels; the PNG has twice as many each way.
const plotWidth, plotHeight = int(plotting.Width / plotting.Pixel), int(plotting.Height / plotting.Pixel)
