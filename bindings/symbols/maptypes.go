package symbols

import (
	"bufio"
	"encoding"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"reflect"
)

// mapTypes tells yaegi where a wrapper alone is not enough. A function whose parameters are of
// type any but which asks them for methods (fmt.Println: String, Format) is listed with the
// interfaces to wrap an argument as. A wrapper is listed with richer ones, richest first,
// which replace it where the interpreted type has all their methods (io.Copy asks a Reader
// for WriteTo).
func mapTypes(all map[string]map[string]reflect.Value) map[reflect.Value][]reflect.Type {
	formatted := []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[fmt.Stringer]()}
	scanned := []reflect.Type{reflect.TypeFor[fmt.Scanner]()}
	texter, untexter := reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()
	m := map[reflect.Value][]reflect.Type{
		reflect.ValueOf(json.Marshal):       {reflect.TypeFor[json.Marshaler](), texter},
		reflect.ValueOf(json.MarshalIndent): {reflect.TypeFor[json.Marshaler](), texter},
		reflect.ValueOf(json.Unmarshal):     {reflect.TypeFor[json.Unmarshaler](), untexter},
		reflect.ValueOf(xml.Marshal):        {reflect.TypeFor[xml.Marshaler](), texter},
		reflect.ValueOf(xml.MarshalIndent):  {reflect.TypeFor[xml.Marshaler](), texter},
		reflect.ValueOf(xml.Unmarshal):      {reflect.TypeFor[xml.Unmarshaler](), untexter},

		all["net/http/http"]["_ResponseWriter"]: {
			reflect.TypeFor[responseFlusherHijacker](), reflect.TypeFor[responseHijacker](), reflect.TypeFor[responseFlusher](),
		},
		all["io/io"]["_Reader"]: {reflect.TypeFor[readerWriterTo]()},
		all["io/io"]["_Writer"]: {reflect.TypeFor[writerReaderFrom]()},
	}
	for _, f := range []any{
		fmt.Errorf, fmt.Append, fmt.Appendf, fmt.Appendln, fmt.Fprint, fmt.Fprintf, fmt.Fprintln,
		fmt.Print, fmt.Printf, fmt.Println, fmt.Sprint, fmt.Sprintf, fmt.Sprintln,
		log.Fatal, log.Fatalf, log.Fatalln, log.Panic, log.Panicf, log.Panicln, log.Print, log.Printf, log.Println,
	} {
		m[reflect.ValueOf(f)] = formatted
	}
	for _, f := range []any{
		fmt.Scan, fmt.Scanf, fmt.Scanln, fmt.Fscan, fmt.Fscanf, fmt.Fscanln, fmt.Sscan, fmt.Sscanf, fmt.Sscanln,
	} {
		m[reflect.ValueOf(f)] = scanned
	}
	return m
}

// The wrappers below follow the convention of the generated ones: yaegi finds the methods in
// the fields after IValue, by name, so no struct can be embedded.

type readerWriterTo struct {
	IValue   any
	WRead    func([]byte) (int, error)
	WWriteTo func(io.Writer) (int64, error)
}

func (w readerWriterTo) Read(p []byte) (int, error)          { return w.WRead(p) }
func (w readerWriterTo) WriteTo(to io.Writer) (int64, error) { return w.WWriteTo(to) }

type writerReaderFrom struct {
	IValue    any
	WWrite    func([]byte) (int, error)
	WReadFrom func(io.Reader) (int64, error)
}

func (w writerReaderFrom) Write(p []byte) (int, error)            { return w.WWrite(p) }
func (w writerReaderFrom) ReadFrom(from io.Reader) (int64, error) { return w.WReadFrom(from) }

type responseFlusher struct {
	IValue       any
	WHeader      func() http.Header
	WWrite       func([]byte) (int, error)
	WWriteHeader func(int)
	WFlush       func()
}

func (w responseFlusher) Header() http.Header         { return w.WHeader() }
func (w responseFlusher) Write(p []byte) (int, error) { return w.WWrite(p) }
func (w responseFlusher) WriteHeader(status int)      { w.WWriteHeader(status) }
func (w responseFlusher) Flush()                      { w.WFlush() }

type responseHijacker struct {
	IValue       any
	WHeader      func() http.Header
	WWrite       func([]byte) (int, error)
	WWriteHeader func(int)
	WHijack      func() (net.Conn, *bufio.ReadWriter, error)
}

func (w responseHijacker) Header() http.Header                          { return w.WHeader() }
func (w responseHijacker) Write(p []byte) (int, error)                  { return w.WWrite(p) }
func (w responseHijacker) WriteHeader(status int)                       { w.WWriteHeader(status) }
func (w responseHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) { return w.WHijack() }

type responseFlusherHijacker struct {
	IValue       any
	WHeader      func() http.Header
	WWrite       func([]byte) (int, error)
	WWriteHeader func(int)
	WFlush       func()
	WHijack      func() (net.Conn, *bufio.ReadWriter, error)
}

func (w responseFlusherHijacker) Header() http.Header                          { return w.WHeader() }
func (w responseFlusherHijacker) Write(p []byte) (int, error)                  { return w.WWrite(p) }
func (w responseFlusherHijacker) WriteHeader(status int)                       { w.WWriteHeader(status) }
func (w responseFlusherHijacker) Flush()                                       { w.WFlush() }
func (w responseFlusherHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) { return w.WHijack() }
