package bindings

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// The sentences of Go's type checker that get a hint.
var (
	unknownField  = regexp.MustCompile(`^unknown field (\w+) in struct literal of type \*?([\w./-]+)`)
	missingMember = regexp.MustCompile(`undefined \(type \*?([\w./-]+) has no field or method (\w+)(\)|, but does)`)
	missingName   = regexp.MustCompile(`^undefined: (\w+)\.(\w+)`)
	missing       = regexp.MustCompile(`^undefined: (\w+)$`)
	conversion    = regexp.MustCompile(`^cannot convert .* to type ([\w.]+)$`)
)

// foreign are names that users of other languages and libraries look for.
var foreign = map[string]string{
	"np": arrays, "numpy": arrays, "pd": frames, "pandas": frames, "plt": plots, "matplotlib": plots, "sklearn": training, "SVC": training,
	"LinearSVC": training, "True": "in Go it is true", "False": "in Go it is false", "None": "in Go it is nil", "null": "in Go it is nil",
	"self": "a method names its receiver: func (t *T) M() { t.… }",
}

const (
	arrays   = "packages mat, floats and stat are there without import: mat.NewDense(2, 2, nil), floats.Sum(x)"
	frames   = "svm.LoadFile reads tables: LIBSVM text, CSV, IDX"
	plots    = "svm.PlotTradeoff and its like draw, and plot.New() makes a plot of any kind"
	training = "train with svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: 0.5}, C: 10})"
)

// strangers are packages that cells of gonb import, by the sentences in which they are missing.
var strangers = []struct {
	text *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`gonb/gonbui|^undefined: (gonbui|dom)$`), "packages display and widgets, which are there without import, do what gonb's gonbui does: display.HTML, display.Markdown, display.Show"},
	{regexp.MustCompile(`gonb/cache`), "values stay from cell to cell: leave cache.Cache out and call the function"},
	{regexp.MustCompile(`exp/constraints|^undefined: constraints$`), "cmp.Ordered is what has an order; numbers are interface{ ~int | ~float64 }"},
	{regexp.MustCompile(`stretchr/testify|^undefined: (require|assert)$`), "compare with if, and panic with what is wrong"},
	{regexp.MustCompile(`pkg/errors`), "package errors of the standard library is there without import; fmt.Errorf(\"…: %w\", err) wraps"},
}

// kernelFields and settingsFields are looked for in the solvers by users of other programs.
var (
	kernelFields   = map[string]string{"Gamma": "svm.RBF{Gamma: 0.5}", "Degree": "svm.Poly{Degree: 3}", "Coef0": "svm.Poly{Coef0: 1}"}
	settingsFields = map[string]string{"MaxIterations": "100000", "MaxTime": "time.Minute", "CacheMB": "500", "Workers": "2", "Seed": "1", "Progress": "nil"}
)

// advise puts a sentence of the type checker into the words of the notebook and adds, where
// there is something to say and the engine has not said it, a hint.
func (s *Session) advise(text, hint string) (message, better string) {
	text = s.familiar(text)
	for _, p := range strangers {
		if p.text.MatchString(text) {
			return text, p.hint
		}
	}
	if hint != "" {
		return text, s.familiar(hint)
	}
	if m := conversion.FindStringSubmatch(text); m != nil {
		if t := s.typeNamed(m[1]); t != nil && t.Kind() == reflect.Struct {
			return text, fmt.Sprintf("a struct is made with braces and the names of its fields: %s{…}", m[1])
		}
	}
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("unknown field %s in %s", m[1], m[2]), s.fieldHint(m[1], m[2])
	}
	if m := missingMember.FindStringSubmatch(text); m != nil && m[3] == ")" {
		return text, near(m[2], s.members(m[1]), "")
	}
	if m := missingName.FindStringSubmatch(text); m != nil {
		if known, ok := foreign[m[2]]; ok && m[1] == "svm" {
			return text, known
		}
		return text, near(m[2], s.exported(m[1]), m[1]+".")
	}
	if m := missing.FindStringSubmatch(text); m != nil {
		if known, ok := foreign[m[1]]; ok {
			return text, known
		}
		if qualified := s.elsewhere(m[1]); qualified != "" {
			return text, fmt.Sprintf("did you mean %s?", qualified)
		}
		variables, packages := s.names()
		if hint := near(m[1], variables, ""); hint != "" {
			return text, hint
		}
		// Of the packages many have short names that differ little from anything.
		if hint := near(m[1], packages, ""); len(m[1]) > 5 || strings.EqualFold(hint, "did you mean "+m[1]+"?") {
			return text, hint
		}
	}
	return text, ""
}

