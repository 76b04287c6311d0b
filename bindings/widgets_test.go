package bindings_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

func TestInteract(t *testing.T) {
	n, s := openWidgets(t)
	b, _ := n.run(`type point struct{ X int }
func (p point) HTML() string { return fmt.Sprintf("<b>%d</b>", p.X) }
draws := 0
widgets.Interact(func(budget int, gamma float64, name string, show bool) any {
	draws++
	fmt.Println("budget", budget, gamma, name, show)
	if show {
		return svm.PlotMargins(nil, nil)
	}
	return point{budget}
}, widgets.Range(1, 50, 7), nil, []string{"a", "b"})`)
	if view, ok := b.Data["application/vnd.jupyter.widget-view+json"].(map[string]any); !ok || s.get(view["model_id"].(string), "_model_name") != "VBoxModel" {
		t.Fatalf("the cell shows %v", b.Data)
	}
	out := s.find(t, "Output", "")
	if got := s.shows(out); !strings.Contains(got, `budget 7 1 a false`) || !strings.Contains(got, "\\u003cb\\u003e7\\u003c/b\\u003e") {
		t.Fatalf("the first drawing is %s", got)
	}
	budget := s.find(t, "IntSlider", "budget")
	if s.get(budget, "min") != 1.0 || s.get(budget, "max") != 50.0 || s.get(budget, "value") != 7.0 {
		t.Errorf("the slider is %v", s.models[budget])
	}
	s.find(t, "FloatLogSlider", "gamma")
	n.move(budget, "value", 9)
	eventually(t, "a new drawing", func() bool { return strings.Contains(s.shows(out), "budget 9 1 a false") })
	n.move(s.find(t, "Dropdown", "name"), "index", 1)
	eventually(t, "a new drawing", func() bool { return strings.Contains(s.shows(out), "budget 9 1 b false") })
	n.move(s.find(t, "Checkbox", "show"), "value", true)
	eventually(t, "an error", func() bool { return strings.Contains(s.shows(out), `"output_type":"error"`) })
	s.mu.Lock()
	at := slices.Index(s.messages, "busy")
	if rest := strings.Join(s.messages[at+1:], "; "); at < 0 || !regexp.MustCompile(`^(update OutputModel; )+idle; `).MatchString(rest) {
		t.Errorf("busy and idle do not enclose the first new drawing: %v", s.messages)
	}
	s.mu.Unlock()
	if s.count("echo_update IntSliderModel") != 1 || s.count("update IntSliderModel") != 0 {
		t.Errorf("messages: %v", s.messages)
	}
	if b, _ = n.run("draws"); text(b) != "4" {
		t.Errorf("%s drawings, want 4", text(b))
	}
}

// The value of the cell has what the areas of its widget show when the cell ends, for those who have
// no widgets.
func TestStill(t *testing.T) {
	n, _ := openWidgets(t)
	plot := `func(size int) any { fmt.Println("size", size); return plot.New() }`
	b, _ := n.run("widgets.Interact(" + plot + ", 7)")
	if got := text(b); got != "Interaction; IntSlider size = 7\nsize 7\n<plot>" && !strings.HasPrefix(got, "Interaction; IntSlider size = 7\nsize 7\n") {
		t.Errorf("the text is %q", got)
	}
	for _, mime := range []string{"image/png", "image/svg+xml", "application/vnd.jupyter.widget-view+json"} {
		if b.Data[mime] == nil {
			t.Errorf("no %s", mime)
		}
	}
	b, _ = n.run("x := widgets.Interact(" + plot + ")\n&widgets.VBox{Children: []widgets.Widget{&widgets.HTML{}, x}}")
	if !strings.Contains(text(b), "size 10") || b.Data["image/png"] == nil {
		t.Errorf("a box with an interaction is %q", text(b))
	}
	b, _ = n.run("widgets.Interact(func(size int) { panic(`no`) })")
	if got := text(b); !strings.Contains(got, "Panic: no") {
		t.Errorf("an interaction that fails is %q", got)
	}
	if b, _ = n.run("widgets.Interact(func(size int) { for range 5000 { fmt.Println(`long`) } })"); len(text(b)) > 2100 {
		t.Errorf("the text has %d bytes", len(text(b)))
	}
}

