package widgets

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Notebook keeps the widgets of one notebook and stands behind the functions of this package in
// its cells. The zero Notebook is what a program outside a notebook gets: nobody sees its widgets.
//
// Its functions are set before the first cell and are called by Notebook alone; those that are nil
// are left out.
type Notebook struct {
	// Output is that of the running cell.
	Output func() display.Output
	// Bundle is how a value is shown.
	Bundle func(v any) display.Bundle
	// Turn calls f when no cell runs, and keeps cells waiting as long as f does.
	Turn func(f func())
	// Call calls f, which calls functions of cells, as the code of a cell is run that shows on out.
	Call func(out display.Output, f func()) *display.Failure
	// Parameters are the names of the parameters of the function that the running cell hands to
	// Interact, nil if they are not known.
	Parameters func(count int) []string

	mu      sync.Mutex
	front   Front
	entries map[string]*entry
	order   []string // of entries, as they were opened
	due     []task
	working bool // a goroutine deals with events
	news    bool // there are some
}

// Front is the side of the kernel on which the front ends are: it carries the messages of models.
type Front interface {
	// Open tells of a new model.
	Open(id string, data any, metadata map[string]any, buffers [][]byte) error
	// Send sends a message to a model.
	Send(id string, data any, buffers [][]byte) error
	// Close takes a model away.
	Close(id string) error
	// Busy shows that functions of widgets run, until done is called.
	Busy() (done func())
}

// ProtocolVersion is that of the messages of widgets.
const ProtocolVersion = "2.1.0"

// entry is one model that is open: of a widget, a layout or a style.
type entry struct {
	id     string
	widget Widget // nil for a layout or style
	state  map[string]any
}

// task is a function of a cell that is to be called because of an event.
type task struct {
	widget Widget       // its OnChange or OnClick
	redraw *Interaction // or the function of this
}

// Connect says where the front ends are. What is open already they ask for themselves.
func (n *Notebook) Connect(f Front) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.front = f
}

// Show is how a widget is shown: the front end is told to make a view of its model.
func (n *Notebook) Show(w Widget) display.Bundle {
	if isNil(w) {
		return display.Bundle{Data: map[string]any{"text/plain": "<nil>"}}
	}
	n.open(w)
	return display.Bundle{Data: map[string]any{
		"application/vnd.jupyter.widget-view+json": map[string]any{"version_major": 2, "version_minor": 0, "model_id": w.live().id},
		"text/plain": describe(w, n),
	}}
}

// describe is a widget in one line: "IntSlider size = 20".
func describe(w Widget, n *Notebook) string {
	s := w.class().model
	if i, ok := w.(*Interaction); ok {
		s = "Interaction"
		for _, c := range i.Controls {
			s += "; " + describe(c, n)
		}
		return s
	}
	v := reflect.ValueOf(w).Elem()
	if f := v.FieldByName("Children"); f.IsValid() {
		for _, child := range f.Interface().([]Widget) {
			s += "; " + describe(child, n)
		}
		return s
	}
	if f := v.FieldByName("Description"); f.IsValid() && f.String() != "" {
		s += " " + f.String()
	}
	if f := v.FieldByName("Value"); f.IsValid() && f.Kind() != reflect.String {
		s += fmt.Sprintf(" = %v", f.Interface())
	} else if f.IsValid() {
		s += fmt.Sprintf(" = %.60q", f.String())
	}
	return s
}

func isNil(w Widget) bool { return w == nil || reflect.ValueOf(w).IsNil() }

// open makes the models of a widget known to the front ends, unless they are. It panics with an
// error if a field has a value that it cannot have.
func (n *Notebook) open(w Widget) {
	m := w.live()
	if m.id != "" {
		if m.notebook != n {
			panic(fmt.Errorf("the %s belongs to another notebook", w.class().model))
		}
		return
	}
	fresh := model{notebook: n, id: newID(), layout: newID()}
	if n.Output != nil {
		fresh.out = n.Output()
	}
	style := w.class().style
	if style != "" {
		fresh.style = newID()
	}
	*m = fresh
	opened := false
	defer func() {
		if !opened { // its state panicked: it stays as it was
			*m = model{}
		}
	}()
	state := n.fullState(w)
	opened = true
	n.add(&entry{id: m.layout, state: layoutOf(w).state()})
	if style != "" {
		n.add(&entry{id: m.style, state: styleState(style)})
	}
	n.add(&entry{id: m.id, widget: w, state: state})
}

// layoutOf is the widget's field Layout.
func layoutOf(w Widget) Layout {
	l, _ := reflect.ValueOf(w).Elem().FieldByName("Layout").Interface().(Layout)
	return l
}

func (n *Notebook) add(e *entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.entries == nil {
		n.entries = map[string]*entry{}
	}
	n.entries[e.id] = e
	n.order = append(n.order, e.id)
	if n.front != nil {
		state, paths, buffers := split(e.state)
		n.failed(n.front.Open(e.id, map[string]any{"state": state, "buffer_paths": paths},
			map[string]any{"version": ProtocolVersion}, buffers))
	}
}

// failed is what becomes of messages that cannot be sent: a front end that comes back asks for the
// whole state.
func (n *Notebook) failed(error) {}

// set changes the state of a model where it differs, and tells the front ends.
func (n *Notebook) set(id string, state map[string]any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e := n.entries[id]
	if e == nil {
		return
	}
	changed := differences(e.state, state)
	if len(changed) == 0 {
		return
	}
	for name, value := range changed {
		e.state[name] = value
	}
	n.send(id, "update", changed)
}

