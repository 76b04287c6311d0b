package widgets

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/google/uuid"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Widget is a control or a box of controls: a pointer to one of the structs of this package.
type Widget interface {
	// live is the widget's link to the front ends.
	live() *model
	// class says which models of the front end show it.
	class() class
	// state is what the front end is to know, beside what all widgets have.
	state(n *Notebook) map[string]any
	// take sets a field to what the front end has. It reports whether there is such a field and
	// the value fits; other values are put right by sending the state.
	take(name string, value json.RawMessage) bool
	// changed is called when the front end has changed a field.
	changed()
}

// class names the JavaScript classes of a widget, without their ending Model or View.
type class struct {
	model, view, style string // view "": as model; style "": none
	module             string // "": controls
	dom                string // CSS class
}

// The modules of ipywidgets 8 and their versions.
const (
	baseModule     = "@jupyter-widgets/base"
	controlsModule = "@jupyter-widgets/controls"
	outputModule   = "@jupyter-widgets/output"
	modelVersion   = "2.0.0"
	outputVersion  = "1.0.0"
)

// model is a widget as the front ends know it. The fields belong to the Notebook's lock.
type model struct {
	notebook *Notebook
	id       string
	layout   string // id of its layout
	style    string // id of its style; "" for none
	news     map[string]json.RawMessage
	clicks   int
	watchers []*Interaction // to redraw when the widget changes
	out      display.Output // where its functions print
}

func (m *model) live() *model { return m }

// Layout is the size and place of a widget, in CSS: "300px", "50%", "auto". "" is the front end's
// choice.
type Layout struct {
	Width, Height, Margin, Display, Overflow string
}

func (l Layout) state() map[string]any {
	s := maps.Clone(layoutState)
	for name, value := range map[string]string{"width": l.Width, "height": l.Height, "margin": l.Margin, "display": l.Display, "overflow": l.Overflow} {
		if value != "" {
			s[name] = value
		}
	}
	return s
}

// layoutState is a layout that says nothing.
var layoutState = func() map[string]any {
	s := stateOf(baseModule, modelVersion, "Layout", baseModule, modelVersion, "Layout")
	for _, name := range strings.Fields(`align_content align_items align_self border_bottom border_left border_right border_top
		bottom display flex flex_flow grid_area grid_auto_columns grid_auto_flow grid_auto_rows grid_column grid_gap grid_row
		grid_template_areas grid_template_columns grid_template_rows height justify_content justify_items left margin max_height
		max_width min_height min_width object_fit object_position order overflow padding right top visibility width`) {
		s[name] = nil
	}
	return s
}()

// styleStates are the styles of the controls with their defaults.
var styleStates = map[string]map[string]any{
	"SliderStyle":        {"description_width": "", "handle_color": nil},
	"DescriptionStyle":   {"description_width": ""},
	"ToggleButtonsStyle": {"button_width": "", "description_width": "", "font_weight": ""},
	"CheckboxStyle":      {"background": nil, "description_width": ""},
	"TextStyle":          {"background": nil, "description_width": "", "font_size": nil, "text_color": nil},
	"HTMLStyle":          {"background": nil, "description_width": "", "font_size": nil, "text_color": nil},
	"ProgressStyle":      {"bar_color": nil, "description_width": ""},
	"ButtonStyle": {"button_color": nil, "font_family": nil, "font_size": nil, "font_style": nil, "font_variant": nil,
		"font_weight": nil, "text_color": nil, "text_decoration": nil},
}

func styleState(name string) map[string]any {
	s := stateOf(controlsModule, modelVersion, name, baseModule, modelVersion, "Style")
	maps.Copy(s, styleStates[name])
	return s
}

// stateOf names the classes of a model.
func stateOf(module, version, model, viewModule, viewVersion, view string) map[string]any {
	return map[string]any{
		"_model_module": module, "_model_module_version": version, "_model_name": model + "Model",
		"_view_module": viewModule, "_view_module_version": viewVersion, "_view_name": view + "View", "_view_count": nil,
	}
}

// fullState is all that the front end is to know of a widget, whose model has its ids.
func (n *Notebook) fullState(w Widget) map[string]any {
	c, m := w.class(), w.live()
	module, version := controlsModule, modelVersion
	if c.module == outputModule {
		module, version = outputModule, outputVersion
	}
	view := c.view
	if view == "" {
		view = c.model
	}
	s := stateOf(module, version, c.model, module, version, view)
	maps.Copy(s, map[string]any{"_dom_classes": []string{}, "layout": reference(m.layout), "tabbable": nil, "tooltip": nil})
	if c.dom != "" {
		s["_dom_classes"] = []string{c.dom}
	}
	if m.style != "" {
		s["style"] = reference(m.style)
	}
	maps.Copy(s, w.state(n))
	return s
}

// reference is how the state of a model names another.
func reference(id string) string { return "IPY_MODEL_" + id }

func newID() string { return strings.ReplaceAll(uuid.NewString(), "-", "") }

// differences are the entries of now that before has not.
func differences(before, now map[string]any) map[string]any {
	d := map[string]any{}
	for name, value := range now {
		if old, ok := before[name]; !ok || !equal(old, value) {
			d[name] = value
		}
	}
	return d
}

// equal says whether two values are the same to a front end, for which there are only floats.
func equal(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	number := reflect.TypeFor[float64]()
	return x.IsValid() && y.IsValid() && (x.CanInt() || x.CanFloat()) && (y.CanInt() || y.CanFloat()) &&
		x.Convert(number).Float() == y.Convert(number).Float()
}

// read is the value of JSON, if it has the type.
func read[T any](to *T, value json.RawMessage) bool {
	var v *T
	if err := json.Unmarshal(value, &v); err != nil || v == nil {
		return false
	}
	*to = *v
	return true
}

// fault is the panic for a widget that cannot be: "IntSlider.Max = 3: want ≥ Min = 5".
func fault(widget, field string, value any, want string) error {
	return fmt.Errorf("%s.%s = %v: want %s", widget, field, value, want)
}
