package widgets

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Interaction is a function with a control for each of its parameters and an area with what it
// last showed.
type Interaction struct {
	Controls []Widget // one for each parameter
	Output   *Output  // what the function printed, displayed and returned
	Value    any      // what it returned last; nil before the cell of Interact has ended
	Layout   Layout   // size

	model
	function reflect.Value
}

// Span is what Range and LogRange give: from where to where a slider goes.
type Span struct {
	Min, Max float64
	Value    float64 // where the slider stands at first
	Log      bool    // on a logarithmic scale
}

// Range is a slider from low to high on a linear scale, for a whole number or a float. It stands
// at first at the value given, else in the middle.
func Range(low, high float64, value ...float64) Span {
	s := Span{Min: low, Max: high, Value: low + (high-low)/2}
	if len(value) > 0 {
		s.Value = value[0]
	}
	return s
}

// LogRange is a slider from low to high on a logarithmic scale, for positive numbers such as C, γ
// or a budget. It stands at first at the value given, else at √(low·high).
func LogRange(low, high float64, value ...float64) Span {
	s := Span{Min: low, Max: high, Value: math.Sqrt(low * high), Log: true}
	if len(value) > 0 {
		s.Value = value[0]
	}
	return s
}

// Interact is the function Interact in a cell of the notebook.
func (n *Notebook) Interact(f any, controls ...any) *Interaction {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().IsVariadic() {
		panic(fmt.Errorf("Interact: want a function such as func(budget int, gamma float64) any, not %T", f))
	}
	t := v.Type()
	if len(controls) > t.NumIn() {
		panic(fmt.Errorf("Interact: %d controls for %d parameters", len(controls), t.NumIn()))
	}
	var names []string
	if n.Parameters != nil {
		names = n.Parameters(t.NumIn())
	}
	i := &Interaction{function: v, Output: &Output{}}
	for at := range t.NumIn() {
		name := fmt.Sprintf("parameter %d", at+1)
		if at < len(names) && names[at] != "" && names[at] != "_" {
			name = names[at]
		}
		var want any
		if at < len(controls) {
			want = controls[at]
		}
		c, err := control(t.In(at), want)
		if err != nil {
			panic(fmt.Errorf("Interact: %s: %w", name, err))
		}
		if d := reflect.ValueOf(c).Elem().FieldByName("Description"); d.IsValid() && d.String() == "" {
			d.SetString(name)
		}
		i.Controls = append(i.Controls, c)
	}
	n.open(i)
	for _, c := range i.Controls {
		c.live().watchers = append(c.live().watchers, i)
	}
	n.plan(task{redraw: i})
	return i
}

// control is the widget for a parameter.
func control(t reflect.Type, want any) (Widget, error) {
	k := kindOf(t)
	if k == 0 {
		return nil, fmt.Errorf("there is no control for a %v: want a whole number, a float, a bool or a string", t)
	}
	if w, ok := want.(Widget); ok && !isNil(w) {
		if v, ok := valueOf(w); !ok || !fits(kindOf(v.Type()), k) {
			return nil, fmt.Errorf("a %s does not give a %v", w.class().model, t)
		}
		return w, nil
	}
	if s, ok := want.(Span); ok && (k == whole || k == float) {
		return slider(s, k), nil
	}
	if options, ok := want.([]string); ok && k == text {
		return &Dropdown{Options: options}, nil
	}
	start := reflect.ValueOf(want)
	if want != nil && (kindOf(start.Type()) == 0 || !fits(kindOf(start.Type()), k)) {
		return nil, fmt.Errorf("%v of type %T does not suit a %v: want a Range, a []string, a value to begin with, or a widget", want, want, t)
	}
	switch {
	case k == truth:
		return &Checkbox{Value: want != nil && start.Bool()}, nil
	case k == text && want == nil:
		return &Text{Settled: true}, nil
	case k == text:
		return &Text{Settled: true, Value: start.String()}, nil
	case k == whole && want == nil:
		return &IntSlider{Min: 1, Max: 100, Value: 10}, nil
	case want == nil:
		return &FloatLogSlider{}, nil
	}
	return around(start.Convert(reflect.TypeFor[float64]()).Float(), k), nil
}

// around is a slider that begins at x.
func around(x float64, k kind) Widget {
	s := Span{Value: x, Min: min(0, 3*x), Max: max(0, 3*x)}
	switch {
	case x == 0:
		s.Max = 1
		if k == whole {
			s.Max = 10
		}
	case k == float && x > 0:
		s.Min, s.Max, s.Log = x/1000, x*1000, true
	}
	return slider(s, k)
}

