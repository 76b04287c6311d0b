package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

type Shape interface {
	Area() float64
	comparable
}
type Sq struct{ s float64 }

func (q Sq) Area() float64 { return q.s * q.s }
func Largest[S Shape](xs ...S) (best S) {
	for _, x := range xs {
		if x.Area() > best.Area() {
			best = x
		}
	}
	return
}

type Option[T any] struct {
	v  T
	ok bool
}

func Some[T any](v T) Option[T] { return Option[T]{v, true} }
func None[T any]() Option[T]    { return Option[T]{} }
func (o Option[T]) OrElse(d T) T {
	if o.ok {
		return o.v
	}
	return d
}
func (o Option[T]) String() string {
	if !o.ok {
		return "None"
	}
	return fmt.Sprintf("Some(%v)", o.v)
}

type Ordered[K cmp.Ordered, V any] struct {
	keys []K
	vals map[K]V
}

func (m *Ordered[K, V]) Set(k K, v V) *Ordered[K, V] {
	if m.vals == nil {
		m.vals = map[K]V{}
	}
	if _, ok := m.vals[k]; !ok {
		i := 0
		for i < len(m.keys) && m.keys[i] < k {
			i++
		}
		m.keys = append(m.keys[:i], append([]K{k}, m.keys[i:]...)...)
	}
	m.vals[k] = v
	return m
}
func (m *Ordered[K, V]) Each(yield func(K, V) bool) {
	for _, k := range m.keys {
		if !yield(k, m.vals[k]) {
			return
		}
	}
}
func (m *Ordered[K, V]) Get(k K) Option[V] {
	if v, ok := m.vals[k]; ok {
		return Some(v)
	}
	return None[V]()
}

type Parser[T any] func(string) (T, error)

func (p Parser[T]) Must(s string) T {
	v, err := p(s)
	if err != nil {
		panic(err)
	}
	return v
}

type setter[T any] interface {
	*T
	Set(string) error
}
type Num struct{ n int }

func (n *Num) Set(s string) (err error) { n.n, err = strconv.Atoi(s); return }
func ParseAll[T any, P setter[T]](in ...string) (out []T, err error) {
	for _, s := range in {
		var t T
		if e := P(&t).Set(s); e != nil {
			err = errors.Join(err, e)
			continue
		}
		out = append(out, t)
	}
	return
}

type elem[T any] struct {
	v    T
	next *elem[T]
}

type List[T any] struct {
	head *elem[T]
	n    int
}

func (l *List[T]) Push(v T) { l.head = &elem[T]{v, l.head}; l.n++ }
func (l *List[T]) All(yield func(int, T) bool) {
	i := 0
	for e := l.head; e != nil; e = e.next {
		if !yield(i, e.v) {
			return
		}
		i++
	}
}
func Cast[T any](x any) (T, bool) { t, ok := x.(T); return t, ok }
func Kind[T any](x T) string {
	switch any(x).(type) {
	case int:
		return "int"
	case string:
		return "string"
	case []T:
		return "slice of T"
	case fmt.Stringer:
		return "stringer"
	}
	return fmt.Sprintf("%T", x)
}
func main() {
	fmt.Println(Largest(Sq{2}, Sq{3}, Sq{1}), Largest[Sq]())
	fmt.Println(Some(3), None[string](), Some([]int{1}).OrElse(nil), None[string]().OrElse("d"))
	var m Ordered[string, int]
	m.Set("b", 2).Set("a", 1).Set("c", 3).Set("a", 10)
	for k, v := range m.Each {
		fmt.Print(k, v, " ")
	}
	fmt.Println(m.Get("b"), m.Get("z"), len(m.keys))
	fmt.Println(Parser[int](strconv.Atoi).Must("42"), Parser[float64](func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }).Must("2.5"))
	ns, err := ParseAll[Num]("1", "x", "3")
	fmt.Println(ns, err)
	var l List[rune]
	for _, r := range "abc" {
		l.Push(r)
	}
	for i, r := range l.All {
		if i == 2 {
			break
		}
		fmt.Print(i, string(r), " ")
	}
	fmt.Println(l.n)
	s, ok := Cast[string](any("x"))
	n, ok2 := Cast[int]("x")
	_, ok3 := Cast[fmt.Stringer](Some(1))
	fmt.Println(s, ok, n, ok2, ok3)
	fmt.Println(Kind(1), Kind("s"), Kind(Some(2)), Kind([]int{}), Kind(2.5))
	fmt.Printf("%T %T %T\n", m, l, Some(map[string][]int{}))
	fmt.Println(strings.Contains(fmt.Sprintf("%T", Parser[int](nil)), "Parser"))
}
