package widgets

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// stillText is the length at which what the areas of a widget have printed is cut in its text.
const stillText = 2000 // bytes

// Still adds to the bundle of a widget, made by Show, what the widget's areas show now, so that
// also those see it who have no widgets: a terminal, a page without scripts, a viewer of files. It
// is for the end of the cell, when an Interaction has drawn. It gives what the function of the last
// Interaction returned.
func (n *Notebook) Still(b *display.Bundle) (drawn any) {
	view, _ := b.Data["application/vnd.jupyter.widget-view+json"].(map[string]any)
	id, _ := view["model_id"].(string)
	n.mu.Lock()
	e := n.entries[id]
	n.mu.Unlock()
	if e == nil || e.widget == nil {
		return nil
	}
	text := describe(e.widget, n)
	all, drawn := areas(e.widget)
	for _, area := range all {
		for _, o := range area.area.list() {
			if printed, ok := o["text"].(string); ok && o["output_type"] == "stream" {
				text += "\n" + strings.TrimRight(printed, "\n")
			}
			if o["output_type"] == "error" {
				text += fmt.Sprintf("\n%v: %v", o["ename"], o["evalue"])
			}
			data, _ := o["data"].(map[string]any)
			for mime, value := range data {
				switch {
				case mime == "text/plain":
					text += "\n" + strings.TrimRight(value.(string), "\n")
				case !strings.HasPrefix(mime, "application/"):
					b.Data[mime] = value
				}
			}
		}
	}
	if len(text) > stillText {
		text = strings.ToValidUTF8(text[:stillText], "") + "…"
	}
	b.Data["text/plain"] = text
	return drawn
}

// areas are the Outputs in a widget, and what the last Interaction in it has drawn.
func areas(w Widget) (all []*Output, drawn any) {
	switch w := w.(type) {
	case *Output:
		return []*Output{w}, nil
	case *Interaction:
		return []*Output{w.Output}, w.Value
	}
	if f := reflect.ValueOf(w).Elem().FieldByName("Children"); f.IsValid() {
		for _, child := range f.Interface().([]Widget) {
			inside, value := areas(child)
			if all = append(all, inside...); value != nil {
				drawn = value
			}
		}
	}
	return all, drawn
}
