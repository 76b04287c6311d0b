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
)

// kernelFields and settingsFields are looked for in the solvers by users of other programs.
var (
	kernelFields   = map[string]string{"Gamma": "svm.RBF{Gamma: 0.5}", "Degree": "svm.Poly{Degree: 3}", "Coef0": "svm.Poly{Coef0: 1}"}
	settingsFields = map[string]string{"MaxIterations": "100000", "MaxTime": "time.Minute", "CacheMB": "500", "Workers": "2", "Seed": "1", "Progress": "nil"}
)

// advise puts a sentence of the type checker into the words of the notebook and adds, where
// there is something to say and the engine has not said it, a hint.
func (s *Session) advise(text, hint string) (message, better string) {
	text = s.familiar(text)
	if hint != "" {
		return text, s.familiar(hint)
	}
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("unknown field %s in %s", m[1], m[2]), s.fieldHint(m[1], m[2])
	}
	if m := missingMember.FindStringSubmatch(text); m != nil && m[3] == ")" {
		return text, near(m[2], s.members(m[1]), "")
	}
	if m := missingName.FindStringSubmatch(text); m != nil {
		return text, near(m[2], s.exported(m[1]), m[1]+".")
	}
	if m := missing.FindStringSubmatch(text); m != nil {
		return text, near(m[1], s.names(), "")
	}
	return text, ""
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
	if _, ok := t.FieldByName("Kernel"); ok && kernelFields[field] != "" {
		return fmt.Sprintf("%s belongs to the kernel: %s{Kernel: %s}", field, of, kernelFields[field])
	}
	if _, ok := t.FieldByName("Reference"); ok && kernelFields[field] != "" {
		return fmt.Sprintf("%s belongs to the kernel, which is that of the Reference", field)
	}
	if _, ok := t.FieldByName("Settings"); ok && settingsFields[field] != "" {
		return fmt.Sprintf("%s belongs to the settings: %s{Settings: svm.Settings{%s: %s}}", field, of, field, settingsFields[field])
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

// names are the variables of the session and then the bound packages.
func (s *Session) names() []string {
	var variables, packages []string
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
	return append(variables, packages...)
}

// near asks whether the known name that differs least from the wrong one was meant, the first of
// several; it says nothing if that differs in more than a third of its letters.
func near(wrong string, known []string, prefix string) string {
	best, least := "", len(wrong)/3+1
	for _, name := range known {
		d := levenshtein.ComputeDistance(strings.ToLower(wrong), strings.ToLower(name))
		if d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	if best == "" || best == wrong {
		return ""
	}
	return fmt.Sprintf("did you mean %s%s?", prefix, best)
}
