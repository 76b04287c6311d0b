package widgets

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Receive takes a message of a front end to a model. It returns at once; what the message asks for
// is done when no cell runs. Its error says that the message is not understood.
func (n *Notebook) Receive(id string, data []byte) error {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("a message to a widget: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	e := n.entries[id]
	if e == nil {
		return fmt.Errorf("there is no widget %q", id)
	}
	switch m.Method {
	case "update":
		n.update(e, m.State)
	case "request_state":
		n.send(id, "update", maps.Clone(e.state))
	case "custom":
		if _, ok := e.widget.(*Button); ok && m.Content.Event == "click" {
			e.widget.live().clicks++
			n.wake()
		}
	default:
		return fmt.Errorf("a message to a widget: unknown method %q", m.Method)
	}
	return nil
}

// update notes what the user has set, and tells all front ends of it. Of several values of one
// field only the last will be seen. The lock is held.
func (n *Notebook) update(e *entry, state map[string]json.RawMessage) {
	echo := map[string]any{}
	for name, value := range state {
		if _, known := e.state[name]; !known {
			continue
		}
		echo[name] = value
		if name == "outputs" || name == "msg_id" {
			continue // of an Output they are ours
		}
		// What front ends have: a field that is then put right differs, and is sent.
		var plain any
		if json.Unmarshal(value, &plain) == nil {
			e.state[name] = plain
		}
		if e.widget != nil {
			m := e.widget.live()
			if m.news == nil {
				m.news = map[string]json.RawMessage{}
			}
			m.news[name] = value
			n.wake()
		}
	}
	if len(echo) > 0 {
		n.send(e.id, "echo_update", echo)
	}
}

// Closed is told that a front end has taken a model away.
func (n *Notebook) Closed(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.forget(id)
}

// Control answers a message on the comm that is about all widgets: what to send back.
func (n *Notebook) Control(data []byte) (answer any, buffers [][]byte, err error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, nil, fmt.Errorf("a message about all widgets: %w", err)
	}
	if m.Method != "request_states" {
		return nil, nil, fmt.Errorf("a message about all widgets: unknown method %q", m.Method)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return map[string]any{"method": "update_states", "states": n.states(), "buffer_paths": []any{}}, nil, nil
}

// wake has the events dealt with. The lock is held.
func (n *Notebook) wake() {
	n.news = true
	if n.working {
		return
	}
	n.working = true
	go n.work()
}

// work deals with events until there are no more.
func (n *Notebook) work() {
	for {
		n.mu.Lock()
		if !n.news {
			n.working = false
			n.mu.Unlock()
			return
		}
		n.mu.Unlock()
		handle := func() {
			n.Begin()
			defer n.busy()()
			if err := n.End(); err != nil {
				n.complain(err)
			}
		}
		if n.Turn != nil {
			n.Turn(handle)
		} else {
			handle()
		}
	}
}

// busy shows that there are functions to be called. What it returns shows that they have been.
func (n *Notebook) busy() (done func()) {
	n.mu.Lock()
	front := n.front
	n.mu.Unlock()
	if front == nil || len(n.due) == 0 {
		return func() {}
	}
	return front.Busy()
}

// complain tells of a field with an impossible value that an event left behind.
func (n *Notebook) complain(err error) {
	if n.Output != nil && n.Output() != nil {
		n.Output().Stream("stderr", err.Error()+"\n")
	}
}
