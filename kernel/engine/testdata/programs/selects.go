package main

import (
	"fmt"
	"time"
)

func generate(n int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			c <- i
		}
	}()
	return c
}
func merge(a, b <-chan int) (sum, n int) {
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			sum += v
			n++
		case v, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			sum += v * 100
			n++
		}
	}
	return
}
func main() {
	fmt.Println(merge(generate(5), generate(4)))
	c := make(chan string, 1)
	select {
	case s := <-c:
		fmt.Println("got", s)
	default:
		fmt.Println("empty")
	}
	select {
	case c <- "x":
		fmt.Println("sent")
	default:
		fmt.Println("full")
	}
	select {
	case c <- "y":
		fmt.Println("sent")
	default:
		fmt.Println("full", len(c), cap(c))
	}
	select {
	case <-make(chan int):
		fmt.Println("never")
	case <-time.After(5 * time.Millisecond):
		fmt.Println("timeout")
	}
	done := make(chan struct{})
	go func() { close(done) }()
	<-done
	v, ok := <-done
	fmt.Println(v, ok)
}
