// Gorun runs Go programs in the engine: one, or the run programs of Go's own test suite.
//
//	gorun FILE.go
//	gorun -suite [-t 10s] [-j 2] [-failures FILE] [PATTERN...]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/unrestricted"

	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/gosuite"
)

func main() {
	suite := flag.Bool("suite", false, "run the programs of Go's test suite")
	limit := flag.Duration("t", 10*time.Second, "time limit of one program")
	jobs := flag.Int("j", 2, "programs at a time")
	flag.BoolVar(&dump, "dump", false, "write the lowered text to standard error")
	failures := flag.String("failures", "", "file to write the failures to")
	flag.Parse()
	if *suite {
		runSuite(flag.Args(), *limit, *jobs, *failures)
		return
	}
	os.Exit(runFile(flag.Arg(0)))
}

var dump bool

func trace(unit string) {
	if dump {
		fmt.Fprintln(os.Stderr, unit)
	}
}

// runFile runs one program and gives its exit code.
func runFile(path string) int {
	src, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	symbols := stdlib.Symbols
	for k, t := range unrestricted.Symbols {
		if symbols[k] == nil {
			symbols[k] = t
		}
		for n, v := range t {
			symbols[k][n] = v
		}
	}
	e, err := engine.New(engine.Options{Symbols: symbols, Folder: filepath.Dir(path), Trace: trace})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, err = e.Run(context.Background(), engine.Cell{Name: filepath.Base(path), Source: string(src)}, engine.Streams{
		Stdout: func(s string) { os.Stdout.WriteString(s) },
		Stderr: func(s string) { os.Stderr.WriteString(s) },
	})
	var exit *engine.ExitError
	var compile *engine.CompileError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &compile):
		fmt.Fprintln(os.Stderr, compile.Kind, compile)
		return 3
	}
	fmt.Fprintln(os.Stderr, err)
	return 2
}

func runSuite(patterns []string, limit time.Duration, jobs int, failures string) {
	programs, err := gosuite.Programs()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	self, _ := os.Executable()
	var mu sync.Mutex
	var failed []string
	passed, ran := 0, 0
	work := make(chan gosuite.Program)
	var wg sync.WaitGroup
	for range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range work {
				reason := run(self, p, limit)
				mu.Lock()
				ran++
				if reason == "" {
					passed++
				} else {
					failed = append(failed, p.Name+"\t"+reason)
					fmt.Println(p.Name, "\t", reason)
				}
				mu.Unlock()
			}
		}()
	}
	for _, p := range programs {
		if matches(p.Name, patterns) {
			work <- p
		}
	}
	close(work)
	wg.Wait()
	sort.Strings(failed)
	fmt.Printf("%d of %d pass\n", passed, ran)
	if failures != "" {
		os.WriteFile(failures, []byte(strings.Join(failed, "\n")+"\n"), 0o644)
	}
}

func matches(name string, patterns []string) bool {
	for _, p := range patterns {
		if strings.Contains(name, p) {
			return true
		}
	}
	return len(patterns) == 0
}

// run runs one program in a process of its own and says why it fails, "" when it passes.
func run(self string, p gosuite.Program, limit time.Duration) string {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, self, p.Path)
	c.Dir = filepath.Dir(p.Path)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	return p.Judge(out.String(), errs.String(), err, ctx.Err() != nil)
}
