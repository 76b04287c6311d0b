package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

type rot13 struct{ r io.Reader }

func (r rot13) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	for i, c := range b[:n] {
		switch {
		case c >= 'a' && c <= 'z':
			b[i] = 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			b[i] = 'A' + (c-'A'+13)%26
		}
	}
	return n, err
}

type counting struct {
	io.Writer
	n int
}

func (c *counting) Write(b []byte) (int, error) { c.n += len(b); return c.Writer.Write(b) }

type upper struct{}

func (upper) Write(b []byte) (int, error) { fmt.Print(strings.ToUpper(string(b))); return len(b), nil }
func main() {
	io.Copy(os.Stdout, rot13{strings.NewReader("Uryyb, jbeyq!\n")})
	c := &counting{Writer: upper{}}
	fmt.Fprintf(c, "%d bytes %s\n", 12, "written")
	io.WriteString(c, "tail\n")
	fmt.Println(c.n)
	sc := bufio.NewScanner(strings.NewReader("one two\nthree\n\nfour"))
	lines := 0
	for sc.Scan() {
		lines++
		fmt.Printf("%q ", sc.Text())
	}
	fmt.Println(lines, sc.Err())
	ws := bufio.NewScanner(strings.NewReader("a bb ccc"))
	ws.Split(bufio.ScanWords)
	for ws.Scan() {
		fmt.Print(len(ws.Bytes()))
	}
	fmt.Println()
	var buf bytes.Buffer
	w := bufio.NewWriter(io.MultiWriter(&buf, c))
	w.WriteString("buffered")
	fmt.Print(buf.Len(), " ")
	w.Flush()
	fmt.Println(buf.String(), c.n)
	var x, y int
	n, err := fmt.Sscanf("7-8", "%d-%d", &x, &y)
	fmt.Println(n, err, x, y)
	pr, pw := io.Pipe()
	go func() { fmt.Fprint(pw, "through a pipe"); pw.Close() }()
	all, _ := io.ReadAll(io.LimitReader(pr, 9))
	fmt.Println(string(all))
	fmt.Fprintln(os.Stderr, "to stderr")
}
