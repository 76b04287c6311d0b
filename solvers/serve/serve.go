// Package serve answers predictions of a model over HTTP, for programs in other languages.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Limits keep a server usable; the zero value is right for most.
type Limits struct {
	MaxBytes int64         // of a request's body; 0: 16 MiB
	Timeout  time.Duration // of a request; 0: 10 s
}

func (l Limits) maxBytes() int64 {
	if l.MaxBytes == 0 {
		return 16 << 20
	}
	return l.MaxBytes
}

func (l Limits) timeout() time.Duration {
	if l.Timeout == 0 {
		return 10 * time.Second
	}
	return l.Timeout
}

// Serve answers requests on the listener until ctx ends; those begun are then answered, within the
// limit of time. It returns nil when ctx ended it.
func Serve(ctx context.Context, listener net.Listener, m *solvers.MultiModel, limits Limits) error {
	server := &http.Server{
		Handler:           Handler(m, limits),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       limits.timeout(),
		WriteTimeout:      2 * limits.timeout(),
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), limits.timeout())
		defer cancel()
		done <- server.Shutdown(late)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return <-done
}

// Handler answers
//
//	GET  /         what the model is, as JSON
//	POST /predict  classes of rows
//
// The rows are JSON or LIBSVM text, as Content-Type says. In JSON, {"rows": [[0.5, 0, 1], {"3": 1}]}, a row is
// a list of all features, or an object of those that are not 0 by their numbers from 1; the answer is
// {"labels": [1, -1], "decisions": [0.7, -1.2]}. With more than two classes, the decisions of a row are a list,
// of the machines in their order, which GET / tells. In text/plain, lines of a label, which is not looked at,
// and features as 3:1; the answer is a label on each line.
//
// An error is JSON too, {"error": "..."}: 400 for rows that cannot be read, 413 for too many bytes, 415 for
// another type, 503 when the time is up.
func Handler(m *solvers.MultiModel, limits Limits) http.Handler {
	h := &handler{model: m, limits: limits}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.describe)
	mux.HandleFunc("POST /predict", h.predict)
	return mux
}

type handler struct {
	model  *solvers.MultiModel
	limits Limits
}

func (h *handler) describe(w http.ResponseWriter, _ *http.Request) {
	first := h.model.Machines[0]
	about := map[string]any{"model": Describe(h.model), "kernel": first.Kernel.String(),
		"vectors": h.model.SupportSize(), "labels": h.model.Labels}
	if !twoClasses(h.model) {
		machines := make([]map[string]any, len(h.model.Machines))
		for k, machine := range h.model.Machines {
			machines[k] = map[string]any{"positive": machine.Positive}
			if !math.IsNaN(machine.Negative) {
				machines[k]["negative"] = machine.Negative
			}
		}
		about["machines"] = machines
	}
	answer(w, http.StatusOK, about)
}

// Describe is the model in one line.
func Describe(m *solvers.MultiModel) string {
	if twoClasses(m) {
		return m.Machines[0].Model.String()
	}
	return fmt.Sprintf("%v: %d classes, %d machines, %d support vectors", m.Machines[0].Kernel, len(m.Classes), len(m.Machines), m.SupportSize())
}

func twoClasses(m *solvers.MultiModel) bool { return len(m.Classes) == 2 }

// TwoClass is a model of two classes as one of several.
func TwoClass(m *solvers.Model) *solvers.MultiModel {
	several := &solvers.MultiModel{Classes: []float64{-1, 1}, Labels: []float64{-1, 1}, Pairs: true,
		Machines: []solvers.Machine{{Model: m, Positive: 1, Negative: -1}}}
	if len(m.Labels) == 2 {
		several.Labels = m.Labels
	}
	return several
}

