package listing

import "testing"

func TestLoad(t *testing.T) {
	for _, g := range All()[:2] {
		found, err := Load(Platform{}, g.Patterns...)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range found {
			n += len(p.Scope().Names())
		}
		t.Logf("%s: %d packages, %d names", g.Name, len(found), n)
		if n == 0 {
			t.Errorf("%s: no names", g.Name)
		}
	}
}
