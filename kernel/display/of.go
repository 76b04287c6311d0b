package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"strings"
)

// The interfaces by which a type says how it wants to be shown. They are structural: a type
// has only to have the method, also a type declared in a cell.
type (
	// MimeBundler gives all its formats at once: MIME type to value, as Bundle.Data.
	MimeBundler interface{ MimeBundle() map[string]any }
	// HTMLer gives a fragment of HTML.
	HTMLer interface{ HTML() string }
	// Markdowner gives Markdown text.
	Markdowner interface{ Markdown() string }
	// LaTeXer gives LaTeX, with its $ signs.
	LaTeXer interface{ LaTeX() string }
	// SVGer gives an SVG document.
	SVGer interface{ SVG() string }
	// PNGer gives a PNG image.
	PNGer interface{ PNG() []byte }
)

// maxText is the most text/plain that a bundle of Of has, in bytes.
const maxText = 64 << 10

// Of is how a value is shown: text/plain always, and the formats that the value offers by
// MimeBundle, HTML, Markdown, LaTeX, SVG or PNG methods, or that suit its type: a table for
// a matrix, a slice of rows or structs, or a map, and a picture for an image.Image. text is
// the value as fmt.Sprint prints it where the value lives, "" to have it printed here. A
// method that panics is left out, and its panic is named in the text.
func Of(v any, text string) Bundle {
	if b, ok := v.(Bundle); ok {
		return b
	}
	data := map[string]any{}
	offered(v, data)
	if len(data) == 0 || onlyText(data) {
		suited(v, data)
	}
	if _, ok := data["text/plain"]; !ok {
		if text == "" {
			text = sprint(v)
		}
		data["text/plain"] = cut(text, maxText)
	}
	return Bundle{Data: data}
}

func onlyText(data map[string]any) bool {
	_, ok := data["text/plain"]
	return ok && len(data) == 1
}

// offered adds what the value's own methods give.
func offered(v any, data map[string]any) {
	add := func(mime string, value func() any) {
		defer func() {
			if r := recover(); r != nil {
				data["text/plain"] = fmt.Sprintf("%T: making %s panicked: %v", v, mime, r)
			}
		}()
		data[mime] = value()
	}
	if isNil(v) {
		return
	}
	if m, ok := v.(MimeBundler); ok {
		defer func() {
			if r := recover(); r != nil {
				data["text/plain"] = fmt.Sprintf("%T: MimeBundle panicked: %v", v, r)
			}
		}()
		for mime, value := range m.MimeBundle() {
			data[mime] = value
		}
		return
	}
	if m, ok := v.(HTMLer); ok {
		add("text/html", func() any { return m.HTML() })
	}
	if m, ok := v.(Markdowner); ok {
		add("text/markdown", func() any { return m.Markdown() })
	}
	if m, ok := v.(LaTeXer); ok {
		add("text/latex", func() any { return m.LaTeX() })
	}
	if m, ok := v.(SVGer); ok {
		add("image/svg+xml", func() any { return m.SVG() })
	}
	if m, ok := v.(PNGer); ok {
		add("image/png", func() any { return m.PNG() })
	}
}

// suited adds what suits values that say nothing of themselves.
func suited(v any, data map[string]any) {
	switch v := v.(type) {
	case image.Image:
		if isNil(v) {
			return
		}
		var b bytes.Buffer
		if err := png.Encode(&b, reduced(v)); err == nil {
			data["image/png"] = b.Bytes()
			size := v.Bounds().Size()
			data["text/plain"] = fmt.Sprintf("%T of %d×%d pixels", v, size.X, size.Y)
		}
	case error, fmt.Stringer, json.Marshaler, nil:
	default:
		if t, ok := tableOf(v); ok {
			data["text/html"] = t.HTML()
			if _, isMatrix := v.(matrix); isMatrix || t.allRows > maxRows {
				if data["text/plain"] = t.Text(); t.allRows == 0 {
					data["text/plain"] = fmt.Sprintf("%T without rows", v)
				}
			}
		} else if text, ok := ends(v); ok {
			data["text/plain"] = text
		}
	}
}

// maxSide is the most pixels that a shown image has each way.
const maxSide = 2048

// reduced is an image, or every n-th pixel of one that is too large.
func reduced(m image.Image) image.Image {
	size := m.Bounds().Size()
	n := (max(size.X, size.Y) + maxSide - 1) / maxSide
	if n <= 1 {
		return m
	}
	small := image.NewNRGBA(image.Rect(0, 0, size.X/n, size.Y/n))
	for y := range size.Y / n {
		for x := range size.X / n {
			small.Set(x, y, m.At(m.Bounds().Min.X+n*x, m.Bounds().Min.Y+n*y))
		}
	}
	return small
}

// maxElements is the number of elements above which only the ends of a slice are printed.
const maxElements = 1000

// ends is the beginning and the end of a long slice as text.
func ends(v any) (string, bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice || r.Len() <= maxElements || r.Type().NumMethod() > 0 {
		return "", false
	}
	const first, last = 20, 5
	head := strings.TrimSuffix(cut(sprint(r.Slice(0, first).Interface()), maxText), "]")
	tail := strings.TrimPrefix(cut(sprint(r.Slice(r.Len()-last, r.Len()).Interface()), maxText), "[")
	return fmt.Sprintf("%s … %s (%d elements)", head, tail, r.Len()), true
}

func isNil(v any) bool {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Interface, reflect.Chan:
		return r.IsNil()
	}
	return false
}

// sprint prints a value that may have a String method that panics.
func sprint(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T: printing it panicked: %v", v, r)
		}
	}()
	if err, ok := v.(error); ok && !isNil(v) {
		return err.Error()
	}
	left := maxPrinted
	switch v.(type) {
	case fmt.Stringer, fmt.Formatter: // prints itself
		return fmt.Sprint(v)
	}
	if !printable(reflect.ValueOf(v), 0, &left) {
		return fmt.Sprintf("%T, too large or too deep to print", v)
	}
	return fmt.Sprint(v)
}

// The most that fmt is given to print: it would follow a map that holds itself without end, which
// no recover can stop.
const (
	maxPrinted = 1 << 20 // elements
	maxDepth   = 100
)

// printable says whether a value is neither too deep nor too large; left is the number of elements
// that may still come.
func printable(v reflect.Value, depth int, left *int) bool {
	if *left--; depth > maxDepth || *left < 0 {
		return false
	}
	switch v.Kind() {
	case reflect.Interface:
		return printable(v.Elem(), depth+1, left)
	case reflect.Pointer:
		return depth > 0 || printable(v.Elem(), depth+1, left) // of others fmt prints the address
	case reflect.Struct:
		for i := range v.NumField() {
			if !printable(v.Field(i), depth+1, left) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k <= reflect.Complex128 || k == reflect.String {
			*left -= v.Len()
			return *left >= 0
		}
		for i := range v.Len() {
			if !printable(v.Index(i), depth+1, left) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !printable(it.Key(), depth+1, left) || !printable(it.Value(), depth+1, left) {
				return false
			}
		}
	}
	return true
}

// cut shortens text to at most n bytes at a character's boundary, saying by how much.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head := strings.ToValidUTF8(text[:n], "")
	return fmt.Sprintf("%s… (%d bytes more)", head, len(text)-len(head))
}
