package solvers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// SweepSpec is a comparison that other processes run, maybe on other machines: where its data are, how
// models are judged, what is compared. It can be written as JSON and read from it:
//
//	{"Train": {"Name": "a8a", "Rows": 2000}, "HeldOut": {"Name": "a8a"},
//	 "Protocol": {"Splits": 10},
//	 "Methods": [{"Solver": {"ISSVM": {"Aggressive": true}},
//	              "Reference": {"SMO": {"C": 1, "Kernel": {"RBF": {"Gamma": 0.1}}}},
//	              "Grid": {"Eta": [0.25, 1], "Epsilon": [0.25, 0.5]}}]}
//
// Its trials are those of Protocol.Compare on the same data, with the same keys, so that results
// can go from the one to the other. The program gonb-svm-sweep runs it.
type SweepSpec struct {
	Train, HeldOut SweepSource
	Protocol       Protocol // Workers and File are not written
	Methods        []Method
}

// SweepSource says where the rows of a sweep are, and how they are known again.
type SweepSource struct {
	Name string `json:",omitempty"` // a set of the catalogue: Train takes its training part, HeldOut its test part
	File string `json:",omitempty"` // else a path or URL of LIBSVM text, a CSV table or IDX images
	Dim  int    `json:",omitempty"` // features, if there are more than the greatest index in File says
	// Positive and Negative are the labels of the two classes, as in Dataset.Groups. Without Negative it
	// is all others. Both empty: the data has two classes.
	Positive, Negative []float64 `json:",omitempty"`
	// Rows is how many rows are taken at most, by Dataset.Split with Seed. 0: all
	Rows     int    `json:",omitempty"`
	Seed     uint64 `json:",omitempty"`
	Checksum string `json:",omitempty"` // Dataset.Checksum of these rows; "": any are right
}

// ReadSweep reads the JSON of a sweep. The error says where it is wrong.
func ReadSweep(r io.Reader) (*SweepSpec, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	var s SweepSpec
	if err := decoder.Decode(&s); err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	if len(s.Methods) == 0 {
		return nil, errors.New(`sweep: no Methods: want at least one, as {"Solver": {"SMO": {"C": 10}}}`)
	}
	return &s, nil
}

// Load reads the data and checks it against the checksums and for what trials need. open opens what has "://" in
// its name.
func (s *SweepSpec) Load(ctx context.Context, open func(ctx context.Context, address string) (io.ReadCloser, error)) (train, heldOut *Dataset, err error) {
	if train, err = s.Train.load(ctx, false, open); err != nil {
		return nil, nil, fmt.Errorf("sweep: Train: %w", err)
	}
	if heldOut, err = s.HeldOut.load(ctx, true, open); err != nil {
		return nil, nil, fmt.Errorf("sweep: HeldOut: %w", err)
	}
	if err := checkTrain(train); err != nil {
		return nil, nil, fmt.Errorf("sweep: Train: %w", err)
	}
	if _, err := s.Protocol.judge(heldOut); err != nil {
		return nil, nil, fmt.Errorf("sweep: %w", err)
	}
	return train, heldOut, nil
}

func (s *SweepSource) load(ctx context.Context, test bool, open func(ctx context.Context, address string) (io.ReadCloser, error)) (*Dataset, error) {
	d, err := s.whole(ctx, test, open)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Dim < 0 || s.Rows < 0:
		return nil, fmt.Errorf("SweepSource.Dim = %d, Rows = %d: want ≥ 0 (0: as there are)", s.Dim, s.Rows)
	case s.Dim > 0 && s.Dim < d.Dim:
		return nil, fmt.Errorf("SweepSource.Dim = %d: there are %d features", s.Dim, d.Dim)
	case s.Dim > 0:
		d.Dim = s.Dim
	}
	switch {
	case len(s.Positive) > 0 && len(s.Negative) > 0:
		d = d.Groups(s.Negative, s.Positive)
	case len(s.Positive) > 1:
		return nil, fmt.Errorf("SweepSource.Positive = %v: with more than one label want Negative, too", s.Positive)
	case len(s.Positive) == 1:
		d = d.OneAgainst(s.Positive[0])
	case len(s.Negative) > 0:
		return nil, fmt.Errorf("SweepSource.Negative = %v: want Positive, too", s.Negative)
	}
	if s.Rows > 0 && s.Rows < d.Len() {
		d, _ = d.Split(float64(s.Rows)/float64(d.Len()), s.Seed)
	}
	if sum := d.Checksum(); s.Checksum != "" && sum != s.Checksum {
		return nil, fmt.Errorf("%s has the checksum %.12s…, want %.12s…: these are other rows", d.Name, sum, s.Checksum)
	}
	return d, nil
}

