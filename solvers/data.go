package solvers

import (
	"io"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// Vector is a sparse row; see datasets.Vector.
type Vector = datasets.Vector

// Dataset is a set of labelled rows; see datasets.Dataset.
type Dataset = datasets.Dataset

// ParseError says where a data file is wrong; see datasets.ParseError.
type ParseError = datasets.ParseError

// ReadLIBSVM reads LIBSVM text; see datasets.ReadLIBSVM.
func ReadLIBSVM(r io.Reader, name string) (*Dataset, error) { return datasets.ReadLIBSVM(r, name) }

// FromDense makes a Dataset of dense rows; see datasets.FromDense.
func FromDense(x [][]float64, y []float64) (*Dataset, error) { return datasets.FromDense(x, y) }