// What is printed and shown stands in the order of the calls, in a cell and where a widget draws.
func TestOrder(t *testing.T) {
	n, s := openWidgets(t)
	n.run(`widgets.Interact(func(size int) any { fmt.Println("first"); display.HTML("second"); fmt.Println("third"); return "fourth" })`)
	at := 0
	for _, want := range []string{"first", "second", "third", "fourth"} {
		rest := s.shows(s.find(t, "Output", ""))
		if i := strings.Index(rest, want); i < at {
			t.Errorf("%s is not in its place in %s", want, rest)
		} else {
			at = i
		}
	}
	ordered := &inOrder{}
	n.Execute(t.Context(), display.Cell{Count: 2, Source: `for i := range 3 { fmt.Println("text", i); display.HTML(fmt.Sprint("html", i)) }`}, ordered)
	if want := "text 0\nhtml0text 1\nhtml1text 2\nhtml2"; ordered.seen.String() != want {
		t.Errorf("shown: %q, want %q", ordered.seen.String(), want)
	}
}

// inOrder is a front end that keeps all in one text.
type inOrder struct {
	front
	seen strings.Builder
}

func (o *inOrder) Stream(_, text string) { o.mu.Lock(); o.seen.WriteString(text); o.mu.Unlock() }

func (o *inOrder) Display(b display.Bundle, _ string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen.WriteString(text(b))
}

// Of the values that come while a drawing goes on, only the last is computed.
func TestEventsCoalesce(t *testing.T) {
	n, s := openWidgets(t)
	n.run(`seen := []int{}
widgets.Interact(func(size int) { seen = append(seen, size); time.Sleep(100 * time.Millisecond) })`)
	size := s.find(t, "IntSlider", "size")
	for v := 20; v <= 60; v++ {
		n.move(size, "value", v)
	}
	eventually(t, "the last value", func() bool {
		b, _ := n.run("seen[len(seen)-1] == 60")
		return text(b) == "true"
	})
	if b, _ := n.run("len(seen)"); text(b) != "2" && text(b) != "3" {
		t.Errorf("%s drawings for 41 values, want the first one, perhaps one, and the last", text(b))
	}
	if s.count("echo_update IntSliderModel") != 41 {
		t.Errorf("%d echoes, want 41", s.count("echo_update IntSliderModel"))
	}
}

// A drawing waits for the cell that runs, and the next cell for the drawing.
func TestEventsDoNotOverlap(t *testing.T) {
	n, s := openWidgets(t)
	n.run(`inside, overlaps := 0, 0
enter := func() { inside++; if inside != 1 { overlaps++ }; time.Sleep(20 * time.Millisecond); inside-- }
widgets.Interact(func(size int) { enter() })`)
	size := s.find(t, "IntSlider", "size")
	var moves sync.WaitGroup
	moves.Go(func() {
		for v := 20; v < 60; v++ {
			n.move(size, "value", v)
			time.Sleep(3 * time.Millisecond)
		}
	})
	for range 6 {
		n.run("enter()")
	}
	moves.Wait()
	if b, _ := n.run("overlaps"); text(b) != "0" {
		t.Errorf("%s overlaps", text(b))
	}
}

func TestInterruptStopsDrawing(t *testing.T) {
	n, s := openWidgets(t)
	n.run(`widgets.Interact(func(size int) any { for size > 50 {}; return size })`)
	out := s.find(t, "Output", "")
	n.move(s.find(t, "IntSlider", "size"), "value", 51)
	time.Sleep(20 * time.Millisecond)
	eventually(t, "the interrupt", func() bool { n.Interrupt(); return strings.Contains(s.shows(out), "Interrupted") })
	n.move(s.find(t, "IntSlider", "size"), "value", 50)
	eventually(t, "a drawing", func() bool { return strings.Contains(s.shows(out), `"50"`) })
	if b, _ := n.run("1 + 1"); text(b) != "2" {
		t.Errorf("the next cell gives %s", text(b))
	}
}

