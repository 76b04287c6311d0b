package solvers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	// muchWider is the ratio of two features' deviations from which on the smaller is nothing to a
	// kernel of distances.
	muchWider = 100
	// smallEntries is the share of the entries that may lie in such features, as the seldom used pixels
	// at the edge of pictures do.
	smallEntries = 0.05
)

// unscaledNote says so if distances between rows are made by some features, and others, which are
// not rare, differ a hundred times less: a kernel of distances sees the former alone.
func unscaledNote(train *Dataset) string {
	n := float64(train.Len())
	sum, square, count := make([]float64, train.Dim), make([]float64, train.Dim), make([]float64, train.Dim)
	entries := 0.0
	for _, x := range train.X {
		for k, j := range x.Index {
			sum[j] += x.Value[k]
			square[j] += x.Value[k] * x.Value[k]
			count[j]++
			entries++
		}
	}
	variance, total := make([]float64, train.Dim), 0.0
	var order []int // by deviation; constant features make no distance, and are left out
	for j := range variance {
		mean := sum[j] / n
		variance[j] = square[j]/n - mean*mean
		if variance[j] > 1e-12*square[j]/n {
			order = append(order, j)
			total += variance[j]
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(variance[i], variance[j]), cmp.Compare(i, j)) })
	// Features below least have few of the entries, those below most half of the squared distance.
	least, most := -1, -1
	few, half := 0.0, 0.0
	for _, j := range order {
		if few += count[j]; least < 0 && few > smallEntries*entries {
			least = j
		}
		if half += variance[j]; most < 0 && half >= total/2 {
			most = j
		}
	}
	if least < 0 || variance[most] < muchWider*muchWider*variance[least] {
		return ""
	}
	return fmt.Sprintf("feature %d varies by about %s, feature %d by about %s: scale the features to equal size, or the kernel sees the greatest alone",
		least, short(math.Sqrt(variance[least])), most, short(math.Sqrt(variance[most])))
}