// whole is all rows there are.
func (s *SweepSource) whole(ctx context.Context, test bool, open func(ctx context.Context, address string) (io.ReadCloser, error)) (*Dataset, error) {
	switch {
	case s.Name != "" && s.File != "":
		return nil, fmt.Errorf("both Name %q and File %q: want one", s.Name, s.File)
	case s.Name != "":
		train, rest, err := datasets.Catalogue{}.Load(ctx, s.Name)
		if test {
			return rest, err
		}
		return train, err
	case s.File == "":
		return nil, errors.New("neither Name nor File: want where the rows are")
	case strings.Contains(s.File, "://"):
		return loadRemote(ctx, s.File, open)
	}
	return datasets.LoadFile(s.File)
}

// loadRemote copies a file to this machine and reads it.
func loadRemote(ctx context.Context, address string, open func(ctx context.Context, address string) (io.ReadCloser, error)) (*Dataset, error) {
	folder, err := os.MkdirTemp("", "gonb-svm-sweep-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	from, err := open(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	defer from.Close()
	path := filepath.Join(folder, filepath.Base(filepath.FromSlash(strings.TrimRight(address, "/"))))
	to, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	d, err := datasets.LoadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return d, nil
}

// Trials are those of the sweep, each once; references, which others need, come first. Both
// checksums must be there.
func (s *SweepSpec) Trials() ([]Trial, error) {
	plan, err := s.plan()
	if err != nil {
		return nil, err
	}
	return plan.all(), nil
}

// Comparison is what Compare would come to with these results; trials without result are Missing.
// Both checksums must be there.
func (s *SweepSpec) Comparison(results []TrialResult) (*Comparison, error) {
	plan, err := s.plan()
	if err != nil {
		return nil, err
	}
	return plan.comparison(byKey(results)), nil
}

func (s *SweepSpec) plan() (*plan, error) {
	if s.Train.Checksum == "" || s.HeldOut.Checksum == "" {
		return nil, errors.New("sweep: no checksums of the data: load it first")
	}
	var methods []Solver
	for _, m := range s.Methods {
		methods = append(methods, m)
	}
	name := s.Train.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(s.Train.File), filepath.Ext(s.Train.File))
	}
	return s.Protocol.planFor(newSpecs(), dataKey{name, s.Train.Checksum, s.HeldOut.Checksum}, methods)
}

// methodJSON is the form of a Method.
type methodJSON struct {
	Label     string          `json:",omitempty"`
	Solver    json.RawMessage `json:",omitempty"`
	Reference json.RawMessage `json:",omitempty"`
	Grid      Grid            `json:",omitempty"`
}

// MarshalJSON writes the method with its solvers as Trial has them. It is an error if one has
// something that cannot be written down, such as a KernelFunc or a model.
func (m Method) MarshalJSON() ([]byte, error) {
	form := methodJSON{Label: m.Label, Grid: m.Grid}
	for _, part := range []struct {
		solver Solver
		text   *json.RawMessage
	}{{m.Solver, &form.Solver}, {m.Reference, &form.Reference}} {
		if part.solver == nil {
			continue
		}
		s := newSpecs()
		spec, err := s.write(part.solver)
		switch {
		case err != nil:
			return nil, err
		case len(s.local) > 0:
			return nil, fmt.Errorf("Method %q: %T cannot be written down, so that other processes do not have it", m.Name(), s.local[0])
		case len(s.models) > 0:
			return nil, fmt.Errorf("Method %q: %s has a model: give the Method's Reference, the solver that fits it, instead", m.Name(), part.solver.Name())
		}
		if *part.text, err = json.Marshal(spec); err != nil {
			return nil, err
		}
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Method) UnmarshalJSON(data []byte) error {
	var form methodJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&form); err != nil {
		return fmt.Errorf("method: %w", err)
	}
	if form.Solver == nil {
		return fmt.Errorf(`method %.60s: no Solver: want one such as {"SMO": {"C": 10}}`, data)
	}
	s := newSpecs()
	s.fit = func(json.RawMessage, Solver) (*Model, error) {
		return nil, errors.New("want it beside the Solver, as the Method's Reference")
	}
	read := Method{Label: form.Label, Grid: form.Grid}
	var err error
	if read.Solver, err = s.readSolver(form.Solver); err != nil {
		return fmt.Errorf("method: Solver: %w", err)
	}
	if form.Reference != nil {
		if read.Reference, err = s.readSolver(form.Reference); err != nil {
			return fmt.Errorf("method: Reference: %w", err)
		}
	}
	*m = read
	return nil
}
