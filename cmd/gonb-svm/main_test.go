package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary the program gonb-svm for the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gonb-svm": main})
}

// TestScripts runs the command line as a user does: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	examples, err := os.ReadDir("testdata/script")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	notebooks, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", notebooks+"/../../notebooks/examples")
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			return nil
		},
	})
}
