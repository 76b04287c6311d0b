package solvers

import (
	"fmt"
	"math"
	"strings"
)

// String is one line:
//
//	SASSO(Delta=500, RBF(Gamma=1)): 312 support vectors of 49990 (0.62%), bias 0.113, converged in 4210 iterations, 2.1 s
func (r *Result) String() string {
	ended := "converged in " + iterations(r.Iterations)
	if r.Status.Early() {
		ended = r.Status.String() + " after " + iterations(r.Iterations)
	}
	return fmt.Sprintf("%s: %s, bias %s, %s, %s", r.title(), r.supportText(" "+r.noun()), short(r.Bias), ended, seconds(r.Runtime))
}

func iterations(n int) string {
	if n == 1 {
		return "1 iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}

func (r *Result) title() string {
	if r.Solver == nil {
		return "Model"
	}
	return shortForm(r.asked, r.Solver, r.Kernel)
}

// supportText is "312 support vectors of 49990 (0.62%)", noun being what stands after the number.
// After pruning it goes on with ", 7978 before pruning".
func (r *Result) supportText(noun string) string {
	text := fmt.Sprintf("%d%s", r.SupportSize(), noun)
	if r.noun() == "support vectors" && r.Rows > 0 {
		text += fmt.Sprintf(" of %d (%s)", r.Rows, percent(float64(r.SupportSize())/float64(r.Rows)))
	}
	if r.FullSupportSize > r.SupportSize() {
		text += fmt.Sprintf(", %d before pruning", r.FullSupportSize)
	}
	return text
}

// statusText says why the run ended, and what to do if it was early.
func (r *Result) statusText() string {
	gap := ""
	if epsilon := floatParameter(r.Solver, "Epsilon"); r.Gap > epsilon {
		gap = fmt.Sprintf("gap %s > Epsilon %s; ", short(r.Gap), short(epsilon))
	}
	switch r.Status {
	case Converged:
		return "Converged"
	case IterationLimit:
		return "IterationLimit: " + gap + "raise Settings.MaxIterations or C is too large"
	case TimeLimit:
		return "TimeLimit: " + gap + "raise Settings.MaxTime"
	case BudgetReached:
		return "BudgetReached: " + gap + "allow more support vectors for a better model"
	case Canceled:
		return "Canceled: " + gap + "the model is the one reached so far"
	}
	return r.Status.String()
}

// normAtMost is the number of support vectors up to which showing a result computes ‖w‖ if the
// solver did not.
const normAtMost = 2000

// HTML is a table of the result, its parameters and largest coefficients folded below it.
func (r *Result) HTML() string {
	var m markup
	m.open("table", tableStyle)
	m.line("Solver", r.title(), "font-weight:600")
	m.line(r.nounTitle(), r.supportText("")+r.boundedText(), "")
	r.condensedHTML(&m)
	m.line("Bias", number(r.Bias), "")
	switch {
	case r.norm > 0:
		m.line("‖w‖", number(r.norm), "")
	case r.SupportSize() <= normAtMost:
		m.line("‖w‖", number(r.Norm()), "")
	}
	m.line("Objective", fmt.Sprintf("%s, gap %s", number(r.Objective), short(r.Gap)), "")
	style := ""
	if r.Status.Early() {
		style = amberStyle
	}
	m.line("Iterations", fmt.Sprintf("%d, %s", r.Iterations, r.statusText()), style)
	m.line("Kernel evaluations", grouped(r.KernelEvaluations), "")
	m.line("Time", seconds(r.Runtime), "")
	m.close("table")
	r.foldedHTML(&m)
	return m.String()
}

// boundedText is ", 6975 at the bound C" for a C-SVC.
func (r *Result) boundedText() string {
	smo, ok := r.Solver.(SMO)
	if !ok {
		return ""
	}
	bounded := 0
	for _, beta := range r.Coefficients {
		if beta == smo.C*smo.WeightPositive || beta == -smo.C*smo.WeightNegative {
			bounded++
		}
	}
	return fmt.Sprintf(", %d at the bound C", bounded)
}

func (r *Result) foldedHTML(m *markup) {
	m.open("details", foldedStyle)
	m.element("summary", "cursor:pointer", "Parameters, largest coefficients")
	if r.Solver != nil {
		m.open("table", tableStyle)
		for _, p := range parameters(r.asked, r.Solver) {
			style := ""
			if !p.given {
				style = paleStyle
			}
			m.line(p.name, p.text, style)
		}
		m.close("table")
	}
	r.Model.coefficientsHTML(m)
	r.candidatesHTML(m)
	if len(r.Certificate) > 0 {
		m.open("table", tableStyle)
		m.row("th", "", []string{"Certificate", "value", "bound", ""})
		for _, c := range r.Certificate {
			m.row("td", "", []string{c.Claim, number(c.Value), number(c.Bound), holdsText(c)})
		}
		m.close("table")
	}
	m.close("details")
}

func holdsText(c Check) string {
	switch {
	case math.IsInf(c.Bound, 1):
		return "no bound"
	case c.Holds():
		return "holds"
	}
	return "does not hold"
}

// noun is what the vectors are called: those that are no training rows are no support vectors.
func (m *Model) noun() string {
	if m.virtual() {
		return "vectors"
	}
	return "support vectors"
}

func (m *Model) nounTitle() string {
	if m.virtual() {
		return "Vectors"
	}
	return "Support vectors"
}

// largestShown is the number of coefficients in the folded part.
const largestShown = 5

// String is one line: "Model(RBF(Gamma=1)): 312 support vectors, bias 0.113".
func (m *Model) String() string {
	kernel := "no kernel"
	if m.Kernel != nil {
		kernel = m.Kernel.String()
	}
	return fmt.Sprintf("Model(%s): %d %s, bias %s", kernel, m.SupportSize(), m.noun(), short(m.Bias))
}

// HTML is a table of the model, the largest coefficients folded below it.
func (m *Model) HTML() string {
	var out markup
	out.open("table", tableStyle)
	if m.Kernel != nil {
		out.line("Kernel", m.Kernel.String(), "")
	}
	out.line(m.nounTitle(), fmt.Sprint(m.SupportSize()), "")
	out.line("Bias", number(m.Bias), "")
	if len(m.Labels) == 2 {
		out.line("Labels", fmt.Sprintf("%g is -1, %g is +1", m.Labels[0], m.Labels[1]), "")
	}
	out.close("table")
	out.open("details", foldedStyle)
	out.element("summary", "cursor:pointer", "Largest coefficients")
	m.coefficientsHTML(&out)
	out.close("details")
	return out.String()
}

func (m *Model) coefficientsHTML(out *markup) {
	out.open("table", tableStyle)
	out.row("th", "", []string{"Row", "Coefficient", "Nonzero features"})
	for _, k := range m.largest(largestShown) {
		row := "–"
		if m.Indices != nil {
			row = fmt.Sprint(m.Indices[k])
		}
		out.row("td", "", []string{row, number(m.Coefficients[k]), nonzeroText(m.SupportVectors[k])})
	}
	out.close("table")
}

// nonzeroText is the first features of a vector: "3:1 7:0.5 … (14)".
func nonzeroText(x Vector) string {
	const shown = 6
	var words []string
	for k := range min(shown, len(x.Index)) {
		words = append(words, fmt.Sprintf("%d:%s", x.Index[k], short(x.Value[k])))
	}
	if len(x.Index) > shown {
		words = append(words, fmt.Sprintf("… (%d)", len(x.Index)))
	}
	return strings.Join(words, " ")
}
