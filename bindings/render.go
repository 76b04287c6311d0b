package bindings

import (
	"context"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/widgets"
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
		b, err := s.bundle(v, false)
		done <- rendered{b, err}
	}()
	select {
	case r := <-done:
		return r.bundle, r.err
	case <-ctx.Done():
		return display.Bundle{}, engine.ErrInterrupted
	}
}

// bundle is how a value is shown, once or again and again: package display knows neither plots nor
// widgets.
func (s *Session) bundle(v engine.Value, again bool) (display.Bundle, error) {
	switch x := v.Any.(type) {
	case *plot.Plot:
		return s.plot(x, again)
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
func (s *Session) shown(v any) display.Bundle { return s.seen(v, false) }

// redrawn is how the areas of widgets show it, after what has been printed to them.
func (s *Session) redrawn(v any) display.Bundle {
	s.live().Flush()
	return s.seen(v, true)
}

func (s *Session) seen(v any, again bool) display.Bundle {
	b, err := s.bundle(s.live().Seen(v), again)
	if err != nil {
		panic(err)
	}
	return b
}
