package solvers

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// parameter is one field of a solver as it is shown.
type parameter struct {
	name, text string
	given      bool // the user set it; else it is the default
}

// String is "Delta=500", and "Aggressive" for a switch that is on.
func (p parameter) String() string {
	if p.text == "true" {
		return p.name
	}
	return p.name + "=" + p.text
}

// parameters are the fields of a solver struct in their order: used says what they were in the
// run, asked which of them the user set. Settings come as "Settings.Seed".
func parameters(asked, used Solver) []parameter {
	values := reflect.Indirect(reflect.ValueOf(used))
	if values.Kind() != reflect.Struct {
		return nil
	}
	given := reflect.Indirect(reflect.ValueOf(asked))
	if !given.IsValid() || given.Type() != values.Type() {
		given = values
	}
	return structParameters("", given, values)
}

func structParameters(prefix string, given, values reflect.Value) []parameter {
	var out []parameter
	for i := range values.NumField() {
		field := values.Type().Field(i)
		if !field.IsExported() || field.Type.Kind() == reflect.Func {
			continue
		}
		if field.Type == reflect.TypeFor[Settings]() {
			out = append(out, structParameters(field.Name+".", given.Field(i), values.Field(i))...)
			continue
		}
		value, set := values.Field(i), !given.Field(i).IsZero()
		if set && value.IsZero() {
			value = given.Field(i) // of the reference, which has been fitted with it
		}
		out = append(out, parameter{prefix + field.Name, parameterText(value), set})
	}
	return out
}

func parameterText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case float64:
		return number(x)
	case time.Duration:
		return x.String()
	case *Model:
		if x == nil {
			return "none"
		}
		return fmt.Sprintf("model of %d support vectors", x.SupportSize())
	case Kernel:
		return x.String()
	case nil:
		return "none"
	}
	return fmt.Sprint(v.Interface())
}

// choices are the parameters that the user set, the kernel, the reference and the settings apart.
func choices(asked, used Solver) []string {
	var words []string
	for _, p := range parameters(asked, used) {
		if p.given && p.name != "Kernel" && p.name != "Reference" && !strings.HasPrefix(p.name, "Settings.") {
			words = append(words, p.String())
		}
	}
	return words
}

// methodLabel is "ISSVM(Aggressive)", or "ISSVM" with nothing set: what tells two paths apart. The
// fields of solvers from outside, which may be wrappers, say nothing.
func methodLabel(s Solver) string {
	words := choices(s, s)
	if len(words) == 0 || reflect.Indirect(reflect.ValueOf(s)).Type().PkgPath() != reflect.TypeFor[SMO]().PkgPath() {
		return s.Name()
	}
	return s.Name() + "(" + strings.Join(words, ", ") + ")"
}

// shortForm is "ISSVM(Aggressive, RBF(Gamma=1))": what the user set, and the kernel.
func shortForm(asked, used Solver, kernel Kernel) string {
	words := choices(asked, used)
	if kernel != nil {
		words = append(words, kernel.String())
	}
	return used.Name() + "(" + strings.Join(words, ", ") + ")"
}

// floatParameter is the solver's field of that name, NaN if it has none.
func floatParameter(s Solver, name string) float64 {
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct {
		return math.NaN()
	}
	field := v.FieldByName(name)
	if !field.IsValid() || field.Kind() != reflect.Float64 {
		return math.NaN()
	}
	return field.Float()
}

// number shows a parameter or a figure of a result with six digits at most.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// short shows a number with three digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// grouped shows a count ≥ 0 in groups of three digits, "14,273,100".
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// percent shows a share with two decimals, "0.62%".
func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

// seconds shows how long a run took: "43 ms", "2.1 s", "3 min 20 s".
func seconds(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < 100*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
}