func slider(s Span, k kind) Widget {
	switch {
	case s.Log:
		return &FloatLogSlider{Min: s.Min, Max: s.Max, Value: s.Value}
	case k == whole:
		return &IntSlider{Min: int(math.Ceil(s.Min)), Max: int(math.Floor(s.Max)), Value: int(math.Round(s.Value))}
	}
	return &FloatSlider{Min: s.Min, Max: s.Max, Value: s.Value}
}

// kind is what a parameter can be.
type kind int

const (
	whole kind = iota + 1
	float
	truth
	text
)

func kindOf(t reflect.Type) kind {
	switch k := t.Kind(); {
	case k >= reflect.Int && k <= reflect.Uint64:
		return whole
	case k == reflect.Float64 || k == reflect.Float32:
		return float
	case k == reflect.Bool:
		return truth
	case k == reflect.String:
		return text
	}
	return 0
}

// fits says whether a control's values can be given to a parameter. Numbers are rounded.
func fits(have, want kind) bool {
	return have == want || (have == whole || have == float) && (want == whole || want == float)
}

// valueOf is a control's field Value.
func valueOf(w Widget) (reflect.Value, bool) {
	switch w.(type) {
	case *IntSlider, *FloatSlider, *FloatLogSlider, *Dropdown, *ToggleButtons, *Checkbox, *Text:
		return reflect.ValueOf(w).Elem().FieldByName("Value"), true
	}
	return reflect.Value{}, false
}

// argument is a control's value as a parameter takes it.
func argument(w Widget, t reflect.Type) reflect.Value {
	v, _ := valueOf(w)
	if kindOf(t) == whole && kindOf(v.Type()) == float {
		v = reflect.ValueOf(int64(math.Round(v.Float())))
	}
	return v.Convert(t)
}

func (i *Interaction) class() class { return class{model: "VBox", dom: "widget-interact"} }

func (i *Interaction) state(n *Notebook) map[string]any {
	return boxState(n, "Interaction", append(append([]Widget{}, i.Controls...), i.Output))
}

func (i *Interaction) take(string, json.RawMessage) bool { return false }
func (i *Interaction) changed()                          {}

// draw calls the function and shows what it gives in place of what is shown.
func (i *Interaction) draw() {
	n, out := i.notebook, areaOutput{i.Output}
	out.Clear(true)
	run := func() {
		args := make([]reflect.Value, len(i.Controls))
		for at, c := range i.Controls {
			args[at] = argument(c, i.function.Type().In(at))
		}
		i.give(i.function.Call(args))
	}
	var failure *display.Failure
	if n.Call != nil {
		failure = n.Call(out, run)
	} else {
		run()
	}
	i.Output.area.mu.Lock()
	if i.Output.area.stale { // it showed nothing
		i.Output.area.clear(false)
	}
	i.Output.area.mu.Unlock()
	if failure != nil {
		out.fail(failure)
	}
	out.flush()
}

// give shows what the function returned.
func (i *Interaction) give(results []reflect.Value) {
	if last := len(results) - 1; last >= 0 && results[last].Type() == reflect.TypeFor[error]() {
		if err, _ := results[last].Interface().(error); err != nil {
			panic(err)
		}
		results = results[:last]
	}
	i.Value = nil
	for at, r := range results {
		v := r.Interface()
		if at == 0 {
			i.Value = v
		}
		if v != nil {
			i.Output.Show(v)
		}
	}
}

// Interact makes a control for each parameter of f and calls f, at first when the cell ends and
// then each time the user moves a control. What f prints, displays and returns stands below the
// controls. f has parameters of whole numbers, floats, bool or string, and any results; a last
// result of type error that is not nil is shown as an error.
//
// The controls are those of the arguments, in the order of the parameters: Range or LogRange for
// a number; a []string to choose from; a number, bool or string to begin with; a widget of one's
// own; or nil for what is usual, which parameters without an argument have too: for a whole number
// a slider from 1 to 100, for a float one from 0.001 to 1000 on a logarithmic scale. Controls have
// the names of the parameters.
//
// Interact panics with an error if f is no such function or an argument does not suit its parameter.
func Interact(f any, controls ...any) *Interaction { return new(Notebook).Interact(f, controls...) }
