package notebooks

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mathML writes a TeX formula as MathML, which browsers show without a script. It knows what
// formulas of notebooks commonly have: scripts, fractions, roots, sums, accents, Greek letters, norms.
// ok is false for all else, for which the source is shown.
func mathML(tex string, display bool) (markup string, ok bool) {
	if !utf8.ValidString(tex) || strings.ContainsFunc(tex, func(r rune) bool { return !unicode.IsGraphic(r) && r != '\n' && r != '\t' }) {
		return "", false
	}
	p := texParser{rest: tex, display: display}
	row, ok := p.row("")
	if !ok || p.rest != "" {
		return "", false
	}
	style := ""
	if display {
		style = ` display="block"`
	}
	return `<math` + style + ` alttext="` + html.EscapeString(tex) + `">` + row + "</math>", true
}

// texParser reads a formula from the left.
type texParser struct {
	rest    string
	display bool // limits of sums stand above and below
	depth   int  // of groups in groups
}

// Symbols, each after the name of its command: letters, signs, what takes limits, spaces, accents.
const (
	texLetters = `alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
		pi π rho ρ sigma σ tau τ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ
		Psi Ψ Omega Ω ell ℓ infty ∞ partial ∂ nabla ∇ exp exp log log ln ln sin sin cos cos tan tan tanh tanh det det dim dim`
	texSigns = `le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ sim ∼ in ∈ subset ⊂ times × cdot ⋅ pm ± to → rightarrow → leftarrow ←
		Rightarrow ⇒ mapsto ↦ top ⊤ dots … ldots … cdots ⋯ forall ∀ mid | lVert ‖ rVert ‖ | ‖ lvert | rvert | langle ⟨ rangle ⟩
		lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ { { } } % % $ $ _ _ # # & & prime ′`
	texLimits  = `sum ∑ prod ∏ max max min min sup sup inf inf lim lim argmax argmax argmin argmin`
	texSpaces  = `, 0.17em : 0.22em ; 0.28em ! -0.17em quad 1em qquad 2em`
	texAccents = `tilde ˜ hat ^ bar ¯ vec → dot ˙`
	texSizes   = `left right bigl bigr Bigl Bigr big Big displaystyle limits`
)

// symbol is what comes after name in a table, "" if name is not there.
func symbol(table, name string) string {
	fields := strings.Fields(table)
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == name {
			return fields[i+1]
		}
	}
	return ""
}

// row reads up to end, "}" or "]", or up to the end of the formula if that is "".
func (p *texParser) row(end string) (string, bool) {
	const deepest = 100
	if p.depth++; p.depth > deepest {
		return "", false
	}
	defer func() { p.depth-- }()
	var b strings.Builder
	b.WriteString("<mrow>")
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\n")
		if p.rest == "" || end != "" && strings.HasPrefix(p.rest, end) {
			if p.rest == "" && end != "" {
				return "", false
			}
			p.rest = strings.TrimPrefix(p.rest, end)
			b.WriteString("</mrow>")
			return b.String(), true
		}
		item, ok := p.scripted()
		if !ok {
			return "", false
		}
		b.WriteString(item)
	}
}

// scripted reads an item with what is below and above it.
func (p *texParser) scripted() (string, bool) {
	base, limits, ok := p.item()
	if !ok {
		return "", false
	}
	below, above := "", ""
	for {
		trimmed := strings.TrimLeft(p.rest, " \t\n")
		var to *string
		switch {
		case strings.HasPrefix(trimmed, "_") && below == "":
			to = &below
		case strings.HasPrefix(trimmed, "^") && above == "":
			to = &above
		default:
			return withScripts(base, below, above, limits && p.display), true
		}
		p.rest = trimmed[1:]
		if *to, ok = p.argument(); !ok {
			return "", false
		}
	}
}

func withScripts(base, below, above string, limits bool) string {
	tag := map[[3]bool]string{
		{true, true, true}: "munderover", {true, true, false}: "munder", {true, false, true}: "mover",
		{false, true, true}: "msubsup", {false, true, false}: "msub", {false, false, true}: "msup",
	}[[3]bool{limits, below != "", above != ""}]
	if tag == "" {
		return base
	}
	return "<" + tag + ">" + base + below + above + "</" + tag + ">"
}

