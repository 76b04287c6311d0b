package export

import (
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// layout is how the vectors lie in memory; the smallest is taken.
type layout int

const (
	denseLayout  layout = iota // count × dim values
	sparseLayout               // nonzero values with their features
	binaryLayout               // features only: all nonzero values are the same
)

// storage is vectors of values V in memory.
type storage[V float32 | int32] struct {
	layout   layout
	dim      int
	values   []V   // denseLayout: count × dim; sparseLayout: one per index; binaryLayout: the one value
	index    []int // features, ascending within a vector
	start    []int // start[i] is the first index of vector i; its end is start[i+1]
	count    int
	perValue int // bytes
}

// store takes the layout with the fewest bytes, perValue for a value.
func store[V float32 | int32](vectors []solvers.Vector, dim, perValue int, value func(feature int, v float64) V) storage[V] {
	s := storage[V]{dim: dim, count: len(vectors), perValue: perValue, start: []int{0}}
	var nonzero []V
	for _, x := range vectors {
		for p, j := range x.Index {
			if v := value(int(j), x.Value[p]); v != 0 {
				nonzero = append(nonzero, v)
				s.index = append(s.index, int(j))
			}
		}
		s.start = append(s.start, len(s.index))
	}
	s.layout, s.values = sparseLayout, nonzero
	if len(nonzero) > 0 && len(slices.Compact(slices.Clone(nonzero))) == 1 {
		s.layout, s.values = binaryLayout, nonzero[:1]
	}
	if s.bytes() < s.count*dim*perValue {
		return s
	}
	s.layout, s.values = denseLayout, make([]V, s.count*dim)
	for i := range s.count {
		for p := s.start[i]; p < s.start[i+1]; p++ {
			s.values[i*dim+s.index[p]] = nonzero[p]
		}
	}
	s.index, s.start = nil, nil
	return s
}

// bytes of the arrays.
func (s *storage[V]) bytes() int {
	switch s.layout {
	case denseLayout:
		return len(s.values) * s.perValue
	case binaryLayout:
		return len(s.index)*s.indexBytes() + len(s.start)*s.startBytes()
	}
	return len(s.values)*s.perValue + len(s.index)*s.indexBytes() + len(s.start)*s.startBytes()
}

func (s *storage[V]) indexBytes() int { return unsignedBytes(s.dim - 1) }

func (s *storage[V]) startBytes() int { return unsignedBytes(len(s.index)) }

// unsignedBytes is the size of the smallest unsigned integer that holds n.
func unsignedBytes(n int) int {
	switch {
	case n < 1<<8:
		return 1
	case n < 1<<16:
		return 2
	}
	return 4
}

// each calls f with the stored values of vector i, and their features; the zeros of a dense layout
// are among them.
func (s *storage[V]) each(i int, f func(feature int, v V)) {
	if s.layout == denseLayout {
		for j, v := range s.values[i*s.dim : (i+1)*s.dim] {
			f(j, v)
		}
		return
	}
	for p := s.start[i]; p < s.start[i+1]; p++ {
		v := s.values[0]
		if s.layout == sparseLayout {
			v = s.values[p]
		}
		f(s.index[p], v)
	}
}

// stored is the number of values that a prediction reads.
func (s *storage[V]) stored() int {
	if s.layout == denseLayout {
		return len(s.values)
	}
	return len(s.index)
}
