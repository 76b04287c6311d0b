// Package border is the compiled side of lowered cells: the helpers that their code calls, and the
// two-way passage of values between interpreted and compiled code.
//
// How an interpreted value looks inside an interface:
//   - a value of a struct type of a cell is itself: its lowered struct type carries the number of
//     its Go type in the tag of its first field, so that the reflect type tells which type it is;
//   - a pointer, slice, array, map, channel or function made of such types and of compiled ones
//     also is itself;
//   - every other interpreted value (type Celsius float64, []error) is a Boxed: the number of its
//     Go type beside the value.
//
// When a value passes to compiled code that asks for methods it is wrapped in a value that has
// them (Wrap), and unwrapped when it comes back (In).
package border
