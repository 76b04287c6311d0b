package main

import (
	"fmt"
	"sort"
	"strings"
)

type Event struct {
	Topic string
	Data  any
}
type Handler interface{ Handle(e Event) error }
type HandlerFunc func(Event) error

func (f HandlerFunc) Handle(e Event) error { return f(e) }

type Bus struct {
	subs map[string][]Handler
	log  []string
}

func (b *Bus) On(topic string, h Handler) func() {
	if b.subs == nil {
		b.subs = make(map[string][]Handler)
	}
	b.subs[topic] = append(b.subs[topic], h)
	i := len(b.subs[topic]) - 1
	return func() { b.subs[topic][i] = nil }
}
func (b *Bus) Emit(topic string, data any) (errs []error) {
	b.log = append(b.log, fmt.Sprintf("%s(%v)", topic, data))
	for _, h := range b.subs[topic] {
		if h == nil {
			continue
		}
		if err := h.Handle(Event{topic, data}); err != nil {
			errs = append(errs, err)
		}
	}
	return
}

type recorder struct{ seen []string }

func (r *recorder) Handle(e Event) error { r.seen = append(r.seen, fmt.Sprint(e.Data)); return nil }
func logged(h Handler) Handler {
	return HandlerFunc(func(e Event) error { fmt.Print("<", e.Topic, ">"); return h.Handle(e) })
}
func main() {
	var b Bus
	r := &recorder{}
	off := b.On("x", r)
	b.On("x", logged(r))
	b.On("y", HandlerFunc(func(e Event) error {
		if s, ok := e.Data.(string); ok {
			return fmt.Errorf("no %s", s)
		}
		return nil
	}))
	fmt.Println(b.Emit("x", 1), b.Emit("y", "strings"), b.Emit("y", 2), b.Emit("none", nil))
	off()
	b.Emit("x", []int{2})
	fmt.Println(r.seen, strings.Join(b.log, ";"))
	var ts []string
	for t, hs := range b.subs {
		ts = append(ts, fmt.Sprint(t, len(hs)))
	}
	sort.Strings(ts)
	fmt.Println(ts)
	table := map[string]func(...float64) float64{
		"sum": func(x ...float64) (s float64) {
			for _, v := range x {
				s += v
			}
			return
		},
		"max": func(x ...float64) float64 {
			m := x[0]
			for _, v := range x {
				m = max(m, v)
			}
			return m
		},
	}
	fmt.Println(table["sum"](1, 2, 3), table["max"](4, 9, 2), table["none"] == nil)
}
