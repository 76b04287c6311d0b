package solvers

import "context"

// candidate is a variable and how much it violates its condition.
type candidate struct {
	violation float64
	variable  int
}

// choose makes the next block: the newer half of the last one, and the variables that violate
// their conditions most, as many with room above as with room below as far as there are. Its
// error is ctx's.
func (s *stage) choose(ctx context.Context) error {
	b := s.b
	for _, t := range s.block {
		s.inBlock[t] = false
	}
	s.block = append([]int{}, s.block[max(0, len(s.block)-blockSize/2):]...)
	if len(s.variables) <= blockSize {
		s.block = s.block[:0]
		for t := range s.variables {
			s.block = append(s.block, t)
		}
		return nil
	}
	for _, t := range s.block {
		s.inBlock[t] = true
	}
	var above, below []candidate
	for t, v := range s.variables {
		if t%scanned == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if s.inBlock[t] {
			continue
		}
		g, r := b.groupOf(v), s.residual[t]
		if r > s.least[g] && b.beta[v] < b.upper[v] {
			above = append(above, candidate{r - s.least[g], t})
		}
		if r < s.most[g] && b.beta[v] > b.lower[v] {
			below = append(below, candidate{s.most[g] - r, t})
		}
	}
	room := blockSize - len(s.block)
	half := min(room/2, len(above))
	greatest(ctx, above, half)
	s.enter(above[:half])
	// A variable with room on both sides may be in both lists.
	count := min(room, len(below))
	greatest(ctx, below, count)
	s.enter(below[:count])
	s.enter(above[half:])
	return ctx.Err()
}

// scanned is the number of variables between two looks at the context.
const scanned = 1 << 16

// enter adds variables to the block until it is full.
func (s *stage) enter(candidates []candidate) {
	for _, c := range candidates {
		if len(s.block) == blockSize {
			return
		}
		if !s.inBlock[c.variable] {
			s.inBlock[c.variable] = true
			s.block = append(s.block, c.variable)
		}
	}
}

// greatest moves the k candidates of greatest violation to the front, by Hoare's selection. It
// gives up when ctx ends.
func greatest(ctx context.Context, c []candidate, k int) {
	for low, high := 0, len(c)-1; low < high && ctx.Err() == nil; {
		pivot := c[(low+high)/2].violation
		i, j := low, high
		for i <= j {
			for c[i].violation > pivot {
				i++
			}
			for c[j].violation < pivot {
				j--
			}
			if i <= j {
				c[i], c[j] = c[j], c[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return
		}
	}
}
