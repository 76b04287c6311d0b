package bindings

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// What stands before a string or an index that is to be completed.
var (
	takesName  = regexp.MustCompile(`\bsvm\.(Load|Help)\(\s*$`)
	takesFile  = regexp.MustCompile(`(\b(os|ioutil|svm|datasets|solvers|filepath)\.\w*|(?i)(file|path|dir)\w*\s*(:?=|:))\s*\(?[^()]*$`)
	imports    = regexp.MustCompile(`(^|[\n;])\s*import\s*(\([^)]*|[\w.]*\s*)$`)
	indexed    = regexp.MustCompile(`(` + chain + `)\[\s*$`)
	indexBegun = regexp.MustCompile(`(` + chain + `)\[\s*(-?[\w.]*)$`)
	link       = regexp.MustCompile(`^(?:\.([\pL_][\pL\pN_]*)|\[\s*("[^"\\]*"|-?\d+)\s*\])`)
)

// chain matches a variable, with fields and constant indices behind it.
const chain = `[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*|\[\s*(?:"[^"\\]*"|-?\d+)\s*\])*`

// maxKeys is the number of a map's keys that are offered.
const maxKeys = 200

// completeString completes what is begun in a string: the name of a data set, a topic of the
// manual, a key of a map, or a file. It also completes keys that are no strings. It is false where
// there is nothing of that kind.
func (s *Session) completeString(code string, at int) (display.Completion, bool) {
	start, ok := stringAt(code[:at])
	if !ok {
		if m := indexBegun.FindStringSubmatch(code[:at]); m != nil {
			return offer(code, at, len(m[2]), "key", s.keys(m[1]))
		}
		return display.Completion{}, false
	}
	before, begun := code[:start], code[start+1:at]
	if m := takesName.FindStringSubmatch(before); m != nil {
		kind, names := "data set", []string(nil)
		if m[1] == "Help" {
			kind = "topic"
			own, _ := docs.ForPackage(strings.TrimSuffix(svmTable, "/svm"))
			for name := range own {
				names = append(names, name)
			}
		} else {
			for _, set := range datasets.Names() {
				names = append(names, set.Name)
			}
		}
		return offer(code, at, len(begun), kind, names)
	}
	if imports.MatchString(before) {
		return offer(code, at, len(begun), "package", s.importable())
	}
	if m := indexed.FindStringSubmatch(before); m != nil {
		var names []string
		for _, key := range s.keys(m[1]) {
			if text, err := strconv.Unquote(key); err == nil {
				names = append(names, strings.Trim(strconv.Quote(text), `"`))
			}
		}
		return offer(code, at, len(begun), "key", names)
	}
	if takesFile.MatchString(before) || strings.ContainsAny(begun, `/\`) || strings.HasPrefix(begun, ".") {
		return offer(code, at, len(begun), "file", files(begun))
	}
	return display.Completion{}, true // in a string nothing else is a name
}

// offer is those names that go on as it was begun, which the last n bytes before the cursor are.
func offer(code string, at, n int, kind string, names []string) (display.Completion, bool) {
	slices.Sort(names)
	begun := code[at-n : at]
	end := utf8.RuneCountInString(code[:at])
	c := display.Completion{Start: end - utf8.RuneCountInString(begun), End: end}
	for _, name := range names {
		if name != "" && len(name) >= len(begun) && strings.EqualFold(name[:len(begun)], begun) {
			c.Matches = append(c.Matches, display.Match{Text: name, Kind: kind})
		}
	}
	return c, kind != "key" || len(c.Matches) > 0
}

// stringAt is where the string begins that the end of code is in.
func stringAt(code string) (start int, ok bool) {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(code)), []byte(code), func(p token.Position, message string) {
		open := strings.HasSuffix(message, "string literal not terminated")
		if open && (code[p.Offset] == '`' || !strings.Contains(code[p.Offset:], "\n")) {
			start, ok = p.Offset, true
		}
	}, 0)
	for {
		if _, tok, _ := s.Scan(); tok == token.EOF {
			return start, ok
		}
	}
}

// importable are the paths that can be imported.
func (s *Session) importable() []string {
	var paths []string
	for key := range s.symbols {
		if p := path.Dir(key); p != "." {
			paths = append(paths, p)
		}
	}
	return paths
}

// along is the value that a chain of fields and indices leads to.
func along(r reflect.Value, chain string) reflect.Value {
	for chain != "" {
		for r.Kind() == reflect.Pointer || r.Kind() == reflect.Interface {
			r = r.Elem()
		}
		m := link.FindStringSubmatch(chain)
		if m == nil {
			return reflect.Value{}
		}
		chain = chain[len(m[0]):]
		number, err := strconv.Atoi(m[2])
		text, quoted := strconv.Unquote(m[2])
		switch k := r.Kind(); {
		case m[1] != "" && k == reflect.Struct:
			r = r.FieldByName(m[1])
		case k == reflect.Map && quoted == nil && r.Type().Key().Kind() == reflect.String:
			r = r.MapIndex(reflect.ValueOf(text).Convert(r.Type().Key()))
		case k == reflect.Map && err == nil && r.Type().Key().Kind() == reflect.Int:
			r = r.MapIndex(reflect.ValueOf(number).Convert(r.Type().Key()))
		case (k == reflect.Slice || k == reflect.Array) && err == nil && number >= 0 && number < r.Len():
			r = r.Index(number)
		default:
			return reflect.Value{}
		}
	}
	return r
}

// keys are the keys of a map that a chain leads to, as Go writes them. While a cell runs, which may
// be changing it, there are none.
func (s *Session) keys(chain string) []string {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	default:
		return nil
	}
	end := strings.IndexAny(chain+".", ".[")
	value, ok := s.Lookup(chain[:end])
	r := along(reflect.ValueOf(value), chain[end:])
	for r.Kind() == reflect.Interface {
		r = r.Elem()
	}
	if !ok || r.Kind() != reflect.Map {
		return nil
	}
	var keys []string
	for it := r.MapRange(); it.Next() && len(keys) < maxKeys; {
		switch k := it.Key(); {
		case k.Kind() == reflect.String:
			keys = append(keys, strconv.Quote(k.String()))
		case k.CanInt(), k.CanUint(), k.CanFloat(), k.Kind() == reflect.Bool:
			keys = append(keys, fmt.Sprint(k))
		}
	}
	return keys
}

// files are the entries of the folder that a path begun is in, folders with a slash at the end; ~ is
// the user's own folder.
func files(begun string) []string {
	folder, name := filepath.Split(begun)
	place := filepath.Clean(folder + ".")
	if rest, ok := strings.CutPrefix(folder, "~"+string(filepath.Separator)); ok {
		if home, err := os.UserHomeDir(); err == nil {
			place = filepath.Join(home, rest)
		}
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".") {
			continue
		}
		name := folder + e.Name()
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, name)
	}
	return names
}
