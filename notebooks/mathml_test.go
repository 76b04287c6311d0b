package notebooks

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestMathML(t *testing.T) {
	for tex, want := range map[string]string{
		`x`:                       `<mi>x</mi>`,
		`-3.5x'`:                  `<mo>−</mo><mn>3.5</mn><mi>x</mi><mo>′</mo>`,
		`x_i^2`:                   `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`x^2_i`:                   `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`w^\top x \ge 1.`:         `<msup><mi>w</mi><mo>⊤</mo></msup><mi>x</mi><mo>≥</mo><mn>1</mn><mo>.</mo>`,
		`\tfrac12 \lVert w\rVert`: `<mfrac><mn>1</mn><mn>2</mn></mfrac><mo stretchy="false">‖</mo><mi>w</mi><mo stretchy="false">‖</mo>`,
		`x^23`:                    `<msup><mi>x</mi><mn>2</mn></msup><mn>3</mn>`,
		`\frac{a}{b}`:             `<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>`,
		`\sqrt2 \alpha`:           `<msqrt><mn>2</mn></msqrt><mi>α</mi>`,
		`\sqrt[3]{x}`:             `<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>`,
		`\tilde w < \text{a b}`:   `<mover accent="true"><mi>w</mi><mo>˜</mo></mover><mo>&lt;</mo><mtext>a` + "\u00a0" + `b</mtext>`,
		`\bigl(x\bigr)^2`:         `<mo>(</mo><mi>x</mi><msup><mo>)</mo><mn>2</mn></msup>`,
		`\sum_{k=0}^\infty k`:     `<msubsup><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>0</mn></mrow><mi>∞</mi></msubsup><mi>k</mi>`,
	} {
		got, ok := mathML(tex, false)
		_, got, _ = strings.Cut(got, "><mrow>")
		if got = strings.TrimSuffix(got, "</mrow></math>"); !ok || got != want {
			t.Errorf("%s gives\n%s, want\n%s", tex, got, want)
		}
	}
	if got, ok := mathML(`\max_i x`, true); !ok || got != `<math display="block" alttext="\max_i x"><mrow><munder><mo>max</mo><mi>i</mi></munder><mi>x</mi></mrow></math>` {
		t.Errorf("a display gives %s", got)
	}
	for _, tex := range []string{`\odd`, `{x`, `x}`, `x^`, `x^2^3`, `\frac{1}`, `a & b`, `\text{a{b}}`, `\`, `\sqrt[2`, `\begin{matrix}1\end{matrix}`, strings.Repeat("{", 1e6)} {
		if got, ok := mathML(tex, false); ok {
			t.Errorf("%.40s gives %.80s", tex, got)
		}
	}
}

// FuzzMathML: whatever the formula, what comes out is well-formed.
func FuzzMathML(f *testing.F) {
	for _, tex := range []string{`x_i^2`, `\frac{a}{\sqrt[3]b}`, `\sum_{i<n}^\infty \text{a&b}`, `\bigl(\tilde w\bigr)^{\top}`, `{}`, `\|x\|`, `a"b<c>`, "{\x85}", "\x01"} {
		f.Add(tex, true)
	}
	f.Fuzz(func(t *testing.T, tex string, display bool) {
		got, ok := mathML(tex, display)
		if !ok {
			return
		}
		decoder := xml.NewDecoder(strings.NewReader(got))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("%q gives %q: %v", tex, got, err)
			}
		}
	})
}
