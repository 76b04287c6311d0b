package border

import (
	"fmt"
	"log"
	"math"
	"os"
	"reflect"
	"unicode/utf8"
)

func fullRune(b []byte) bool          { return utf8.FullRune(b) }
func decodeRune(b []byte) (rune, int) { return utf8.DecodeRune(b) }

// Replaced names the functions that cells call in place of a package's own, by full name. A method
// is replaced by a function that takes the receiver first.
var Replaced = map[string]string{
	"fmt.Print": "Print", "fmt.Println": "Println", "fmt.Printf": "Printf",
	"fmt.Sprint": "Sprint", "fmt.Sprintln": "Sprintln", "fmt.Sprintf": "Sprintf",
	"fmt.Fprint": "Fprint", "fmt.Fprintln": "Fprintln", "fmt.Fprintf": "Fprintf", "fmt.Errorf": "Errorf",
	"fmt.Scan": "Scan", "fmt.Scanln": "Scanln", "fmt.Scanf": "Scanf",
	"runtime.Breakpoint": "Breakpoint", "runtime.Caller": "Caller", "runtime.Callers": "Callers", "runtime.FuncForPC": "FuncForPC",
	"os.Exit": "ExitNow", "time.Sleep": "Sleep", "time.AfterFunc": "AfterFunc",
	"log.Print": "LogPrint", "log.Println": "LogPrintln", "log.Printf": "LogPrintf",
	"log.Fatal": "Fatal", "log.Fatalln": "Fatalln", "log.Fatalf": "Fatalf",
	"encoding/json.Marshal": "JSONMarshal", "encoding/json.MarshalIndent": "JSONMarshalIndent", "encoding/json.Unmarshal": "JSONUnmarshal",
	"(*encoding/json.Encoder).Encode": "JSONEncode", "(*encoding/json.Decoder).Decode": "JSONDecode",
	"encoding/xml.Marshal": "XMLMarshal", "encoding/xml.MarshalIndent": "XMLMarshalIndent", "encoding/xml.Unmarshal": "XMLUnmarshal",
	"(*encoding/gob.Encoder).Encode": "EncodeGob", "(*encoding/gob.Decoder).Decode": "DecodeGob",
	"(*sync.Mutex).Lock": "Lock", "(*sync.RWMutex).Lock": "WriteLock", "(*sync.RWMutex).RLock": "ReadLock",
	"(*sync.WaitGroup).Wait": "WaitGroup", "(*sync.WaitGroup).Go": "WaitGroupGo", "(*os.File).Read": "FileRead",
}

// Symbols are the runtime's functions by the names that lowered code calls, in package rt.
func (rt *Runtime) Symbols() map[string]reflect.Value {
	m := map[string]reflect.Value{
		"Boxed":  reflect.ValueOf((*Boxed)(nil)),
		"Defers": reflect.ValueOf((*Defers)(nil)),
	}
	for name, f := range rt.functions() {
		m[name] = reflect.ValueOf(f)
	}
	return m
}

