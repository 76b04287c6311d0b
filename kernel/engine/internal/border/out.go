package border

import (
	"fmt"
	"strings"
)

// Out gives an interface value of a cell as compiled code sees it. A value of an interpreted type
// with methods that front ends look for arrives in a wrapper that has them; others arrive without
// a box.
func (rt *Runtime) Out(x any) any {
	if x == nil || rt.number(x) < 0 {
		return x
	}
	s := shown{rt, x}
	_, isError := rt.method(x, "Error")
	_, isStringer := rt.method(x, "String")
	r := rich{rt, x}
	var methods []string
	for _, m := range []string{"MimeBundle", "HTML", "SVG", "PNG", "Markdown", "LaTeX"} {
		if _, ok := rt.method(x, m); ok {
			methods = append(methods, m)
		}
	}
	if len(methods) == 0 {
		switch {
		case isError:
			return shownError{s}
		case isStringer:
			return shownString{s}
		}
		return raw(x)
	}
	kind := methods[0]
	if len(methods) > 1 {
		kind = "MimeBundle"
	}
	switch {
	case isError:
		return richError(s, r, kind)
	case isStringer:
		return richString(s, r, kind)
	}
	return richPlain(s, r, kind)
}

func richError(s shown, r rich, kind string) any {
	e := shownError{s}
	switch kind {
	case "HTML":
		return struct {
			shownError
			html
		}{e, html{r}}
	case "SVG":
		return struct {
			shownError
			svg
		}{e, svg{r}}
	case "PNG":
		return struct {
			shownError
			png
		}{e, png{r}}
	}
	return struct {
		shownError
		bundle
	}{e, bundle{r}}
}

func richString(s shown, r rich, kind string) any {
	t := shownString{s}
	switch kind {
	case "HTML":
		return struct {
			shownString
			html
		}{t, html{r}}
	case "SVG":
		return struct {
			shownString
			svg
		}{t, svg{r}}
	case "PNG":
		return struct {
			shownString
			png
		}{t, png{r}}
	}
	return struct {
		shownString
		bundle
	}{t, bundle{r}}
}

func richPlain(s shown, r rich, kind string) any {
	switch kind {
	case "HTML":
		return struct {
			shown
			html
		}{s, html{r}}
	case "SVG":
		return struct {
			shown
			svg
		}{s, svg{r}}
	case "PNG":
		return struct {
			shown
			png
		}{s, png{r}}
	}
	return struct {
		shown
		bundle
	}{s, bundle{r}}
}

// rich calls the methods by which a value shows itself.
type rich struct {
	runtime *Runtime
	value   any
}

func (r rich) call(name string) any {
	out, ok := r.runtime.invoke(r.value, name)
	if !ok || len(out) == 0 {
		return nil
	}
	return out[0]
}

func (r rich) string(name string) string {
	s, _ := r.call(name).(string)
	return s
}

func (r rich) bytes(name string) []byte {
	b, _ := r.call(name).([]byte)
	return b
}

type html struct{ r rich }

func (h html) HTML() string { return h.r.string("HTML") }

type svg struct{ r rich }

func (s svg) SVG() string { return s.r.string("SVG") }

type png struct{ r rich }

func (p png) PNG() []byte { return p.r.bytes("PNG") }

// bundle gives all formats of a value at once.
type bundle struct{ r rich }

func (b bundle) MimeBundle() map[string]any {
	if m, ok := b.r.call("MimeBundle").(map[string]any); ok {
		return m
	}
	m := map[string]any{}
	for name, mime := range map[string]string{"HTML": "text/html", "SVG": "image/svg+xml", "Markdown": "text/markdown", "LaTeX": "text/latex"} {
		if s := b.r.string(name); s != "" {
			m[mime] = s
		}
	}
	if p := b.r.bytes("PNG"); p != nil {
		m["image/png"] = p
	}
	return m
}

// PanicText is what the Go run-time system prints after "panic: ".
func (rt *Runtime) PanicText(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case error:
		return x.Error()
	case string:
		return x
	}
	if r, ok := rt.invoke(v, "Error"); ok {
		return fmt.Sprint(r[0])
	}
	if r, ok := rt.invoke(v, "String"); ok && rt.number(v) >= 0 {
		return fmt.Sprint(r[0])
	}
	n := rt.Types.dynamicName(v)
	if s, ok := raw(v).(string); ok {
		return fmt.Sprintf("%s(%q)", n, s)
	}
	if rt.number(v) >= 0 || strings.Contains(n, ".") {
		return fmt.Sprintf("%s(%s)", n, strings.TrimSpace(rt.Sprintf("%v", v)))
	}
	return fmt.Sprintf("%s(%v)", n, v)
}

// TypeName names the Go type of an interface value, "" for nil.
func (rt *Runtime) TypeName(x any) string {
	if x == nil {
		return ""
	}
	return rt.Types.dynamicName(x)
}
