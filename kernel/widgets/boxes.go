package widgets

import (
	"encoding/json"
	"fmt"
)

// HBox shows widgets beside each other.
type HBox struct {
	Children []Widget
	Layout   Layout // size

	model
}

func (w *HBox) class() class                      { return class{model: "HBox"} }
func (w *HBox) state(n *Notebook) map[string]any  { return boxState(n, "HBox", w.Children) }
func (w *HBox) take(string, json.RawMessage) bool { return false }
func (w *HBox) changed()                          {}

// VBox shows widgets below each other.
type VBox struct {
	Children []Widget
	Layout   Layout // size

	model
}

func (w *VBox) class() class                      { return class{model: "VBox"} }
func (w *VBox) state(n *Notebook) map[string]any  { return boxState(n, "VBox", w.Children) }
func (w *VBox) take(string, json.RawMessage) bool { return false }
func (w *VBox) changed()                          {}

// Tab shows one of its widgets, and a tab for each.
type Tab struct {
	Children []Widget
	Titles   []string           // of the tabs; those that are missing are numbers
	Selected int                // the child that is shown, from 0
	Layout   Layout             // size
	OnChange func(selected int) // called when the user has chosen another tab

	model
}

func (w *Tab) class() class { return class{model: "Tab"} }

func (w *Tab) state(n *Notebook) map[string]any {
	s := boxState(n, "Tab", w.Children)
	titles := make([]string, len(w.Children))
	for i := range titles {
		titles[i] = fmt.Sprint(i + 1)
		if i < len(w.Titles) {
			titles[i] = w.Titles[i]
		}
	}
	s["titles"], s["selected_index"] = titles, any(nil)
	if w.Selected >= 0 && w.Selected < len(w.Children) {
		s["selected_index"] = w.Selected
	}
	return s
}

func (w *Tab) take(name string, value json.RawMessage) bool {
	return name == "selected_index" && read(&w.Selected, value)
}

func (w *Tab) changed() { call(w.OnChange, w.Selected) }

// boxState is what the boxes have in common. The children are opened before their box.
func boxState(n *Notebook, name string, children []Widget) map[string]any {
	references := make([]string, 0, len(children))
	for i, child := range children {
		if isNil(child) {
			panic(fmt.Errorf("%s.Children[%d] is nil: want a widget", name, i))
		}
		n.open(child)
		references = append(references, reference(child.live().id))
	}
	return map[string]any{"children": references, "box_style": ""}
}
