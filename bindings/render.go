package bindings

import (
	"context"
	"fmt"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/widgets"
	"github.com/gonb-svm/gonb-svm/plotting"
)

// render is how a cell's value is shown. The value's own methods, which may be a cell's and may
// never return, run until ctx ends.
func (s *Session) render(ctx context.Context, v engine.Value) (display.Bundle, error) {
	if w, ok := v.Any.(widgets.Widget); ok {
		return s.widget(w)
	}
	type rendered struct {
		bundle display.Bundle
		err    error
	}
	done := make(chan rendered, 1)
	go func() {
		b, err := s.bundle(v)
		done <- rendered{b, err}
	}()
	select {
	case r := <-done:
		return r.bundle, r.err
	case <-ctx.Done():
		return display.Bundle{}, engine.ErrInterrupted
	}
}

// bundle is how a value is shown: package display knows neither plots nor widgets.
func (s *Session) bundle(v engine.Value) (display.Bundle, error) {
	switch x := v.Any.(type) {
	case *plot.Plot:
		return Plot(x)
	case widgets.Widget:
		return s.widget(x)
	}
	return display.Of(v.Any, v.Text), nil
}

// widget opens a widget. Its error says which field has a value that it cannot have.
func (s *Session) widget(w widgets.Widget) (b display.Bundle, err error) {
	defer func() {
		if r := recover(); r != nil {
			cause, ok := r.(error)
			if !ok {
				panic(r)
			}
			err = cause
		}
	}()
	return s.widgets.Show(w), nil
}

// shown is how display.Show and its like show a value of a cell.
func (s *Session) shown(v any) display.Bundle {
	b, err := s.bundle(s.live().Seen(v))
	if err != nil {
		panic(err)
	}
	return b
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
