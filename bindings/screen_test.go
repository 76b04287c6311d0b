package bindings_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"
)

// screen is a front end that keeps what it is told of widgets, as JSON.
type screen struct {
	mu       sync.Mutex
	models   map[string]map[string]any
	messages []string // "method id"
	closed   int
}

func (s *screen) Open(id string, data any, metadata map[string]any, _ [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if metadata["version"] != "2.1.0" {
		panic("no version")
	}
	if s.models == nil {
		s.models = map[string]map[string]any{}
	}
	s.models[id] = map[string]any{}
	s.take(id, "open", data)
	return nil
}

func (s *screen) Send(id string, data any, _ [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	method, _ := data.(map[string]any)["method"].(string)
	s.take(id, method, data)
	return nil
}

func (s *screen) take(id, method string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	var m struct{ State map[string]any }
	if err := json.Unmarshal(text, &m); err != nil {
		panic(err)
	}
	for name, value := range m.State {
		s.models[id][name] = value
	}
	s.messages = append(s.messages, method+" "+fmt.Sprint(s.models[id]["_model_name"]))
}

func (s *screen) Close(string) error { s.closed++; return nil }

func (s *screen) Busy() func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, "busy")
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.messages = append(s.messages, "idle")
	}
}

// find is the id of the model of a class, and if given with a description.
func (s *screen) find(t *testing.T, class, description string) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, m := range s.models {
		if m["_model_name"] == class+"Model" && (description == "" || m["description"] == description) {
			return id
		}
	}
	t.Fatalf("there is no %s %q among %v", class, description, s.models)
	return ""
}

func (s *screen) get(id, name string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.models[id][name]
}

// shows is the text of an Output.
func (s *screen) shows(id string) string {
	text, _ := json.Marshal(s.get(id, "outputs"))
	return string(text)
}

func (s *screen) count(message string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.messages {
		if m == message {
			n++
		}
	}
	return n
}

// eventually waits until what says so.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// openWidgets is a notebook with a screen.
func openWidgets(t *testing.T) (*notebook, *screen) {
	n := open(t)
	s := &screen{}
	n.Widgets().Connect(s)
	return n, s
}

func (n *notebook) move(id, field string, value any) {
	n.t.Helper()
	data, err := json.Marshal(map[string]any{"method": "update", "state": map[string]any{field: value}, "buffer_paths": []any{}})
	if err == nil {
		err = n.Widgets().Receive(id, data)
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// nexter is a front end that can put text into a cell.
type nexter struct {
	front
	text    string
	replace bool
}

func (n *nexter) SetNextInput(text string, replace bool) { n.text, n.replace = text, replace }
