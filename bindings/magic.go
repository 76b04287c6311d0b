package bindings

import (
	"context"
	"slices"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/magic"
)

// commands is a session as the commands of package magic see it.
type commands struct{ *Session }

func (c commands) Run(ctx context.Context, source magic.Source, out display.Output) display.Outcome {
	return c.run(ctx, source, out)
}

func (c commands) Known(name string) bool {
	_, ok := c.live().Inspect(name, len(name))
	return ok
}

func (c commands) History() []display.Cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.history)
}

// Forget takes a name out of scope and releases its value.
func (c commands) Forget(name string) error { return c.live().Forget(name) }

// Reset begins with a new engine. What the cells have left running ends with the old one.
func (c commands) Reset() error {
	fresh, err := engine.New(engine.Options{Symbols: c.symbols, Types: c.types, Args: c.args})
	if err != nil {
		return err
	}
	c.mu.Lock()
	old := c.engine
	c.engine = fresh
	c.mu.Unlock()
	c.widgets.Reset()
	return old.Close()
}

// remember keeps the source of a cell for errors and, if it is one of a user's, the history.
func (s *Session) remember(cell display.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[cell.Name()] = cell.Source
	if cell.Silent || cell.Count < 1 {
		return
	}
	if n := len(s.history); n > 0 && s.history[n-1].Count == cell.Count { // the one before was not stored
		s.history = s.history[:n-1]
	}
	s.history = append(s.history, cell)
}