// item reads a group, a command, a number or a sign. limits says that scripts go below and above.
func (p *texParser) item() (markup string, limits, ok bool) {
	if p.rest == "" {
		return "", false, false
	}
	r, size := utf8.DecodeRuneInString(p.rest)
	switch {
	case r == '\\':
		return p.command()
	case r == '{':
		p.rest = p.rest[1:]
		markup, ok = p.row("}")
		return markup, false, ok
	case strings.ContainsRune("}_^&$#%~", r):
		return "", false, false
	case unicode.IsDigit(r):
		end := strings.IndexFunc(p.rest, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' })
		if end < 0 {
			end = len(p.rest)
		}
		number := strings.TrimRight(p.rest[:end], ".")
		p.rest = p.rest[len(number):]
		return "<mn>" + number + "</mn>", false, true
	}
	p.rest = p.rest[size:]
	switch {
	case unicode.IsLetter(r):
		return "<mi>" + string(r) + "</mi>", false, true
	case r == '-':
		r = '−'
	case r == '\'':
		r = '′'
	}
	return operator(string(r)), false, true
}

// argument reads what a script, a fraction or a root takes: an item, or one digit of a number.
func (p *texParser) argument() (string, bool) {
	p.rest = strings.TrimLeft(p.rest, " \t\n")
	if p.rest != "" && p.rest[0] >= '0' && p.rest[0] <= '9' {
		digit := p.rest[:1]
		p.rest = p.rest[1:]
		return "<mn>" + digit + "</mn>", true
	}
	markup, _, ok := p.item()
	return markup, ok
}

// operator is a sign; a bar and a double bar do not grow with what is beside them.
func operator(s string) string {
	if s == "|" || s == "‖" {
		return `<mo stretchy="false">` + s + "</mo>"
	}
	return "<mo>" + html.EscapeString(s) + "</mo>"
}

// command reads \name and what belongs to it.
func (p *texParser) command() (markup string, limits, ok bool) {
	name := p.rest[1:]
	if end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		_, size := utf8.DecodeRuneInString(name)
		name = name[:max(end, size)]
	}
	p.rest = p.rest[1+len(name):]
	if s := symbol(texLetters, name); s != "" {
		return "<mi>" + s + "</mi>", false, true
	}
	if s := symbol(texSigns, name); s != "" {
		return operator(s), false, true
	}
	if s := symbol(texLimits, name); s != "" {
		return "<mo>" + s + "</mo>", true, true
	}
	if width := symbol(texSpaces, name); width != "" {
		return `<mspace width="` + width + `"/>`, false, true
	}
	switch {
	case name == " ":
		return `<mspace width="0.33em"/>`, false, true
	case slices.Contains(strings.Fields(texSizes), name):
		return "", false, true
	}
	markup, ok = p.construct(name)
	return markup, false, ok
}

// construct reads the arguments of a fraction, a root or an accent.
func (p *texParser) construct(name string) (string, bool) {
	switch accent := symbol(texAccents, name); {
	case accent != "":
		inside, ok := p.argument()
		return `<mover accent="true">` + inside + "<mo>" + accent + "</mo></mover>", ok
	case name == "frac" || name == "tfrac" || name == "dfrac":
		above, ok := p.argument()
		below, also := p.argument()
		return "<mfrac>" + above + below + "</mfrac>", ok && also
	case name == "sqrt" && strings.HasPrefix(p.rest, "["):
		p.rest = p.rest[1:]
		index, ok := p.row("]")
		inside, also := p.argument()
		return "<mroot>" + inside + index + "</mroot>", ok && also
	case name == "sqrt":
		inside, ok := p.argument()
		return "<msqrt>" + inside + "</msqrt>", ok
	case name == "text" || name == "mathrm" || name == "operatorname" || name == "mathbf":
		return p.words(name == "mathbf")
	}
	return "", false
}

// words reads the argument of \text and its like, in which there are no commands.
func (p *texParser) words(bold bool) (string, bool) {
	p.rest = strings.TrimLeft(p.rest, " ")
	text, rest, found := strings.Cut(strings.TrimPrefix(p.rest, "{"), "}")
	if !found || !strings.HasPrefix(p.rest, "{") || strings.ContainsAny(text, `{\$`) {
		return "", false
	}
	p.rest = rest
	text = html.EscapeString(strings.ReplaceAll(text, " ", "\u00a0"))
	if bold {
		return `<mi style="font-weight:bold">` + text + "</mi>", true
	}
	return "<mtext>" + text + "</mtext>", true
}
