package bindings

import (
	"context"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/widgets"
)

// Widgets are the widgets of the session's cells. Connect them to a front end to have them shown.
func (s *Session) Widgets() *widgets.Notebook { return s.widgets }

// WidgetStates is the state of all widgets in the form in which notebooks keep it, nil for none.
func (s *Session) WidgetStates() map[string]any { return s.widgets.States() }

// newWidgets is a notebook of widgets whose functions run as cells of the session do.
func (s *Session) newWidgets() *widgets.Notebook {
	return &widgets.Notebook{
		Output: s.output,
		Bundle: s.redrawn,
		Turn: func(f func()) {
			s.turn <- struct{}{}
			defer func() { <-s.turn }()
			ctx, stop := context.WithCancel(s.alive)
			defer stop()
			s.events(ctx, stop)
			f()
			s.events(s.alive, nil)
		},
		Call:       s.call,
		Parameters: func(count int) []string { return s.live().Parameters("widgets.Interact", 0, count) },
	}
}

// events says under which context the functions run that widgets call, and what ends it.
func (s *Session) events(ctx context.Context, stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event, s.stop = ctx, stop
}

// Interrupt stops what an event of a widget has begun. A cell is interrupted by its own context.
func (s *Session) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
}

// call calls functions of cells for a widget, as a cell that shows on out.
func (s *Session) call(out display.Output, f func()) *display.Failure {
	s.mu.Lock()
	ctx, before, beforeOut := s.event, s.running, s.out
	s.mu.Unlock()
	run, release := newRunning(s.alive, ctx)
	defer release()
	s.show(run, out)
	defer s.show(before, beforeOut)
	err := s.live().Do(run.engine, streams(out), f)
	if err == nil && ctx.Err() != nil { // it ended before it could be stopped
		return interrupted(ctx)
	}
	if err != nil {
		return s.failure(ctx, err)
	}
	return nil
}

// show makes an execution the running one.
func (s *Session) show(run *running, out display.Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.out = run, out
}

// still puts what a widget shows at the end of its cell into the cell's value, a plot as PNG too, as plots
// are shown that are no widget's.
func (s *Session) still(b *display.Bundle) {
	p, ok := s.live().Seen(s.widgets.Still(b)).Any.(*plot.Plot)
	if !ok || b.Data["image/svg+xml"] == nil {
		return
	}
	if whole, err := s.plot(p, false); err == nil && whole.Data["image/png"] != nil {
		b.Data["image/png"], b.Metadata = whole.Data["image/png"], whole.Metadata
	}
}