// elsewhere is a function or type of a bound package that has the name, but for the case of its
// letters: math.Sqrt for sqrt. The packages that a notebook uses most come first.
func (s *Session) elsewhere(name string) string {
	for _, key := range []string{"fmt/fmt", "math/math", "strings/strings", svmTable, displayTable, widgetsTable, "strconv/strconv", "time/time", "os/os",
		"sort/sort", "math/rand/rand", "gonum.org/v1/gonum/floats/floats", "gonum.org/v1/gonum/stat/stat", "gonum.org/v1/gonum/mat/mat"} {
		for _, known := range slices.Sorted(maps.Keys(s.symbols[key])) {
			if strings.EqualFold(known, name) {
				return path.Base(key) + "." + known
			}
		}
	}
	return ""
}

// familiar writes the solvers' types as a notebook knows them: svm.SMO for solvers.SMO, with or
// without the path before it.
func (s *Session) familiar(text string) string {
	aliases := s.symbols[svmTable]
	return solverType.ReplaceAllStringFunc(text, func(found string) string {
		name := found[strings.LastIndexByte(found, '.')+1:]
		if _, ok := aliases[name]; ok {
			return "svm." + name
		}
		return found
	})
}

var solverType = regexp.MustCompile(`(?:` + regexp.QuoteMeta(module) + `)?(?:solvers/)?\b(?:solvers|datasets|bindings/svm)\.[A-Z]\w*`)

// fieldHint says where a field belongs that a struct does not have.
func (s *Session) fieldHint(field, of string) string {
	t := s.typeNamed(of)
	if t == nil || t.Kind() != reflect.Struct {
		return ""
	}
	if name, example := ignoringCase(kernelFields, field); name != "" {
		if _, ok := t.FieldByName("Kernel"); ok {
			return fmt.Sprintf("%s belongs to the kernel: %s{Kernel: %s}", name, of, example)
		}
		if _, ok := t.FieldByName("Reference"); ok {
			return fmt.Sprintf("%s belongs to the kernel, which is that of the Reference", name)
		}
	}
	if name, example := ignoringCase(settingsFields, field); name != "" {
		if _, ok := t.FieldByName("Settings"); ok {
			return fmt.Sprintf("%s belongs to the settings: %s{Settings: svm.Settings{%s: %s}}", name, of, name, example)
		}
	}
	var fields []string
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && len(f.Index) == 1 {
			fields = append(fields, f.Name)
		}
	}
	if hint := near(field, fields, ""); hint != "" {
		return hint
	}
	return "its fields are " + strings.Join(fields, ", ")
}

// ignoringCase is the entry of a table whose key is the name but for the case of its letters.
func ignoringCase(table map[string]string, name string) (key, value string) {
	for key, value := range table {
		if strings.EqualFold(key, name) {
			return key, value
		}
	}
	return "", ""
}

// typeNamed is the bound type with a qualified name, nil if there is none or it is a cell's.
func (s *Session) typeNamed(qualified string) reflect.Type {
	dot := strings.LastIndexByte(qualified, '.')
	if dot < 0 {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(s.symbols)) {
		if p := qualified[:dot]; path.Base(key) != p && path.Dir(key) != p {
			continue
		}
		if v, ok := s.symbols[key][qualified[dot+1:]]; ok && v.Kind() == reflect.Pointer && !v.CanAddr() {
			return v.Type().Elem()
		}
	}
	return nil
}

// members are the exported fields and methods of a bound type.
func (s *Session) members(qualified string) []string {
	t := s.typeNamed(qualified)
	if t == nil {
		return nil
	}
	var all []string
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() {
				all = append(all, f.Name)
			}
		}
	}
	if t.Kind() != reflect.Interface {
		t = reflect.PointerTo(t)
	}
	for i := range t.NumMethod() {
		all = append(all, t.Method(i).Name)
	}
	return all
}

// exported are the names of the bound package with a name.
func (s *Session) exported(pkg string) []string {
	var all []string
	for key, table := range s.symbols {
		if path.Base(key) != pkg {
			continue
		}
		for name := range table {
			if name[0] != '_' {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// names are the variables of the session, and the bound packages.
func (s *Session) names() (variables, packages []string) {
	for _, v := range s.live().Names() {
		variables = append(variables, v.Name)
	}
	for key := range s.symbols {
		if name := path.Base(key); name != "." {
			packages = append(packages, name)
		}
	}
	slices.Sort(variables)
	slices.Sort(packages)
	return variables, packages
}

// near asks whether the known name that differs least from the wrong one was meant, the first of
// several; it says nothing if that differs in more than a third of its letters, or the name is one letter.
func near(wrong string, known []string, prefix string) string {
	best, least := "", len(wrong)/3+1
	for _, name := range known {
		d := levenshtein.ComputeDistance(strings.ToLower(wrong), strings.ToLower(name))
		if d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	for _, name := range known { // KMeans for KMeansCenters, PlotBoundary for Boundary
		if a, b := strings.ToLower(wrong), strings.ToLower(name); best == "" && min(len(a), len(b)) >= 5 && (strings.Contains(a, b) || strings.Contains(b, a)) {
			best = name
		}
	}
	if best == "" || best == wrong || len(wrong) < 2 {
		return ""
	}
	return fmt.Sprintf("did you mean %s%s?", prefix, best)
}
