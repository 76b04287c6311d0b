package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/serve"
)

func model(t testing.TB) (*solvers.Model, *solvers.Dataset) {
	t.Helper()
	train, test, err := datasets.Load("mnist38")
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 0.02}, C: 1}.Fit(context.Background(), train.Subset(numbers(300)))
	if err != nil {
		t.Fatal(err)
	}
	return r.Model, test
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func post(t testing.TB, url, kind, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url+"/predict", kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// Lists, objects and text get the model's own decision values and labels.
func TestPredict(t *testing.T) {
	m, test := model(t)
	server := httptest.NewServer(serve.Handler(serve.TwoClass(m), serve.Limits{}))
	defer server.Close()
	d := test.Subset(numbers(200))
	want := m.Decisions(d)
	var rows []any
	for i, x := range d.X {
		if i%2 == 0 {
			list := make([]float64, d.Dim)
			for p, j := range x.Index {
				list[j] = x.Value[p]
			}
			rows = append(rows, list)
			continue
		}
		object := map[string]float64{}
		for p, j := range x.Index {
			object[fmt.Sprint(j+1)] = x.Value[p]
		}
		rows = append(rows, object)
	}
	body, err := json.Marshal(map[string]any{"rows": rows})
	if err != nil {
		t.Fatal(err)
	}
	code, text := post(t, server.URL, "application/json; charset=utf-8", string(body))
	var got struct{ Labels, Decisions []float64 }
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 200 {
		t.Fatalf("%d %.300s: %v", code, text, err)
	}
	var b bytes.Buffer
	if err := datasets.WriteLIBSVM(&b, d); err != nil {
		t.Fatal(err)
	}
	_, lines := post(t, server.URL, "text/plain", b.String())
	plain := strings.Fields(lines)
	checked := 0
	for i, f := range want {
		label := map[bool]float64{true: 3, false: 8}[f < 0]
		if got.Decisions[i] != f || got.Labels[i] != label || plain[i] != fmt.Sprint(label) {
			t.Errorf("row %d: %g, %g and %s, want %g, %g", i, got.Decisions[i], got.Labels[i], plain[i], f, label)
		}
		checked++
	}
	if checked != 200 || len(got.Labels) != 200 || len(plain) != 200 {
		t.Errorf("%d rows checked of %d and %d", checked, len(got.Labels), len(plain))
	}
}

func TestErrors(t *testing.T) {
	m, _ := model(t)
	server := httptest.NewServer(serve.Handler(serve.TwoClass(m), serve.Limits{MaxBytes: 2000}))
	defer server.Close()
	for _, c := range []struct {
		kind, body string
		code       int
		want       string
	}{
		{"application/json", `{"rows": [[1, 2`, 400, "JSON: unexpected EOF"},
		{"application/json", `{"row": []}`, 400, "unknown field"},
		{"application/json", `{}`, 400, "want {\\\"rows\\\""},
		{"application/json", `{"rows": [{"0": 1}]}`, 400, "want a number from 1 on"},
		{"application/json", `{"rows": [{"x": 1}]}`, 400, "want a number from 1 on"},
		{"application/json", `{"rows": [{"01": 1}]}`, 400, "without signs and zeros"},
		{"application/json", `{"rows": [null]}`, 400, "null"},
		{"application/json", `{"rows": [[1e999]]}`, 400, "1e999"},
		{"application/json", `{"rows": [[` + strings.Repeat("1, ", 1000) + `1]]}`, 413, "more than 2000 bytes"},
		{"text/plain", "1 3:1 2:1\n", 400, "indices must increase"},
		{"image/png", "x", 415, "want application/json or text/plain"},
	} {
		code, text := post(t, server.URL, c.kind, c.body)
		var got struct{ Error string }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s %.40s: %d %s (%v), want %d with %q", c.kind, c.body, code, text, err, c.code, c.want)
		}
	}
	r, err := http.Get(server.URL + "/predict")
	if err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET /predict: %v %v", r.Status, err)
	}
}

