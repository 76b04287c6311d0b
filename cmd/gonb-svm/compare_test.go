package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCompareNotebook runs the comparison of all methods in a small form on a set inside the binary:
// with few methods, vectors and splits. It is killed after its first result, and started again: it must
// come to its end, keep the results that it had and leave none twice.
func TestCompareNotebook(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a notebook of several seconds")
	}
	program, environment := installed(t)
	folder := t.TempDir()
	file, out := filepath.Join(folder, "compare.jsonl"), filepath.Join(folder, "compared.ipynb")
	run := func() *exec.Cmd {
		cmd := exec.Command(program, "run", "-p", "sets=mnist38", "-p", "budget=6", "-p", "splits=3", "-p", "workers=1",
			"-p", "only=SMO,RSVM,Prune,RBP,Random rows", "-p", "file="+file, "-o", out, "../../notebooks/reproduction/compare.ipynb")
		cmd.Env = append(environment, "GONB_SVM_DATA=")
		return cmd
	}
	killed := run()
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- killed.Wait() }()
	for waiting := true; waiting; {
		select {
		case err := <-ended: // on a machine that does other things it may be at the end when it is looked at
			if ended <- err; err != nil {
				t.Fatalf("it ended before it was killed: %v", err)
			}
			waiting = false
		case <-time.After(10 * time.Millisecond):
			text, _ := os.ReadFile(file)
			waiting = !bytes.Contains(text, []byte("\n"))
		}
	}
	_ = killed.Process.Kill()
	<-ended
	before := must(os.ReadFile(file))
	before = before[:bytes.LastIndexByte(before, '\n')+1]
	if text, err := run().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	after := must(os.ReadFile(file))
	if !bytes.HasPrefix(after, before) {
		t.Error("the results from before the kill are gone")
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(after) {
		var result struct{ Key, Error string }
		if err := json.Unmarshal(line, &result); err != nil || result.Error != "" || seen[result.Key] {
			t.Errorf("%v, %q, again %v: %.200s", err, result.Error, seen[result.Key], line)
		}
		seen[result.Key] = true
	}
	if len(seen) != 18 {
		t.Errorf("%d results, want 18", len(seen))
	}
	shown := string(must(os.ReadFile(out)))
	for _, want := range []string{"RSVM", "Prune + Refit", "RBP", "Random rows alone", "reference: ", "figures are met", "| mnist38 | SMO | 1 |", "<svg"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the executed notebook does not show %q", want)
		}
	}
}
