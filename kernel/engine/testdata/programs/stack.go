package main

import (
	"errors"
	"fmt"
)

type Stack[T any] struct{ items []T }

var ErrEmpty = errors.New("empty stack")

func (s *Stack[T]) Push(v ...T) *Stack[T] { s.items = append(s.items, v...); return s }
func (s *Stack[T]) Pop() (v T, err error) {
	if len(s.items) == 0 {
		return v, ErrEmpty
	}
	v = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, nil
}
func (s Stack[T]) Len() int { return len(s.items) }
func Map[T, U any](s *Stack[T], f func(T) U) *Stack[U] {
	r := new(Stack[U])
	for _, v := range s.items {
		r.Push(f(v))
	}
	return r
}

type Point struct{ X, Y int }

func main() {
	var s Stack[string]
	s.Push("a", "b").Push("c")
	v, err := s.Pop()
	fmt.Println(v, err, s.Len())
	for {
		v, err := s.Pop()
		if errors.Is(err, ErrEmpty) {
			fmt.Printf("%q %v\n", v, err)
			break
		}
		fmt.Println(v)
	}
	p := Map((&Stack[int]{}).Push(1, 2, 3), func(i int) Point { return Point{i, i * i} })
	fmt.Println(p.items, p.Len())
	fmt.Printf("%T %v\n", p.items[0], *p)
}
