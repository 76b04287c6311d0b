package widgets

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Output is an area that shows what is written and shown to it. It is an io.Writer:
// fmt.Fprintln(out, 3).
type Output struct {
	Layout Layout // size

	model
	area area
}

func (w *Output) class() class { return class{model: "Output", module: outputModule} }

func (w *Output) state(*Notebook) map[string]any {
	return map[string]any{"msg_id": "", "outputs": w.area.list()}
}

func (w *Output) take(string, json.RawMessage) bool { return false }
func (w *Output) changed()                          {}

// Show adds a value, as the last expression of a cell would be shown.
func (w *Output) Show(v any) {
	b, ok := v.(display.Bundle)
	switch n := w.notebook; {
	case ok:
	case n != nil && n.Bundle != nil:
		b = n.Bundle(v)
	default:
		b = display.Of(v, "")
	}
	w.screen().Display(b, "")
}

// Write adds text.
func (w *Output) Write(text []byte) (int, error) {
	w.screen().Stream("stdout", string(text))
	return len(text), nil
}

// Clear removes what is there.
func (w *Output) Clear() { w.screen().Clear(false) }

// screen is the area as a cell's output.
func (w *Output) screen() display.Output { return areaOutput{w} }

const (
	areaPause = 100 * time.Millisecond // between two states of an area under way
	areaText  = 256 << 10              // bytes of text that an area keeps
)

// area is what an Output shows.
type area struct {
	mu      sync.Mutex
	outputs []map[string]any
	ids     map[string][]map[string]any // by display id
	text    int                         // bytes of streams
	stale   bool                        // goes away when something comes
	timer   *time.Timer
}

// list is a copy of the outputs, which themselves do not change.
func (a *area) list() []map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]map[string]any{}, a.outputs...)
}

// clear removes what is there, at once or when something comes. The lock is held.
func (a *area) clear(wait bool) {
	if a.stale = wait; !wait {
		a.outputs, a.ids, a.text = nil, nil, 0
	}
}

// add adds an output. The lock is held.
func (a *area) add(o map[string]any, id string) {
	if a.stale {
		a.clear(false)
	}
	a.outputs = append(a.outputs, o)
	if id != "" {
		if a.ids == nil {
			a.ids = map[string][]map[string]any{}
		}
		a.ids[id] = append(a.ids[id], o)
	}
}

// areaOutput is an Output as a cell's output. What comes is shown soon, many things at once.
type areaOutput struct{ w *Output }

// Stream implements display.Output.
func (o areaOutput) Stream(name, text string) {
	a := &o.w.area
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stale {
		a.clear(false)
	}
	if a.text > areaText || text == "" {
		return
	}
	if a.text += len(text); a.text > areaText {
		text += "\n… cut here: an area keeps at most 256 kB of text\n"
	}
	if n := len(a.outputs); n > 0 && a.outputs[n-1]["output_type"] == "stream" && a.outputs[n-1]["name"] == name {
		before, _ := a.outputs[n-1]["text"].(string)
		a.outputs = append(a.outputs[:n-1:n-1], map[string]any{"output_type": "stream", "name": name, "text": before + text})
	} else {
		a.add(map[string]any{"output_type": "stream", "name": name, "text": text}, "")
	}
	o.later()
}

// Display implements display.Output.
func (o areaOutput) Display(b display.Bundle, id string) {
	shown := outputOf(b)
	a := &o.w.area
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(shown, id)
	o.later()
}

// Update implements display.Output.
func (o areaOutput) Update(id string, b display.Bundle) {
	shown := outputOf(b)
	a := &o.w.area
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.ids[id]
	if len(old) == 0 {
		return
	}
	fresh := slices.Clone(a.outputs)
	a.ids[id] = nil
	for i, output := range fresh {
		if slices.ContainsFunc(old, func(x map[string]any) bool { return same(x, output) }) {
			fresh[i] = shown
		}
	}
	if len(b.Data) == 0 { // taken away, as a progress bar that has done its work
		fresh = slices.DeleteFunc(fresh, func(x map[string]any) bool { return same(x, shown) })
	} else {
		a.ids[id] = append(a.ids[id], shown)
	}
	a.outputs = fresh
	o.later()
}

// same says whether two maps are one.
func same(a, b map[string]any) bool { return fmt.Sprintf("%p", a) == fmt.Sprintf("%p", b) }

// outputOf is a bundle as notebooks keep it.
func outputOf(b display.Bundle) map[string]any {
	data, metadata := b.Encoded()
	return map[string]any{"output_type": "display_data", "data": data, "metadata": metadata}
}

// Clear implements display.Output.
func (o areaOutput) Clear(wait bool) {
	o.w.area.mu.Lock()
	defer o.w.area.mu.Unlock()
	o.w.area.clear(wait)
	if !wait {
		o.later()
	}
}

// Input implements display.Output.
func (o areaOutput) Input(string, bool) (string, error) {
	return "", fmt.Errorf("nobody to ask: a function that redraws cannot ask for input")
}

// fail adds an error.
func (o areaOutput) fail(f *display.Failure) {
	a := &o.w.area
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(map[string]any{"output_type": "error", "ename": f.Name, "evalue": f.Message, "traceback": f.Traceback}, "")
	o.later()
}

// later shows the area when a moment has passed. Its lock is held.
func (o areaOutput) later() {
	if a := &o.w.area; a.timer == nil {
		a.timer = time.AfterFunc(areaPause, o.flush)
	}
}

// flush shows the area now.
func (o areaOutput) flush() {
	a := &o.w.area
	a.mu.Lock()
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
	a.mu.Unlock()
	if n := o.w.notebook; n != nil {
		n.set(o.w.id, map[string]any{"outputs": a.list()})
	}
}
