package solvers

import (
	"fmt"
	"math"
)

// String is one line:
//
//	OneVsRest(SMO(C=10, RBF(Gamma=0.02))): 10 classes, 1234 support vectors of 5000 (24.68%), converged in 4210 iterations, 2.1 s
func (r *MultiResult) String() string {
	ended := "converged in " + iterations(r.Iterations)
	if r.Status.Early() {
		ended = r.Status.String() + " after " + iterations(r.Iterations)
	}
	return fmt.Sprintf("%s: %d classes, %s, %s, %s", r.title(), len(r.Classes), r.supportText(" support vectors"), ended, seconds(r.Runtime))
}

func (r *MultiResult) title() string {
	if len(r.Results) == 0 {
		return r.method
	}
	return r.method + "(" + r.Results[0].title() + ")"
}

func (r *MultiResult) supportText(noun string) string {
	size := r.SupportSize()
	return fmt.Sprintf("%d%s of %d (%s)", size, noun, r.Rows, percent(float64(size)/float64(r.Rows)))
}

// statusText says why the run ended, and of a problem that ended early what to do.
func (r *MultiResult) statusText() string {
	early, first := 0, -1
	for k, result := range r.Results {
		if result.Status.Early() {
			if early++; first < 0 {
				first = k
			}
		}
	}
	switch {
	case r.Status == Canceled:
		return fmt.Sprintf("Canceled: %d problems begun; classes without a machine are not predicted", len(r.Results))
	case first < 0:
		return "Converged"
	}
	return fmt.Sprintf("%d of %d problems ended early; %s: %s", early, len(r.Results), r.Machines[first].title(), r.Results[first].statusText())
}

// title is "3 against 8".
func (m Machine) title() string {
	if math.IsNaN(m.Negative) {
		return number(m.Positive) + " against the rest"
	}
	return number(m.Positive) + " against " + number(m.Negative)
}

// machinesShown is the number of machines in the folded part.
const machinesShown = 20

// HTML is a table of the result, its machines folded below it.
func (r *MultiResult) HTML() string {
	var m markup
	m.open("table", tableStyle)
	m.line("Solver", r.title(), "font-weight:600")
	m.line("Classes", classesText(r.Labels), "")
	m.line("Support vectors", r.supportText(""), "")
	style := ""
	if r.Status.Early() {
		style = amberStyle
	}
	m.line("Iterations", fmt.Sprintf("%d, %s", r.Iterations, r.statusText()), style)
	m.line("Kernel evaluations", grouped(r.KernelEvaluations), "")
	m.line("Time", seconds(r.Runtime), "")
	m.close("table")
	r.machinesHTML(&m)
	return m.String()
}

// String is one line: "MultiModel(RBF(Gamma=1)): 10 classes, 10 machines, 312 support vectors".
func (m *MultiModel) String() string {
	kernel := "no kernel"
	if len(m.Machines) > 0 && m.Machines[0].Kernel != nil {
		kernel = m.Machines[0].Kernel.String()
	}
	return fmt.Sprintf("MultiModel(%s): %d classes, %d machines, %d support vectors", kernel, len(m.Classes), len(m.Machines), m.SupportSize())
}

// HTML is a table of the model, its machines folded below it.
func (m *MultiModel) HTML() string {
	var out markup
	out.open("table", tableStyle)
	if len(m.Machines) > 0 && m.Machines[0].Kernel != nil {
		out.line("Kernel", m.Machines[0].Kernel.String(), "")
	}
	out.line("Classes", classesText(m.Labels), "")
	out.line("Support vectors", fmt.Sprint(m.SupportSize()), "")
	out.close("table")
	m.machinesHTML(&out)
	return out.String()
}

func (m *MultiModel) machinesHTML(out *markup) {
	out.open("details", foldedStyle)
	out.element("summary", "cursor:pointer", fmt.Sprintf("%d machines", len(m.Machines)))
	out.open("table", tableStyle)
	out.row("th", "", []string{"Machine", "Support vectors", "Bias"})
	for _, machine := range m.Machines[:min(machinesShown, len(m.Machines))] {
		out.row("td", "", []string{machine.title(), fmt.Sprint(machine.SupportSize()), number(machine.Bias)})
	}
	out.close("table")
	if more := len(m.Machines) - machinesShown; more > 0 {
		out.element("span", paleStyle, fmt.Sprintf("and %d more", more))
	}
	out.close("details")
}

// classesText is "10: 0, 1, 2, …, 9".
func classesText(labels []float64) string {
	text := fmt.Sprintf("%d:", len(labels))
	for c, label := range labels {
		if len(labels) > 8 && c == 6 {
			return text + " …, " + number(labels[len(labels)-1])
		}
		text += " " + number(label)
		if c < len(labels)-1 {
			text += ","
		}
	}
	return text
}
