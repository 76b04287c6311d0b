package widgets

// Update makes all widgets and what the user sees equal at once, and not only when the cell ends:
// for a bar in a loop, or to look whether a box has been ticked meanwhile. Close takes a widget
// away from the screen; shown anew, it is a new one. Each widget has both itself and does not
// inherit them, since the interpreter cannot call methods through an embedded type that is not
// exported.

// Update makes the widgets and what the user sees equal at once.
func (w *IntSlider) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *IntSlider) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *FloatSlider) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *FloatSlider) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *FloatLogSlider) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *FloatLogSlider) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *FloatProgress) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *FloatProgress) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Dropdown) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Dropdown) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *ToggleButtons) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *ToggleButtons) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Checkbox) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Checkbox) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Text) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Text) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Button) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Button) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *HTML) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *HTML) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *HBox) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *HBox) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *VBox) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *VBox) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Tab) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Tab) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Output) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Output) Close() { w.close() }

// Update makes the widgets and what the user sees equal at once.
func (w *Interaction) Update() { w.update() }

// Close takes the widget away from the screen.
func (w *Interaction) Close() { w.close() }
