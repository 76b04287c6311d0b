package bindings

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// flags stands for package flag's command line in the cells of a session: the arguments are those of
// the cells, a cell can be run again although its flags are declared already, and a wrong
// argument fails the cell instead of ending the program.
type flags struct {
	set   *flag.FlagSet
	usage func() // flag.Usage of the cells
	args  func() []string
	out   func() display.Output
}

// table is the table of package flag with its functions on the command line replaced.
func (f *flags) table(real map[string]reflect.Value) map[string]reflect.Value {
	own := make(map[string]reflect.Value, len(real))
	f.renew("")
	f.usage = func() {
		fmt.Fprintf(f.set.Output(), "Usage of %s:\n", f.set.Name())
		f.set.PrintDefaults()
	}
	for name, v := range real {
		own[name] = v
		if m, ok := reflect.TypeFor[*flag.FlagSet]().MethodByName(name); ok && v.Kind() == reflect.Func && m.Type.NumIn() == v.Type().NumIn()+1 {
			own[name] = f.method(name, v.Type())
		}
	}
	own["CommandLine"] = reflect.ValueOf(&f.set).Elem()
	own["Usage"] = reflect.ValueOf(&f.usage).Elem()
	own["Parse"] = reflect.ValueOf(f.parse)
	return own
}

// method is a function of package flag as the method of the same name of the cells' flags. Those that
// declare a flag, which have three parameters and more, forget the flag that had its name.
func (f *flags) method(name string, t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		for _, a := range args {
			if len(args) >= 3 && a.Kind() == reflect.String { // the first string is the flag's name
				if f.set.Lookup(a.String()) != nil {
					f.renew(a.String())
				}
				break
			}
		}
		return reflect.ValueOf(f.set).MethodByName(name).Call(args)
	})
}

// renew makes a set of the flags so far but one: a set cannot forget.
func (f *flags) renew(but string) {
	fresh := flag.NewFlagSet("cell", flag.PanicOnError)
	fresh.Usage = func() { f.usage() }
	if f.set != nil {
		f.set.VisitAll(func(known *flag.Flag) {
			if known.Name != but {
				fresh.Var(known.Value, known.Name, known.Usage)
				fresh.Lookup(known.Name).DefValue = known.DefValue
			}
		})
	}
	f.set = fresh
}

// parse reads the cells' arguments. Where no flag is declared, they are no flags.
func (f *flags) parse() {
	args := slices.Clone(f.args())
	if len(args) == 0 {
		return
	}
	declared := false
	f.set.VisitAll(func(*flag.Flag) { declared = true })
	if !declared {
		args = slices.Insert(args, 1, "--")
	}
	f.renew("") // what an earlier cell was given counts no more
	f.set.Init(args[0], flag.ContinueOnError)
	f.set.SetOutput(stderrOf{f.out()})
	defer f.set.SetOutput(io.Discard)
	if err := f.set.Parse(args[1:]); err != nil {
		panic(err)
	}
}

// stderrOf writes to the standard error of an output; nil is nowhere.
type stderrOf struct{ display.Output }

func (w stderrOf) Write(b []byte) (int, error) {
	if w.Output != nil {
		w.Stream("stderr", string(b))
	}
	return len(b), nil
}