// A request whose time is up is told so.
func TestTimeout(t *testing.T) {
	m, test := model(t)
	ctx, cancel := context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	if _, err := serve.Decisions(ctx, serve.TwoClass(m), test); err != context.DeadlineExceeded {
		t.Errorf("error %v", err)
	}
	server := httptest.NewServer(serve.Handler(serve.TwoClass(m), serve.Limits{Timeout: time.Nanosecond}))
	defer server.Close()
	if code, text := post(t, server.URL, "application/json", `{"rows": [[1]]}`); code != 503 || !strings.Contains(text, "fewer rows") {
		t.Errorf("%d %s", code, text)
	}
}

// A server ends when its context does, and what it is, it says.
func TestServe(t *testing.T) {
	m, _ := model(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- serve.Serve(ctx, listener, serve.TwoClass(m), serve.Limits{}) }()
	r, err := http.Get("http://" + listener.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"vectors":%d`, m.SupportSize())) || !strings.Contains(string(text), `"labels":[3,8]`) {
		t.Errorf("%s %v", text, err)
	}
	r.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		t.Error("the server still listens")
	}
}

func FuzzJSON(f *testing.F) {
	m, _ := model(f)
	h := serve.Handler(serve.TwoClass(m), serve.Limits{})
	for _, s := range []string{`{"rows": [[1, 2], {"3": 1}]}`, `{"rows": [[]]}`, `{"rows": [{"2147483647": 1}]}`, `{"rows": [null, 3, "x"]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/predict", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 200 && w.Code != 400 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func BenchmarkPredict(b *testing.B) {
	m, test := model(b)
	h := serve.Handler(serve.TwoClass(m), serve.Limits{})
	var text bytes.Buffer
	if err := datasets.WriteLIBSVM(&text, test); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := httptest.NewRequest("POST", "/predict", bytes.NewReader(text.Bytes()))
		r.Header.Set("Content-Type", "text/plain")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
	b.ReportMetric(float64(test.Len())*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// A model of three classes answers with its labels and the decision values of all pairs.
func TestSeveralClasses(t *testing.T) {
	train, err := solvers.FromDense([][]float64{{0, 1}, {0, 2}, {3, 0}, {4, 1}, {-3, -2}, {-4, -3}}, []float64{5, 5, 7, 7, -2, -2})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []solvers.MultiSolver{solvers.OneVsOne{Solver: solvers.SMO{Kernel: solvers.Linear{}, C: 10}}, solvers.OneVsRest{Solver: solvers.SMO{Kernel: solvers.RBF{Gamma: 0.1}}}} {
		r, err := s.Fit(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(serve.Handler(r.MultiModel, serve.Limits{}))
		code, text := post(t, server.URL, "application/json", `{"rows": [[0, 1], [0, 2], [3, 0], [4, 1], [-3, -2], [-4, -3]]}`)
		var got struct {
			Labels    []float64
			Decisions [][]float64
		}
		if err := json.Unmarshal([]byte(text), &got); code != 200 || err != nil {
			t.Fatalf("%d %s: %v", code, text, err)
		}
		if fmt.Sprint(got.Labels) != fmt.Sprint(train.Y) || fmt.Sprint(got.Decisions) != fmt.Sprint(r.Decisions(train)) {
			t.Errorf("%s: %s, want %v and %v", s.Name(), text, train.Y, r.Decisions(train))
		}
		if _, text := post(t, server.URL, "text/plain", "0 2:1\n0 1:-4 2:-3\n"); text != "5\n-2\n" {
			t.Errorf("%s: %q", s.Name(), text)
		}
		answer, err := http.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		about, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(about), `"labels":[-2,5,7]`) || !strings.Contains(string(about), `"positive":5`) {
			t.Errorf("%s: %v %s", s.Name(), err, about)
		}
		server.Close()
	}
}
