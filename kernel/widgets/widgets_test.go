package widgets

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// recorder is a front end that keeps the states it is told.
type recorder struct {
	states  map[string]map[string]any
	methods []string
}

func (r *recorder) Open(id string, data any, _ map[string]any, _ [][]byte) error {
	if r.states == nil {
		r.states = map[string]map[string]any{}
	}
	r.states[id] = map[string]any{}
	return r.take(id, data)
}

func (r *recorder) Send(id string, data any, _ [][]byte) error {
	r.methods = append(r.methods, data.(map[string]any)["method"].(string))
	return r.take(id, data)
}

func (r *recorder) take(id string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	var m struct{ State map[string]any }
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	for name, value := range m.State {
		r.states[id][name] = value
	}
	return nil
}

func (r *recorder) Close(id string) error { delete(r.states, id); return nil }

func (r *recorder) Busy() func() { return func() {} }

// some is one widget of each kind.
func some() map[string]Widget {
	return map[string]Widget{
		"IntSlider": &IntSlider{}, "FloatSlider": &FloatSlider{}, "FloatLogSlider": &FloatLogSlider{}, "FloatProgress": &FloatProgress{},
		"Dropdown": &Dropdown{Options: []string{"a", "b"}}, "ToggleButtons": &ToggleButtons{Options: []string{"a", "b"}},
		"Checkbox": &Checkbox{}, "Text": &Text{}, "Button": &Button{}, "HTML": &HTML{}, "Output": &Output{},
		"HBox": &HBox{}, "VBox": &VBox{}, "Tab": &Tab{},
	}
}

// TestStatesAreThoseOfIpywidgets compares what front ends are told of a new widget with what
// ipywidgets 8.1.9 tells them: the same names, classes and versions, values of the same type, and
// the same values but where ours is better.
func TestStatesAreThoseOfIpywidgets(t *testing.T) {
	data, err := os.ReadFile("testdata/ipywidgets-8.1.9.json")
	if err != nil {
		t.Fatal(err)
	}
	var theirs map[string]map[string]map[string]any
	if err := json.Unmarshal(data, &theirs); err != nil {
		t.Fatal(err)
	}
	ours := map[string]bool{"FloatSlider readout_format": true, "FloatSlider step": true, "FloatLogSlider readout_format": true,
		"FloatLogSlider min": true, "FloatLogSlider max": true, "FloatLogSlider step": true, "Text placeholder": true, "HTML placeholder": true}
	checked := 0
	for name, w := range some() {
		r := &recorder{}
		n := &Notebook{}
		n.Connect(r)
		n.Show(w)
		states := map[string]map[string]any{"widget": r.states[w.live().id], "layout": r.states[w.live().layout]}
		if w.live().style != "" {
			states["style"] = r.states[w.live().style]
		}
		if len(states) != len(theirs[name]) {
			t.Errorf("%s has %d models, want %d", name, len(states), len(theirs[name]))
		}
		for part, want := range theirs[name] {
			for key, value := range want {
				got, ok := states[part][key]
				if s, isText := got.(string); isText && strings.HasPrefix(s, "IPY_MODEL_") {
					got = "IPY_MODEL_"
				}
				a, _ := json.Marshal(got)
				b, _ := json.Marshal(value)
				if !ok || string(a) != string(b) && !ours[name+" "+key] {
					t.Errorf("%s: %s %s is %s, want %s", name, part, key, a, b)
				}
				checked++
			}
			for key := range states[part] {
				if _, ok := want[key]; !ok {
					t.Errorf("%s: the %s has no %s", name, part, key)
				}
			}
		}
	}
	if checked < 500 {
		t.Fatalf("only %d values were compared", checked)
	}
}

func TestOutputArea(t *testing.T) {
	r := &recorder{}
	n := &Notebook{}
	n.Connect(r)
	w := &Output{}
	n.Show(w)
	out := w.screen()
	shows := func() string {
		areaOutput{w}.flush()
		text, _ := json.Marshal(r.states[w.id]["outputs"])
		return string(text)
	}
	out.Stream("stdout", "a")
	out.Stream("stdout", "b\n")
	out.Display(display.Bundle{Data: map[string]any{"text/plain": "bar"}}, "progress-1")
	out.Update("progress-1", display.Bundle{Data: map[string]any{"text/plain": "<half>"}})
	if got := shows(); strings.Count(got, "output_type") != 2 || !strings.Contains(got, `"text":"ab\n"`) || !strings.Contains(got, `half`) || strings.Contains(got, "bar") {
		t.Errorf("shows %s", got)
	}
	out.Update("progress-1", display.Bundle{})
	out.Clear(true)
	if got := shows(); strings.Count(got, "output_type") != 1 {
		t.Errorf("a bar taken away: shows %s", got)
	}
	w.Show([]byte("x"))
	if got := shows(); strings.Count(got, "output_type") != 1 || strings.Contains(got, "ab") {
		t.Errorf("cleared when something comes: shows %s", got)
	}
	for range 100 {
		out.Stream("stdout", strings.Repeat("long ", 2000))
	}
	if got := shows(); len(got) > areaText+30000 || !strings.Contains(got, "cut here") {
		t.Errorf("%d bytes are kept", len(got))
	}
	w.Clear()
	if got := shows(); got != "[]" {
		t.Errorf("cleared: shows %s", got)
	}
}

// A widget that nobody sees works as a plain value.
func TestWithoutFrontEnd(t *testing.T) {
	sum := 0
	i := Interact(func(a int, b bool) { sum += a }, 4)
	if err := i.notebook.End(); err != nil || sum != 4 {
		t.Errorf("%v: the function was given %d", err, sum)
	}
	if got := i.notebook.Show(i).Data["text/plain"]; got != "Interaction; IntSlider parameter 1 = 4; Checkbox parameter 2 = false" {
		t.Errorf("shown as %q", got)
	}
}

// FuzzReceive sends anything to widgets of all kinds: what is not understood is an error, and what
// is taken is a value that the widget may have.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{`{"method":"update","state":{"value":3}}`, `{"method":"update","state":{"value":1e300,"index":7,"selected_index":-1,"outputs":3}}`,
		`{"method":"custom","content":{"event":"click"}}`, `{"method":"request_state"}`, `{"method":"update","state":{"value":null,"index":"a","children":[]}}`, `{`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &Notebook{Turn: func(f func()) {}}
		all := some()
		for _, w := range all {
			n.Show(w)
			err := n.Receive(w.live().id, data)
			if err != nil && !json.Valid(data) {
				continue
			}
		}
		n.Begin()
		if err := n.End(); err != nil {
			t.Fatal(err)
		}
		if v := all["IntSlider"].(*IntSlider).Value; v < 0 || v > 100 {
			t.Errorf("the slider stands at %d", v)
		}
		if v := all["FloatLogSlider"].(*FloatLogSlider).Value; v < 1e-3 || v > 1e3 {
			t.Errorf("the slider stands at %g", v)
		}
		if d := all["Dropdown"].(*Dropdown); !slices.Contains(d.Options, d.Value) {
			t.Errorf("%q is chosen", d.Value)
		}
	})
}
