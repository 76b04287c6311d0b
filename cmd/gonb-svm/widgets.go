package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/widgets"
)

// widgetFront carries the messages of widgets on comms: each model has one of its own.
type widgetFront struct {
	comms   *kernel.Comms
	widgets *widgets.Notebook

	mu   sync.Mutex
	open map[string]*kernel.Comm
}

// connectWidgets shows widgets to the front ends of a kernel.
func connectWidgets(comms *kernel.Comms, w *widgets.Notebook) {
	w.Connect(&widgetFront{comms: comms, widgets: w, open: map[string]*kernel.Comm{}})
	comms.Register("jupyter.widget.control", func(c *kernel.Comm, _ kernel.CommMessage, _ display.Output) {
		c.OnMessage(func(c *kernel.Comm, m kernel.CommMessage, _ display.Output) {
			data, _ := m.Data.(json.RawMessage)
			answer, buffers, err := w.Control(data)
			if err == nil {
				err = c.Send(kernel.CommMessage{Data: answer, Buffers: buffers})
			}
			logged(err)
		})
	})
}

// logged notes what went wrong with a message of a front end, which is no fault of a cell.
func logged(err error) {
	if err != nil {
		slog.Warn("widgets", "error", err)
	}
}

func (f *widgetFront) Open(id string, data any, metadata map[string]any, buffers [][]byte) error {
	c, err := f.comms.Open("jupyter.widget", id, kernel.CommMessage{Data: data, Metadata: metadata, Buffers: buffers})
	if err != nil {
		return err
	}
	c.OnMessage(func(_ *kernel.Comm, m kernel.CommMessage, _ display.Output) {
		data, _ := m.Data.(json.RawMessage)
		logged(f.widgets.Receive(id, data))
	})
	c.OnClose(func(*kernel.Comm, kernel.CommMessage, display.Output) {
		f.widgets.Closed(id)
		f.take(id)
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[id] = c
	return nil
}

func (f *widgetFront) Send(id string, data any, buffers [][]byte) error {
	f.mu.Lock()
	c := f.open[id]
	f.mu.Unlock()
	if c == nil {
		return fmt.Errorf("the widget %q is not open", id)
	}
	return c.Send(kernel.CommMessage{Data: data, Buffers: buffers})
}

// Busy shows that functions of widgets run, as it shows that a cell runs.
func (f *widgetFront) Busy() (done func()) { return f.comms.Busy() }

func (f *widgetFront) Close(id string) error {
	c := f.take(id)
	if c == nil {
		return fmt.Errorf("the widget %q is not open", id)
	}
	return c.Close(kernel.CommMessage{})
}

// take forgets a comm.
func (f *widgetFront) take(id string) *kernel.Comm {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.open[id]
	delete(f.open, id)
	return c
}