func (h *handler) predict(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), h.limits.timeout())
	defer cancel()
	body := http.MaxBytesReader(w, r.Body, h.limits.maxBytes())
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	read := map[string]func(io.Reader) (*solvers.Dataset, error){"application/json": readJSON, "text/plain": readText}[kind]
	if read == nil {
		fail(w, http.StatusUnsupportedMediaType, fmt.Errorf("Content-Type %q: want application/json or text/plain", kind))
		return
	}
	rows, err := read(body)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the rows are more than %d bytes; send them in parts", tooLarge.Limit))
		return
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	decisions, err := Decisions(ctx, h.model, rows)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, fmt.Errorf("not done within %v; send fewer rows", h.limits.timeout()))
		return
	}
	labels := make([]float64, len(decisions))
	for i, f := range decisions {
		labels[i] = h.model.Label(f)
	}
	if kind == "text/plain" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		var text []byte
		for _, l := range labels {
			text = append(strconv.AppendFloat(text, l, 'g', -1, 64), '\n')
		}
		w.Write(text)
		return
	}
	var shown any = decisions
	if twoClasses(h.model) {
		shown = slices.Concat(append(decisions, []float64{})...) // a list in any case
	}
	answer(w, http.StatusOK, struct {
		Labels    []float64 `json:"labels"`
		Decisions any       `json:"decisions"`
	}{labels, shown})
}

// chunk is the number of rows after which the time is looked at.
const chunk = 4096

// Decisions are the decision values of all rows in their order, of each machine. When ctx ends the
// error is ctx.Err().
func Decisions(ctx context.Context, m *solvers.MultiModel, rows *solvers.Dataset) ([][]float64, error) {
	decisions := make([][]float64, 0, rows.Len())
	for x := range slices.Chunk(rows.X, chunk) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		decisions = append(decisions, m.Decisions(&solvers.Dataset{Dim: rows.Dim, X: x})...)
	}
	return decisions, nil
}

func readText(r io.Reader) (*solvers.Dataset, error) { return solvers.ReadLIBSVM(r, "rows") }

// readJSON reads {"rows": [...]} and refuses what it does not know, so that a mistake is told.
func readJSON(r io.Reader) (*solvers.Dataset, error) {
	var request struct {
		Rows []jsonRow `json:"rows"`
	}
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return nil, fmt.Errorf("JSON: %w", err)
	}
	if request.Rows == nil {
		return nil, errors.New(`JSON: want {"rows": [...]}`)
	}
	d := &solvers.Dataset{Name: "rows"}
	for _, row := range request.Rows {
		x := solvers.Vector(row)
		if n := len(x.Index); n > 0 {
			d.Dim = max(d.Dim, int(x.Index[n-1])+1)
		}
		d.X = append(d.X, x)
	}
	return d, nil
}

// jsonRow is a row as a list or as an object.
type jsonRow solvers.Vector

func (x *jsonRow) UnmarshalJSON(data []byte) error {
	*x = jsonRow{}
	if data[0] == '[' {
		var list []float64
		if err := json.Unmarshal(data, &list); err != nil {
			return err
		}
		for j, v := range list {
			if v != 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
			}
		}
		return nil
	}
	var object map[string]float64
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	if object == nil {
		return errors.New("a row is null; want a list or an object")
	}
	for name, v := range object {
		feature, err := strconv.ParseInt(name, 10, 32)
		if err != nil || feature < 1 || feature > math.MaxInt32 {
			return fmt.Errorf("feature %q: want a number from 1 on", name)
		}
		if v != 0 {
			x.Index = append(x.Index, int32(feature-1))
		}
	}
	slices.Sort(x.Index)
	for _, j := range x.Index {
		v, ok := object[strconv.Itoa(int(j)+1)]
		if !ok {
			return fmt.Errorf("feature %d: want its number without signs and zeros before it", j+1)
		}
		x.Value = append(x.Value, v)
	}
	if len(slices.Compact(slices.Clone(x.Index))) < len(x.Index) {
		return errors.New("a feature is there twice")
	}
	return nil
}

func fail(w http.ResponseWriter, code int, err error) {
	answer(w, code, map[string]string{"error": err.Error()})
}

func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}
