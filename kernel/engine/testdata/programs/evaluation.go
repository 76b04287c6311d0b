package main

import "fmt"

var trace []string

func t(s string, v int) int { trace = append(trace, s); return v }
func show()                 { fmt.Println(trace); trace = nil }
func pair() (int, int)      { t("pair", 0); return 1, 2 }

type acc struct{ n int }

func (a *acc) add(i int) *acc                       { a.n += i; trace = append(trace, fmt.Sprint("add", i)); return a }
func get(m map[string]int, k string) map[string]int { trace = append(trace, "get"+k); return m }
func main() {
	_ = t("a", 1) + t("b", 2)*t("c", 3)
	show()
	s := []int{1, 2, 3}
	s[t("i", 0)], s[t("j", 1)] = t("x", 10), t("y", 20)
	show()
	fmt.Println(s)
	m := map[string]int{}
	get(m, "a")["k"] = t("v", 5)
	show()
	i := 0
	i, s[i] = 2, 99
	fmt.Println(i, s)
	a, b := 1, 2
	a, b = b, a+b
	fmt.Println(a, b)
	(&acc{}).add(t("p", 1)).add(t("q", 2))
	show()
	_ = t("l", 0) == 1 && t("r", 1) == 1 || t("z", 1) == 1
	show()
	f := func(xs ...int) int { return len(xs) }
	_ = f(t("1", 1), t("2", 2), f(t("3", 3)))
	show()
	x := []int{t("e0", 0), t("e1", 1)}
	_ = map[int]int{t("k", 1): t("w", 2)}
	show()
	x[0], x[1] = pair()
	show()
	for i := t("init", 0); i < t("cond", 2); i += t("post", 1) {
	}
	show()
	switch t("tag", 2) {
	case t("c1", 1), t("c2", 2), t("c3", 3):
	case t("c4", 4):
	}
	show()
	defer func(n int) { fmt.Println("deferred", n, trace) }(t("arg", 1))
	t("after", 0)
}
