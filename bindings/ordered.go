package bindings

import (
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
)

// ordered is the output of a cell for what shows something by itself. What the cell printed
// before, which is still on its way through the engine's files, goes first.
type ordered struct {
	display.Output
	engine *engine.Engine
}

func (o ordered) Display(b display.Bundle, id string) {
	o.engine.Flush()
	o.Output.Display(b, id)
}

func (o ordered) Update(id string, b display.Bundle) {
	o.engine.Flush()
	o.Output.Update(id, b)
}

func (o ordered) Clear(wait bool) {
	o.engine.Flush()
	o.Output.Clear(wait)
}

func (o ordered) Input(prompt string, password bool) (string, error) {
	o.engine.Flush()
	return o.Output.Input(prompt, password)
}
