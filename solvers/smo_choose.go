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
	room := blockSize - len(s.block)
	parts := s.parts()
	for len(b.lists) < parts {
		b.lists = append(b.lists, candidates{})
	}
	lists := b.lists[:parts]
	err := b.team.Each(ctx, parts, func(i int) error {
		s.violators(&lists[i], i*variablesPart, s.partEnd(i), room)
		return nil
	})
	if err != nil {
		return err
	}
	above, below := b.violating.above[:0], b.violating.below[:0]
	for i := range lists {
		above, below = append(above, lists[i].above...), append(below, lists[i].below...)
	}
	b.violating = candidates{above, below}
	half, count := min(room/2, len(above)), min(room, len(below))
	err = b.team.Each(ctx, 2, func(i int) error {
		if i == 0 {
			greatest(ctx, above, half)
		} else {
			greatest(ctx, below, count)
		}
		return nil
	})
	s.enter(above[:half])
	// A variable with room on both sides may be in both lists.
	s.enter(below[:count])
	s.enter(above[half:])
	return err
}

// candidates are the variables of a part with room above and with room below that violate their
// conditions.
type candidates struct{ above, below []candidate }

// violators lists those from low to high that are not in the block, at most room of a kind: the
// greatest.
func (s *stage) violators(list *candidates, low, high, room int) {
	b := s.b
	if list.above == nil {
		*list = candidates{make([]candidate, 0, variablesPart), make([]candidate, 0, variablesPart)}
	}
	above, below := list.above[:0], list.below[:0]
	for t := low; t < high; t++ {
		if s.inBlock[t] {
			continue
		}
		v := s.variables[t]
		g, r, beta := b.groupOf(v), s.residual[t], b.beta[v]
		if r > s.least[g] && beta < b.upper[v] {
			above = append(above, candidate{r - s.least[g], t})
		}
		if r < s.most[g] && beta > b.lower[v] {
			below = append(below, candidate{s.most[g] - r, t})
		}
	}
	list.above, list.below = leading(above, room), leading(below, room)
}

// leading are the k greatest, or all if there are fewer.
func leading(c []candidate, k int) []candidate {
	if len(c) <= k {
		return c
	}
	greatest(context.Background(), c, k)
	return c[:k]
}

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
