// Package widgets puts controls into a notebook: sliders, lists, buttons, progress bars, boxes. It
// speaks the protocol of ipywidgets 8 (@jupyter-widgets/base and controls 2.0.0, output 1.0.0,
// protocol 2.1), so that any front end which shows those shows these.
//
// The shortest way is Interact, which makes the controls from the parameters of a function and
// calls it anew when one is moved:
//
//	widgets.Interact(func(gamma float64, show bool) any {
//		m := svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: gamma}})
//		return svm.PlotBoundary(m.Model, train)
//	}, widgets.LogRange(0.01, 100))
//
// A control is a struct: a pointer to one is shown when it is the value of a cell.
//
//	size := &widgets.IntSlider{Min: 1, Max: 500, Value: 20, Description: "size"}
//	size.OnChange = func(n int) { fmt.Println(n) }
//	size
//
// The fields of a control and what the user sees are made equal when a cell or an event begins and
// ends: a cell reads in Value what was set on the screen, and what it assigns appears when it has
// run. Update makes them equal at once, for a bar in a loop. Events never overlap a cell: they wait
// for it, and of several moves of one slider only the last is computed. What a function such as
// OnChange prints appears below the cell that made the control.
package widgets
