package engine

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var goRun = flag.String("gorun", "", "compare: check the expected outputs of testdata/programs against the Go compiler; write: make them")

// program is a Go program of one file with its expected output.
type program struct {
	name, source, want string
}

// readPrograms reads testdata/programs.
func readPrograms(t *testing.T) (l []program) {
	files, _ := filepath.Glob("testdata/programs/*.go")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		if err != nil && *goRun == "" {
			t.Fatal(err)
		}
		l = append(l, program{strings.TrimSuffix(filepath.Base(file), ".go"), string(source), string(want)})
	}
	return l
}

// compiled gives the standard output of programs as the Go compiler makes them.
func compiled(t *testing.T, l []program) (outputs []string) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module programs\n\ngo 1.26\n")
	for _, p := range l {
		write(p.name+"/main.go", p.source)
	}
	if err := os.Mkdir(filepath.Join(folder, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", "bin", "./...")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, p := range l {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		c := exec.CommandContext(ctx, filepath.Join(folder, "bin", p.name))
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Run(); err != nil {
			t.Errorf("%s, compiled: %v", p.name, err)
		}
		cancel()
		outputs = append(outputs, out.String())
	}
	return outputs
}

// cuts gives the ways in which a program is made into cells: whole, without its package clause, a
// cell for each declaration, and a cell for each declaration and each statement of main. A program
// whose first line is "// cut: declarations" has a main that means another thing when it is cut.
func cuts(t *testing.T, source string) map[string][]string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text := func(from, to token.Pos) string { return source[fset.Position(from).Offset:fset.Position(to).Offset] }
	var declarations []string
	var main *ast.FuncDecl
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "main" {
			main = fd
			continue
		}
		declarations = append(declarations, text(d.Pos(), d.End()))
	}
	whole := text(f.Name.End(), main.End())
	all := declarations[:len(declarations):len(declarations)]
	c := map[string][]string{"program": {source}, "cell": {whole}, "declarations": append(all, text(main.Pos(), main.End()))}
	if strings.HasPrefix(source, "// cut: declarations\n") {
		return c
	}
	for _, s := range main.Body.List {
		if _, ok := s.(*ast.DeferStmt); ok { // runs at the end of its cell
			all = append(all, text(s.Pos(), main.Body.Rbrace))
			break
		}
		all = append(all, text(s.Pos(), s.End()))
	}
	c["statements"] = all
	return c
}

// output runs cells on a new engine and gives what they print.
func output(t testing.TB, cells []string) (out string, err error) {
	e := newEngine(t)
	defer e.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var b strings.Builder
	for i, cell := range cells {
		if _, err := e.Run(ctx, Cell{fmt.Sprintf("In[%d]", i+1), cell}, Streams{Stdout: func(s string) { b.WriteString(s) }}); err != nil {
			return b.String(), fmt.Errorf("cell %d: %w\n%s", i+1, err, cell)
		}
	}
	return b.String(), nil
}

// TestProgramsCutInPieces runs programs whole and cut into cells: their output is that of go run.
func TestProgramsCutInPieces(t *testing.T) {
	l := readPrograms(t)
	if *goRun != "" {
		for i, out := range compiled(t, l) {
			if *goRun == "write" {
				l[i].want = out
				if err := os.WriteFile("testdata/programs/"+l[i].name+".out", []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if out != l[i].want {
				t.Errorf("%s.out is not what the compiled program prints:\n%s", l[i].name, out)
			}
		}
	}
	ran := 0
	for _, p := range l {
		t.Run(p.name, func(t *testing.T) {
			c := cuts(t, p.source)
			for _, way := range sortedKeys(c) {
				ran++
				if testing.Short() && way != "statements" {
					continue
				}
				out, err := output(t, c[way])
				if err != nil {
					t.Errorf("%s: %v", way, err)
				} else if out != p.want {
					t.Errorf("%s: %s", way, difference(out, p.want))
				}
			}
		})
	}
	if ran < 3*len(l) || ran == 0 {
		t.Errorf("%d runs of %d programs", ran, len(l))
	}
}

// difference shows the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "nothing", "nothing"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d is %q, want %q", i+1, a, b)
		}
	}
	return ""
}
