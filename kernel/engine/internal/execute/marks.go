package execute

import (
	"sort"
	"strconv"
	"strings"
)

// marks are the source positions that a unit's text holds, in comments /*N*/, in their order.
type marks []mark

type mark struct{ offset, position int }

// readMarks finds the marks of a unit.
func readMarks(unit string) (l marks) {
	for i := 0; ; {
		j := strings.Index(unit[i:], "/*")
		if j < 0 {
			return l
		}
		i += j + 2
		n := strings.Index(unit[i:], "*/")
		if n < 0 {
			return l
		}
		if p, err := strconv.Atoi(unit[i : i+n]); err == nil {
			l = append(l, mark{i + n, p})
		}
	}
}

// before is the position in the last mark before offset, 0 when there is none.
func (l marks) before(offset int) int {
	i := sort.Search(len(l), func(i int) bool { return l[i].offset >= offset })
	if i == 0 {
		return 0
	}
	return l[i-1].position
}
