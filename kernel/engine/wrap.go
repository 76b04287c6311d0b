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

// wrap gives an interpreted value the methods by which compiled code shows it.
func wrap(v any, text string, methods map[string]any) any {
	if len(methods) == 0 {
		return v
	}
	s := shown{v, text}
	bundle := map[string]func() any{}
	for name, mime := range map[string]string{
		"HTML": "text/html", "Markdown": "text/markdown", "LaTeX": "text/latex", "SVG": "image/svg+xml",
	} {
		if f, ok := methods[name].(func() string); ok {
			bundle[mime] = func() any { return f() }
		}
	}
	html, isHTML := methods["HTML"].(func() string)
	svg, isSVG := methods["SVG"].(func() string)
	png, isPNG := methods["PNG"].(func() []byte)
	all, isBundle := methods["MimeBundle"].(func() map[string]any)
	markdown, isMarkdown := methods["Markdown"].(func() string)
	latex, isLaTeX := methods["LaTeX"].(func() string)
	message, isError := methods["Error"].(func() string)
	if isPNG {
		bundle["image/png"] = func() any { return png() }
	}
	switch {
	case isBundle:
		return struct {
			shown
			withBundle
		}{s, withBundle{all}}
	case len(bundle) > 1:
		return struct {
			shown
			withBundle
		}{s, withBundle{func() map[string]any {
			out := map[string]any{}
			for mime, f := range bundle {
				out[mime] = f()
			}
			return out
		}}}
	case isHTML:
		return struct {
			shown
			withHTML
		}{s, withHTML{html}}
	case isSVG:
		return struct {
			shown
			withSVG
		}{s, withSVG{svg}}
	case isPNG:
		return struct {
			shown
			withPNG
		}{s, withPNG{png}}
	case isMarkdown:
		return struct {
			shown
			withMarkdown
		}{s, withMarkdown{markdown}}
	case isLaTeX:
		return struct {
			shown
			withLaTeX
		}{s, withLaTeX{latex}}
	case isError:
		return failing{s, message}
	}
	return s
}
