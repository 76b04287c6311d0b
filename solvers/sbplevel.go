package solvers

import "math"

// waterLevel finds the level to which an amount of water rises that is poured over ground. The
// ground of column k is the sum over the lists of their k-th least values, and the level solves
//
//	Σ_k max(0, level - ground_k) = amount.
//
// With one list of all c_j = y_j g(x_j) that is eq. (3) of the SBP paper. With a list for each
// class, the level is twice the one for the best bias: at it, as many rows of each class are below
// water. The lists are put in such an order that the columns below water come first, as many as the
// second value says, and at least one. Expected time is linear: the lists are partitioned by
// selection, around ranks that halve an interval.
func waterLevel(lists [][]responseOf, amount float64) (level float64, columns int) {
	low, high := 0, len(lists[0])
	for _, list := range lists {
		high = min(high, len(list))
	}
	// The columns before low are under water; ground is the sum of theirs.
	ground, last := 0.0, math.MaxInt
	for low < high {
		middle := low + (high-low)/2
		top, sum := 0.0, 0.0 // of column middle, and of the columns low … middle
		for s := range lists {
			list := lists[s][:min(last, len(lists[s]))]
			selectRank(list[low:], middle-low)
			top += list[middle].value
			for _, r := range list[low : middle+1] {
				sum += r.value
			}
		}
		// Column middle is under water if filling all before it up to its ground takes less than
		// there is.
		if float64(middle+1)*top-ground-sum < amount {
			low, ground = middle+1, ground+sum
		} else {
			high, last = middle, middle
		}
	}
	return (amount + ground) / float64(low), low
}

// responseOf is a row and the value it is ordered by.
type responseOf struct {
	value float64
	row   int32
}

// selectRank orders the list so that its k-th least value is at k, none before it is greater and
// none after it less, by Hoare's selection with the median of three as pivot.
func selectRank(list []responseOf, k int) {
	for low, high := 0, len(list)-1; low < high; {
		a, b, c := list[low].value, list[low+(high-low)/2].value, list[high].value
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for list[i].value < pivot {
				i++
			}
			for list[j].value > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return
		}
	}
}