func TestControls(t *testing.T) {
	n, s := openWidgets(t)
	_, f := n.run(`size := &widgets.IntSlider{Min: 1, Max: 500, Value: 20, Description: "size"}
size.OnChange = func(v int) { fmt.Println("size is", v) }
which := &widgets.ToggleButtons{Options: []string{"ISSVM", "SASSO"}, Description: "method"}
word := &widgets.Text{Description: "word"}
bar := &widgets.FloatProgress{Max: 10}
clicks := 0
area := &widgets.Output{}
button := &widgets.Button{Description: "go", OnClick: func() { clicks++; which.Value = "SASSO"; fmt.Fprintln(area, "clicked", clicks) }}
note := &widgets.HTML{Value: "<i>x</i>"}
tab := &widgets.Tab{Children: []widgets.Widget{&widgets.HBox{Children: []widgets.Widget{size, which}}, word}, Titles: []string{"first"}}
display.Show(&widgets.VBox{Children: []widgets.Widget{tab, bar, button, note, area}})`)
	if len(f.shown) != 1 {
		t.Fatalf("%d displays", len(f.shown))
	}
	if got := s.get(s.find(t, "Tab", ""), "titles"); !reflect.DeepEqual(got, []any{"first", "2"}) {
		t.Errorf("the titles are %v", got)
	}
	n.move(s.find(t, "IntSlider", "size"), "value", 33)
	eventually(t, "OnChange", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.out.String() == "size is 33\n" })
	if b, _ := n.run("size.Value"); text(b) != "33" {
		t.Errorf("size.Value is %s", text(b))
	}
	n.move(s.find(t, "IntSlider", "size"), "value", 501) // out of range: put right
	eventually(t, "the correction", func() bool { return s.get(s.find(t, "IntSlider", "size"), "value") == 33.0 })
	n.move(s.find(t, "Text", "word"), "value", "<script>")
	for range 2 {
		if err := n.Widgets().Receive(s.find(t, "Button", "go"), []byte(`{"method":"custom","content":{"event":"click"}}`)); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "both clicks", func() bool { return strings.Contains(s.shows(s.find(t, "Output", "")), "clicked 2") })
	eventually(t, "the other button", func() bool { return s.get(s.find(t, "ToggleButtons", "method"), "index") == 1.0 })
	if b, _ := n.run("word.Value"); text(b) != "<script>" {
		t.Errorf("word.Value is %s", text(b))
	}
	n.run(`size.Max, size.Value = 40, 70
for i := range 5 { bar.Value = float64(i); bar.Update() }`)
	if s.get(s.find(t, "IntSlider", "size"), "value") != 40.0 || s.count("update FloatProgressModel") != 4 {
		t.Errorf("size is %v, %d moves of the bar: want 40 and 4", s.get(s.find(t, "IntSlider", "size"), "value"), s.count("update FloatProgressModel"))
	}
	states, err := json.Marshal(n.Widgets().States())
	if err != nil || !strings.Contains(string(states), `"model_name":"TabModel"`) {
		t.Errorf("%v: the states are %s", err, states)
	}
	answer, _, err := n.Widgets().Control([]byte(`{"method":"request_states"}`))
	if all, _ := json.Marshal(answer); err != nil || strings.Count(string(all), `"model_module_version":"2.0.0"`) < 10 {
		t.Errorf("%v: the answer is %s", err, all)
	}
	before := s.count("update IntSliderModel")
	if err := n.Widgets().Receive(s.find(t, "IntSlider", "size"), []byte(`{"method":"request_state"}`)); err != nil || s.count("update IntSliderModel") != before+1 {
		t.Errorf("%v: the state was asked for and not sent", err)
	}
	n.run("size.Close()")
	if s.closed != 3 {
		t.Errorf("%d models closed, want the slider with its layout and style", s.closed)
	}
	n.run("%reset")
	if n.Widgets().States() != nil {
		t.Error("widgets are left after %reset")
	}
}

