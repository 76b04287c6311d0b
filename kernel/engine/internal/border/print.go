package border

import (
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
)

// typeVerbs answers %T and %p for interpreted arguments, which fmt would take from the wrapper.
func (rt *Runtime) typeVerbs(format string, args []any) (string, []any) {
	shown := rt.ShowAll(args)
	if !strings.Contains(format, "%") {
		return format, shown
	}
	n := 0
	b := []byte(format)
	for i := 0; i < len(b); i++ {
		if b[i] != '%' {
			continue
		}
		j := i + 1
		for j < len(b) && strings.IndexByte("+-# 0123456789.[]*", b[j]) >= 0 {
			switch b[j] {
			case '*':
				n++
			case '[':
				end := j + strings.IndexByte(string(b[j:]), ']')
				if k, err := strconv.Atoi(string(b[j+1 : max(end, j+1)])); err == nil {
					n, j = k-1, end
				}
			}
			j++
		}
		if j < len(b) && b[j] != '%' {
			if n < len(args) && args[n] != nil {
				switch b[j] {
				case 'T':
					b[j] = 's'
					shown[n] = rt.Types.dynamicName(args[n])
				case 'p':
					shown[n] = raw(args[n])
				}
			}
			n++
		}
		i = j
	}
	return string(b), shown
}

// Print and the following are package fmt's functions for the cells' output and arguments.
func (rt *Runtime) Print(a ...any) (int, error) {
	return fmt.Fprint(rt.out(1), rt.ShowAll(a)...)
}

// Println is fmt.Println.
func (rt *Runtime) Println(a ...any) (int, error) {
	return fmt.Fprintln(rt.out(1), rt.ShowAll(a)...)
}

// Printf is fmt.Printf.
func (rt *Runtime) Printf(format string, a ...any) (int, error) {
	format, a = rt.typeVerbs(format, a)
	return fmt.Fprintf(rt.out(1), format, a...)
}

// Sprint is fmt.Sprint.
func (rt *Runtime) Sprint(a ...any) string { return fmt.Sprint(rt.ShowAll(a)...) }

// Sprintln is fmt.Sprintln.
func (rt *Runtime) Sprintln(a ...any) string { return fmt.Sprintln(rt.ShowAll(a)...) }

// Sprintf is fmt.Sprintf.
func (rt *Runtime) Sprintf(format string, a ...any) string {
	format, a = rt.typeVerbs(format, a)
	return fmt.Sprintf(format, a...)
}

// standard is where what is written to w goes: the files of the cells lead to the cell of the
// running goroutine.
func (rt *Runtime) standard(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && f != nil {
		switch f {
		case *rt.Stdout:
			return rt.out(1)
		case *rt.Stderr:
			return rt.out(2)
		}
	}
	return w
}

// Fprint is fmt.Fprint.
func (rt *Runtime) Fprint(w io.Writer, a ...any) (int, error) {
	return fmt.Fprint(rt.standard(w), rt.ShowAll(a)...)
}

// Fprintln is fmt.Fprintln.
func (rt *Runtime) Fprintln(w io.Writer, a ...any) (int, error) {
	return fmt.Fprintln(rt.standard(w), rt.ShowAll(a)...)
}

// Fprintf is fmt.Fprintf.
func (rt *Runtime) Fprintf(w io.Writer, format string, a ...any) (int, error) {
	format, a = rt.typeVerbs(format, a)
	return fmt.Fprintf(rt.standard(w), format, a...)
}

// Errorf is fmt.Errorf.
func (rt *Runtime) Errorf(format string, a ...any) error {
	format, a = rt.typeVerbs(format, a)
	return fmt.Errorf(format, a...)
}

// BuiltinPrint is the builtin print: basic values as the run-time system writes them, to standard
// error.
func (rt *Runtime) BuiltinPrint(a ...any) { rt.builtinPrint(false, a) }

// BuiltinPrintln is the builtin println.
func (rt *Runtime) BuiltinPrintln(a ...any) { rt.builtinPrint(true, a) }

func (rt *Runtime) builtinPrint(line bool, a []any) {
	var b strings.Builder
	for i, x := range a {
		if line && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(builtinText(x))
	}
	if line {
		b.WriteByte('\n')
	}
	io.WriteString(rt.out(2), b.String())
}

func builtinText(x any) string {
	v := reflect.ValueOf(x)
	switch {
	case x == nil:
		return "(0x0,0x0)"
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return builtinFloat(v.Float())
	case v.CanComplex():
		c := v.Complex()
		im := builtinFloat(imag(c))
		if im[0] != '-' && im[0] != '+' {
			im = "+" + im
		}
		return "(" + builtinFloat(real(c)) + im + "i)"
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	}
	return fmt.Sprintf("(0x1,%p)", &x)
}

func builtinFloat(f float64) string {
	if math.IsInf(f, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
