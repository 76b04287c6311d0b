package engine

// Carriers of one method each; a wrapper embeds those that the value's type has.
type (
	withHTML     struct{ html func() string }
	withMarkdown struct{ markdown func() string }
	withSVG      struct{ svg func() string }
	withPNG      struct{ png func() []byte }
	withBundle   struct{ bundle func() map[string]any }
	withLaTeX    struct{ latex func() string }
)

func (w withHTML) HTML() string                 { return w.html() }
func (w withMarkdown) Markdown() string         { return w.markdown() }
func (w withSVG) SVG() string                   { return w.svg() }
func (w withPNG) PNG() []byte                   { return w.png() }
func (w withLaTeX) LaTeX() string               { return w.latex() }
func (w withBundle) MimeBundle() map[string]any { return w.bundle() }

// shown is an interpreted value with the text that fmt prints for it.
type shown struct {
	Value any
	text  string
}

func (s shown) String() string { return s.text }

// failing is an interpreted value that is an error.
type failing struct {
	shown
	message func() string
}

func (f failing) Error() string { return f.message() }

// formats are the methods that give one format each, as MimeBundle names them.
var formats = map[string]string{
	"HTML": "text/html", "Markdown": "text/markdown", "LaTeX": "text/latex", "SVG": "image/svg+xml", "PNG": "image/png",
}

// wrap gives an interpreted value the methods by which compiled code shows it. One with several
// formats gets a MimeBundle method that has them all.
func wrap(v any, text string, methods map[string]any) any {
	s := shown{v, text}
	var has []string
	for name := range formats {
		if methods[name] != nil {
			has = append(has, name)
		}
	}
	if all, ok := methods["MimeBundle"].(func() map[string]any); ok {
		return struct {
			shown
			withBundle
		}{s, withBundle{all}}
	}
	switch message, isError := methods["Error"].(func() string); {
	case len(has) > 1:
		return struct {
			shown
			withBundle
		}{s, withBundle{func() map[string]any { return bundle(has, methods) }}}
	case len(has) == 1:
		return wrapOne(s, methods[has[0]], has[0])
	case isError:
		return failing{s, message}
	case methods["String"] != nil:
		return s
	}
	return v
}

// bundle calls the methods that give formats.
func bundle(names []string, methods map[string]any) map[string]any {
	out := map[string]any{}
	for _, name := range names {
		switch f := methods[name].(type) {
		case func() string:
			out[formats[name]] = f()
		case func() []byte:
			out[formats[name]] = f()
		}
	}
	return out
}

// wrapOne is a value with one method that gives a format.
func wrapOne(s shown, method any, name string) any {
	text, _ := method.(func() string)
	switch name {
	case "HTML":
		return struct {
			shown
			withHTML
		}{s, withHTML{text}}
	case "Markdown":
		return struct {
			shown
			withMarkdown
		}{s, withMarkdown{text}}
	case "LaTeX":
		return struct {
			shown
			withLaTeX
		}{s, withLaTeX{text}}
	case "SVG":
		return struct {
			shown
			withSVG
		}{s, withSVG{text}}
	}
	png, _ := method.(func() []byte)
	return struct {
		shown
		withPNG
	}{s, withPNG{png}}
}