func TestWidgetErrors(t *testing.T) {
	n, _ := openWidgets(t)
	checked := 0
	for cell, want := range map[string]string{
		`&widgets.IntSlider{Min: 5, Max: 3}`:                              "IntSlider.Max = 3: want ≥ Min",
		`&widgets.FloatLogSlider{Min: -1}`:                                "FloatLogSlider.Min = -1: want > 0 (0: default 0.001)",
		`&widgets.Dropdown{Options: []string{"a"}, Value: "b"}`:           `Dropdown.Value = "b": want one of Options, ["a"]`,
		`widgets.Interact(3)`:                                             "Interact: want a function such as func(budget int, gamma float64) any, not int",
		`widgets.Interact(func(x []int) {})`:                              "Interact: x: there is no control for a []int: want a whole number, a float, a bool or a string",
		`widgets.Interact(func(x bool) {}, widgets.Range(1, 2))`:          "does not suit a bool",
		`widgets.Interact(func(x int) {}, &widgets.Text{})`:               "Interact: x: a Text does not give a int",
		`widgets.Interact(func(x int) {}, 1, 2)`:                          "Interact: 2 controls for 1 parameters",
		`&widgets.HBox{Children: []widgets.Widget{nil}}`:                  "HBox.Children[0] is nil: want a widget",
		`s := &widgets.IntSlider{}; display.Show(s); s.Min, s.Max = 9, 1`: "IntSlider.Max = 1: want ≥ Min",
	} {
		outcome, _ := n.try(cell)
		if outcome.Failure == nil || !strings.Contains(outcome.Failure.Message, want) {
			t.Errorf("%s: %+v, want %s", cell, outcome, want)
		}
		checked++
		n.run("%reset")
	}
	if checked == 0 {
		t.Fatal("nothing checked")
	}
}

// The names of the controls are those of the parameters, however the function is handed over.
func TestParameterNames(t *testing.T) {
	n, s := openWidgets(t)
	n.run("func declared(first int) any { return first }")
	n.run("second := func(second int) int { return second }\nkept := struct{ F func(third int) int }{func(int) int { return 0 }}")
	n.run(`widgets.Interact(declared)
x := widgets.Interact(second,
	widgets.Range(1,
		10)); _ = x
func() {
	fourth := func(fourth float64) {}
	widgets.Interact(fourth)
	widgets.Interact(kept.F)
}()
widgets.Interact(func(_ int, fifth bool) {})`)
	for class, names := range map[string][]string{"IntSlider": {"first", "second", "third", "parameter 1"}, "FloatLogSlider": {"fourth"}, "Checkbox": {"fifth"}} {
		for _, name := range names {
			s.find(t, class, name)
		}
	}
}

var _ display.Output = (*front)(nil)

// BenchmarkInteract is the time from a slider's message to the new plot's: a tradeoff plot of 60 points.
func BenchmarkInteract(b *testing.B) {
	session, err := bindings.NewSession(bindings.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	s := &screen{}
	session.Widgets().Connect(s)
	outcome := session.Execute(b.Context(), display.Cell{Count: 1, Source: `path := &svm.Path{Solver: "ISSVM"}
for i := range 60 { path.Points = append(path.Points, solvers.PathPoint{SupportSize: 2 + 5*i, TestError: 0.3 / float64(1+i), TestStd: 0.01}) }
widgets.Interact(func(size int) any {
	fmt.Println("size", size)
	part := *path
	part.Points = path.Points[:max(2, size/2)]
	return svm.PlotTradeoff(&part)
})`}, &front{})
	if outcome.Failure != nil {
		b.Fatal(outcome.Failure)
	}
	var size, out string
	for id, m := range s.models {
		switch m["_model_name"] {
		case "IntSliderModel":
			size = id
		case "OutputModel":
			out = id
		}
	}
	at := 0
	for b.Loop() {
		at++
		value := 10 + at%80
		if err := session.Widgets().Receive(size, fmt.Appendf(nil, `{"method":"update","state":{"value":%d}}`, value)); err != nil {
			b.Fatal(err)
		}
		for want := fmt.Sprintf(`"text":"size %d\n"`, value); !strings.Contains(s.shows(out), strings.ReplaceAll(want, "\n", `\n`)); {
			time.Sleep(100 * time.Microsecond)
		}
	}
}
