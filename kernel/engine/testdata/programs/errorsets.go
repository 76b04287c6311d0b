package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

var ErrMissing = errors.New("missing")

type NotFound struct{ Key string }

func (e *NotFound) Error() string        { return "not found: " + e.Key }
func (e *NotFound) Is(target error) bool { return target == ErrMissing }

type Code int

func (c Code) Error() string { return "code " + strconv.Itoa(int(c)) }
func get(k string) error {
	switch k {
	case "a":
		return nil
	case "b":
		return &NotFound{k}
	case "c":
		return fmt.Errorf("get %q: %w", k, &NotFound{k})
	case "d":
		return errors.Join(io.EOF, Code(4))
	}
	return Code(len(k))
}
func main() {
	for _, k := range []string{"a", "b", "c", "d", "eee"} {
		err := get(k)
		var nf *NotFound
		var c Code
		fmt.Println(k, err == nil, errors.Is(err, ErrMissing), errors.As(err, &nf), errors.As(err, &c), c, errors.Is(err, io.EOF), nf != nil && nf.Key == k)
		if err != nil {
			fmt.Printf("%v|%s\n", err, errors.Unwrap(err))
		}
	}
	_, err := strconv.ParseInt("99999999999999999999", 10, 64)
	var ne *strconv.NumError
	if errors.As(err, &ne) {
		fmt.Println(ne.Func, ne.Err, errors.Is(err, strconv.ErrRange))
	}
	fmt.Println(Code(3) == Code(3), error(Code(3)) == error(Code(3)))
}