func (rt *Runtime) functions() map[string]any {
	return map[string]any{
		"Box": rt.Box, "Any": func(x any) any { return x }, "Nil": func() any { return nil },
		"Raw": raw, "Is": rt.Is, "As": rt.As, "NotA": rt.NotA, "Equal": rt.Equal, "Same": rt.Same,
		"Register": rt.Register, "EnterMethod": rt.EnterMethod, "Call": rt.Call,
		"In": rt.In, "InSlice": rt.InSlice, "OutSlice": rt.OutSlice, "Show": rt.Show, "ShowAll": rt.ShowAll,
		"RawAll": rt.RawAll, "ErrorsAs": rt.ErrorsAs, "Convert": rt.Convert,
		"Panic": rt.Panic, "Index": rt.Index, "Divide": rt.Divide, "NilDereference": rt.Nil, "NilMap": rt.NilMap,
		"NilReceiver": rt.NilReceiver, "Breakpoint": func() {}, "Caller": rt.Caller, "Callers": noCallers, "FuncForPC": functionAt,
		"Select": rt.Select, "Shift": rt.Shift, "Length": rt.Length, "Longer": rt.Longer, "Capacity": rt.Capacity, "Bounds": rt.Bounds, "Checked": rt.Checked,
		"NotNil": rt.NotNil, "Dereferenced": rt.Dereferenced, "Element": rt.Element, "Clear": rt.Clear,
		"Rune": rt.Rune, "RuneString": rt.RuneString, "UnsignedIndex": rt.UnsignedIndex,
		"SliceToArray": rt.SliceToArray, "Iterate": rt.Iterate, "RangeExit": rt.RangeExit,
		"SetResult": rt.SetResult, "Reach": rt.Reach,
		"Go": rt.Go, "Goexit": rt.Goexit, "Run": rt.Run, "RecoverAny": rt.RecoverAny,
		"Use": func(...any) {}, "Nop": func() {},
		"U64": func(high, low uint64) uint64 { return high<<32 | low }, "F64": bits,
		"F32":        func(u uint32) float32 { return math.Float32frombits(u) },
		"C128":       func(a, b, c, d uint64) complex128 { return complex(bits(a, b), bits(c, d)) },
		"C64":        func(a, b, c, d uint64) complex64 { return complex64(complex(bits(a, b), bits(c, d))) },
		"Complex128": func(a, b float64) complex128 { return complex(a, b) },
		"Complex64":  func(a, b float32) complex64 { return complex(a, b) },
		"Real128":    func(c complex128) float64 { return real(c) }, "Imag128": func(c complex128) float64 { return imag(c) },
		"Real64": func(c complex64) float32 { return real(c) }, "Imag64": func(c complex64) float32 { return imag(c) },
		"MinFloat": minFloat, "MaxFloat": maxFloat,
		"BuiltinPrint": rt.BuiltinPrint, "BuiltinPrintln": rt.BuiltinPrintln,
		"Print": rt.Print, "Println": rt.Println, "Printf": rt.Printf,
		"Sprint": rt.Sprint, "Sprintln": rt.Sprintln, "Sprintf": rt.Sprintf,
		"Fprint": rt.Fprint, "Fprintln": rt.Fprintln, "Fprintf": rt.Fprintf, "Errorf": rt.Errorf,
		"Scan":     func(a ...any) (int, error) { return fmt.Fscan(rt.Reader, rt.RawAll(a)...) },
		"Scanln":   func(a ...any) (int, error) { return fmt.Fscanln(rt.Reader, rt.RawAll(a)...) },
		"Scanf":    func(f string, a ...any) (int, error) { return fmt.Fscanf(rt.Reader, f, rt.RawAll(a)...) },
		"ExitNow":  rt.ExitNow,
		"LogPrint": func(a ...any) { rt.log(rt.Sprint(a...)) }, "LogPrintln": func(a ...any) { rt.log(rt.Sprintln(a...)) },
		"LogPrintf": func(f string, a ...any) { rt.log(rt.Sprintf(f, a...)) },
		"Fatal":     func(a ...any) { rt.log(rt.Sprint(a...)); rt.ExitNow(1) }, "Fatalln": func(a ...any) { rt.log(rt.Sprintln(a...)); rt.ExitNow(1) },
		"Fatalf":      func(f string, a ...any) { rt.log(rt.Sprintf(f, a...)); rt.ExitNow(1) },
		"JSONMarshal": rt.JSONMarshal, "JSONMarshalIndent": rt.JSONMarshalIndent, "JSONUnmarshal": rt.JSONUnmarshal,
		"JSONEncode": rt.JSONEncode, "JSONDecode": rt.JSONDecode, "XMLMarshal": rt.XMLMarshal, "XMLMarshalIndent": rt.XMLMarshalIndent,
		"XMLUnmarshal": rt.XMLUnmarshal, "EncodeGob": rt.EncodeGob, "DecodeGob": rt.DecodeGob,
		"Sleep": rt.Sleep, "AfterFunc": rt.AfterFunc, "Lock": rt.Lock, "WriteLock": rt.WriteLock, "ReadLock": rt.ReadLock,
		"WaitGroup": rt.WaitGroup, "WaitGroupGo": rt.WaitGroupGo, "FileRead": rt.FileRead,
	}
}

// log writes by the standard logger, to the cell's standard error unless the cell set another output.
func (rt *Runtime) log(s string) {
	l := log.Default()
	if l.Writer() == os.Stderr {
		l = log.New(rt.out(2), l.Prefix(), l.Flags())
	}
	l.Output(3, s)
}