// send sends a state. The lock is held.
func (n *Notebook) send(id, method string, state map[string]any) {
	if n.front != nil {
		state, paths, buffers := split(state)
		n.failed(n.front.Send(id, map[string]any{"method": method, "state": state, "buffer_paths": paths}, buffers))
	}
}

// Begin gives the fields of the widgets what the front ends have set. It is for the one whose turn
// it is, before a cell or an event.
func (n *Notebook) Begin() {
	n.mu.Lock()
	n.news = false
	var touched []Widget
	for _, id := range n.order {
		if w := n.entries[id].widget; w != nil && (len(w.live().news) > 0 || w.live().clicks > 0) {
			touched = append(touched, w)
		}
	}
	n.mu.Unlock()
	for _, w := range touched {
		n.receive(w)
	}
}

// receive gives one widget its news, and notes which functions are to be called.
func (n *Notebook) receive(w Widget) {
	m := w.live()
	n.mu.Lock()
	news, clicks := m.news, m.clicks
	m.news, m.clicks = nil, 0
	n.mu.Unlock()
	changed := false
	for name, value := range news {
		changed = w.take(name, value) || changed
	}
	for range clicks {
		n.due = append(n.due, task{widget: w})
	}
	if changed {
		n.plan(task{widget: w})
		for _, i := range m.watchers {
			n.plan(task{redraw: i})
		}
	}
}

// plan adds a task that is not planned yet.
func (n *Notebook) plan(t task) {
	if !slices.Contains(n.due, t) {
		n.due = append(n.due, t)
	}
}

// End tells the front ends what has become of the widgets, and calls the functions that events ask
// for, until there are none. It is for the one whose turn it is, after a cell or as an event. Its
// error says which field has a value that it cannot have.
func (n *Notebook) End() (err error) {
	err = n.push()
	for len(n.due) > 0 {
		t := n.due[0]
		n.due = n.due[1:]
		if t.redraw != nil {
			t.redraw.draw()
		} else {
			n.call(t.widget.live().out, t.widget.changed)
		}
		if e := n.push(); err == nil {
			err = e
		}
	}
	return err
}

// call calls functions of cells. What goes wrong is shown where they print.
func (n *Notebook) call(out display.Output, f func()) {
	if n.Call == nil {
		f()
		return
	}
	if failure := n.Call(out, f); failure != nil && out != nil {
		for _, line := range failure.Traceback {
			out.Stream("stderr", line+"\n")
		}
	}
}

// push tells the front ends the fields that differ from what they have.
func (n *Notebook) push() (err error) {
	defer func() {
		if r := recover(); r != nil {
			cause, ok := r.(error)
			if !ok {
				panic(r)
			}
			err = cause
		}
	}()
	n.mu.Lock()
	ids := slices.Clone(n.order)
	n.mu.Unlock()
	for _, id := range ids {
		n.mu.Lock()
		e := n.entries[id]
		n.mu.Unlock()
		if e != nil && e.widget != nil {
			n.set(e.widget.live().layout, layoutOf(e.widget).state())
			n.set(id, n.fullState(e.widget))
		}
	}
	return nil
}

// update is what Update of the widgets does.
func (m *model) update() {
	if n := m.notebook; n != nil {
		n.Begin()
		if err := n.push(); err != nil {
			panic(err)
		}
	}
}

// close is what Close of the widgets does.
func (m *model) close() {
	n := m.notebook
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range []string{m.id, m.layout, m.style} {
		if n.entries[id] != nil && n.front != nil {
			n.failed(n.front.Close(id))
		}
		n.forget(id)
	}
	*m = model{}
}

// forget forgets a model. The lock is held.
func (n *Notebook) forget(id string) {
	delete(n.entries, id)
	n.order = slices.DeleteFunc(n.order, func(other string) bool { return other == id })
}

// Reset takes all widgets away.
func (n *Notebook) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range n.order {
		if n.front != nil {
			n.failed(n.front.Close(id))
		}
	}
	n.entries, n.order, n.due = nil, nil, nil
}

// States is the state of all widgets in the form of application/vnd.jupyter.widget-state+json, as
// notebooks keep it in their metadata; nil if there are none.
func (n *Notebook) States() map[string]any {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.order) == 0 {
		return nil
	}
	return map[string]any{"version_major": 2, "version_minor": 0, "state": n.states()}
}

// states are the models that are open; they may be read when the lock is no longer held. The lock is
// held.
func (n *Notebook) states() map[string]any {
	all := map[string]any{}
	for id, e := range n.entries {
		all[id] = map[string]any{"model_name": e.state["_model_name"], "model_module": e.state["_model_module"],
			"model_module_version": e.state["_model_module_version"], "state": maps.Clone(e.state)}
	}
	return all
}

// split takes the bytes out of a state, which travel beside its JSON.
func split(state map[string]any) (rest map[string]any, paths [][]any, buffers [][]byte) {
	rest, paths = make(map[string]any, len(state)), [][]any{}
	for name, value := range state {
		if b, ok := value.([]byte); ok {
			paths, buffers = append(paths, []any{name}), append(buffers, b)
			continue
		}
		rest[name] = value
	}
	return rest, paths, buffers
}

// message is what a front end sends to a model.
type message struct {
	Method  string                     `json:"method"`
	State   map[string]json.RawMessage `json:"state"`
	Content struct {
		Event string `json:"event"`
	} `json:"content"`
}
