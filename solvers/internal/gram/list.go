package gram

import "slices"

// listPoints is the number of points of a list: their dot products stay in the first-level
// cache.
const listPoints = 2048

// list is a run of at most listPoints points by feature, so that the dot products of all of
// them with one sparse vector are sums over that vector's features alone.
type list struct {
	features []int32  // those that occur, ascending
	start    []int32  // entries of features[c] are start[c] … start[c+1]-1
	point    []uint16 // within the list
	value    []float64
}

func newList(x []Vector) list {
	count := map[int32]int32{}
	entries := 0
	for _, v := range x {
		entries += len(v.Index)
		for _, feature := range v.Index {
			count[feature]++
		}
	}
	l := list{start: []int32{0}, point: make([]uint16, entries), value: make([]float64, entries)}
	for feature := range count {
		l.features = append(l.features, feature)
	}
	slices.Sort(l.features)
	next, total := make(map[int32]int32, len(count)), int32(0)
	for _, feature := range l.features {
		next[feature] = total
		total += count[feature]
		l.start = append(l.start, total)
	}
	for j, v := range x {
		for k, feature := range v.Index {
			at := next[feature]
			l.point[at], l.value[at] = uint16(j), v.Value[k]
			next[feature] = at + 1
		}
	}
	return l
}

// dots sets out[j] = xᵀz_j for the points of the list.
func (l *list) dots(x Vector, out []float64) {
	clear(out)
	low := 0
	for k, feature := range x.Index {
		at, found := slices.BinarySearch(l.features[low:], feature)
		low += at
		if !found {
			continue
		}
		from, to := l.start[low], l.start[low+1]
		points, values, v := l.point[from:to], l.value[from:to], x.Value[k]
		values = values[:len(points)]
		for p, j := range points {
			out[j] += v * values[p]
		}
	}
}

// fromList computes row r of q for the points from low on, which lie in one list.
func (m *Matrix) fromList(q *Queries, r, low int, out []float64) {
	l := &m.lists[low/listPoints]
	begin := low / listPoints * listPoints
	if size := min(listPoints, m.Len()-begin); len(out) < size {
		all := make([]float64, size)
		l.dots(q.x[r], all)
		copy(out, all[low-begin:])
	} else {
		l.dots(q.x[r], out)
	}
	for j, d := range out {
		out[j] = m.kernel.fromDot(d, q.norms[r], m.points.Norms[low+j])
	}
}
