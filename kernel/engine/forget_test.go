package engine

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

func TestForget(t *testing.T) {
	s := newSession(t)
	s.must("import str \"strings\"\ntype T struct{ x int }\nfunc (t T) Double() int { return 2 * t.x }\nfunc f() int { return a }\nvar a = 1\nconst K = 3")
	s.must("b := a + 1\nc := b\nnext := func() int { c++; return c }")
	for name, want := range map[string]string{"a": "used by f", "none": "not declared"} {
		if err := s.e.Forget(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Forget(%s): %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"f", "a", "T", "K", "str", "b", "c"} {
		if err := s.e.Forget(name); err != nil {
			t.Errorf("Forget(%s): %v", name, err)
		}
	}
	for _, source := range []string{"f()", "a", "T{}", "K", "b", "c"} {
		if _, err := s.run(context.Background(), source); err == nil || !strings.Contains(err.Error(), "undefined") {
			t.Errorf("%s: %v", source, err)
		}
	}
	if v := s.must("next()"); v.Any != 3 {
		t.Errorf("a closure sees %v in a forgotten variable, want 3", v.Any)
	}
	s.must("type T string\nfunc (t T) Double() T { return t + t }\na := T(\"x\")")
	if v := s.must("a.Double()"); v.Text != "xx" {
		t.Errorf("%q after the names were declared anew", v.Text)
	}
	for _, n := range s.e.Names() {
		if n.Name == "b" || n.Name == "c" {
			t.Errorf("%s is still listed", n.Name)
		}
	}
}

func TestForgetReleasesMemory(t *testing.T) {
	s := newSession(t)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	s.must("big := make([]byte, 64<<20)\nfor i := range big { if i > 9 { break }; big[i] = 1 }")
	with := heap()
	if err := s.e.Forget("big"); err != nil {
		t.Fatal(err)
	}
	if now := heap(); now+(32<<20) > with {
		t.Errorf("%d MB before, %d MB after", with>>20, now>>20)
	}
}
