package widgets

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Dropdown chooses one of a list of texts.
type Dropdown struct {
	Options     []string           // to choose from
	Value       string             // the chosen one; default "": the first
	Description string             // at its left
	Disabled    bool               // cannot be changed
	Layout      Layout             // size
	OnChange    func(value string) // called when the user has chosen

	model
}

func (w *Dropdown) class() class { return class{model: "Dropdown", style: "DescriptionStyle"} }

func (w *Dropdown) state(*Notebook) map[string]any {
	return map[string]any{"_options_labels": labels(w.Options), "index": chosen("Dropdown", w.Options, &w.Value),
		"description": w.Description, "description_allow_html": false, "disabled": w.Disabled}
}

func (w *Dropdown) take(name string, value json.RawMessage) bool {
	return choose(w.Options, &w.Value, name, value)
}

func (w *Dropdown) changed() { call(w.OnChange, w.Value) }

// ToggleButtons chooses one of a few texts, each with a button.
type ToggleButtons struct {
	Options     []string           // to choose from
	Tooltips    []string           // of the buttons; default nil: none
	Value       string             // the chosen one; default "": the first
	Description string             // at their left
	Style       string             // "", "success", "info", "warning" or "danger"
	Disabled    bool               // cannot be changed
	Layout      Layout             // size
	OnChange    func(value string) // called when the user has chosen

	model
}

func (w *ToggleButtons) class() class {
	return class{model: "ToggleButtons", style: "ToggleButtonsStyle"}
}

func (w *ToggleButtons) state(*Notebook) map[string]any {
	return map[string]any{"_options_labels": labels(w.Options), "index": chosen("ToggleButtons", w.Options, &w.Value),
		"tooltips": labels(w.Tooltips), "icons": []string{}, "button_style": w.Style,
		"description": w.Description, "description_allow_html": false, "disabled": w.Disabled}
}

func (w *ToggleButtons) take(name string, value json.RawMessage) bool {
	return choose(w.Options, &w.Value, name, value)
}

func (w *ToggleButtons) changed() { call(w.OnChange, w.Value) }

// labels is a copy that is never nil, which JSON would write as null.
func labels(texts []string) []string { return append([]string{}, texts...) }

// chosen is the number of the value among the options, nil without options.
func chosen(widget string, options []string, value *string) any {
	if len(options) == 0 {
		*value = ""
		return nil
	}
	at := slices.Index(options, *value)
	switch {
	case at >= 0:
		return at
	case *value == "":
		*value = options[0]
		return 0
	}
	panic(fault(widget, "Value", fmt.Sprintf("%q", *value), fmt.Sprintf("one of Options, %q", options)))
}

// choose takes the number of an option over.
func choose(options []string, to *string, name string, value json.RawMessage) bool {
	var at int
	if name != "index" || !read(&at, value) || at < 0 || at >= len(options) {
		return false
	}
	*to = options[at]
	return true
}

// Checkbox is yes or no.
type Checkbox struct {
	Value       bool             // as it stands
	Description string           // at its right
	Disabled    bool             // cannot be changed
	Layout      Layout           // size
	OnChange    func(value bool) // called when the user has changed it

	model
}

func (w *Checkbox) class() class { return class{model: "Checkbox", style: "CheckboxStyle"} }

func (w *Checkbox) state(*Notebook) map[string]any {
	return map[string]any{"value": w.Value, "indent": true, "description": w.Description, "description_allow_html": false, "disabled": w.Disabled}
}

func (w *Checkbox) take(name string, value json.RawMessage) bool {
	return name == "value" && read(&w.Value, value)
}

func (w *Checkbox) changed() { call(w.OnChange, w.Value) }

// Text is a line of text to write in.
type Text struct {
	Value       string             // what stands in it
	Placeholder string             // stands in it, grey, as long as it is empty
	Description string             // at its left
	Disabled    bool               // cannot be changed
	Settled     bool               // tells only what is written when Enter is pressed, not each letter
	Layout      Layout             // size
	OnChange    func(value string) // called when the user has written

	model
}

func (w *Text) class() class { return class{model: "Text", style: "TextStyle"} }

func (w *Text) state(*Notebook) map[string]any {
	return map[string]any{"value": w.Value, "placeholder": w.Placeholder, "continuous_update": !w.Settled,
		"description": w.Description, "description_allow_html": false, "disabled": w.Disabled}
}

func (w *Text) take(name string, value json.RawMessage) bool {
	return name == "value" && read(&w.Value, value)
}

func (w *Text) changed() { call(w.OnChange, w.Value) }

// Button calls a function.
type Button struct {
	Description string // on it
	Tooltip     string // beside the pointer
	Style       string // "", "primary", "success", "info", "warning" or "danger"
	Icon        string // a name of Font Awesome, such as "play"
	Disabled    bool   // cannot be clicked
	Layout      Layout // size
	OnClick     func() // called for each click

	model
}

func (w *Button) class() class { return class{model: "Button", style: "ButtonStyle"} }

func (w *Button) state(*Notebook) map[string]any {
	s := map[string]any{"description": w.Description, "button_style": w.Style, "icon": w.Icon, "disabled": w.Disabled}
	if w.Tooltip != "" {
		s["tooltip"] = w.Tooltip
	}
	return s
}

func (w *Button) take(string, json.RawMessage) bool { return false }

func (w *Button) changed() {
	if w.OnClick != nil {
		w.OnClick()
	}
}

// HTML shows a fragment of HTML.
type HTML struct {
	Value       string // the HTML; html.EscapeString what is not yours
	Description string // at its left
	Layout      Layout // size

	model
}

func (w *HTML) class() class { return class{model: "HTML", style: "HTMLStyle"} }

func (w *HTML) state(*Notebook) map[string]any {
	return map[string]any{"value": w.Value, "placeholder": "", "description": w.Description, "description_allow_html": false}
}

func (w *HTML) take(string, json.RawMessage) bool { return false }
func (w *HTML) changed()                          {}
