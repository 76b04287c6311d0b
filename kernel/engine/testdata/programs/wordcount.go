package main

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
)

const text = `It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness`

type count struct {
	word string
	n    int
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
}
func main() {
	m := map[string]int{}
	for _, w := range words(text) {
		m[w]++
	}
	var l []count
	for w, n := range m {
		l = append(l, count{w, n})
	}
	sort.Slice(l, func(i, j int) bool {
		if l[i].n != l[j].n {
			return l[i].n > l[j].n
		}
		return l[i].word < l[j].word
	})
	for _, c := range l[:4] {
		fmt.Printf("%-5s %2d %s\n", c.word, c.n, strings.Repeat("*", c.n))
	}
	_, ok := m["epoch"]
	fmt.Println(ok, m["epoch"], len(m))
	delete(m, "it")
	fmt.Println(len(m), m)
	clear(m)
	fmt.Println(m)
}
