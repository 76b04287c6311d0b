package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/google/uuid"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// Comms are the channels between objects of cells and objects of front ends, such as widgets.
// It is safe for concurrent use.
type Comms struct {
	server *Server

	mu      sync.Mutex
	open    map[string]*Comm
	targets map[string]CommHandler
	last    *request // the last message that came
}

// CommMessage is what travels on a comm. Data of a received message is a json.RawMessage; to
// be sent it may be anything that encoding/json takes.
type CommMessage struct {
	Data     any
	Metadata map[string]any
	Buffers  [][]byte
}

// CommHandler is told of a message. What it shows on out appears where the front end expects
// the effects of the message. Handlers are called one at a time, also while a cell runs.
type CommHandler func(c *Comm, m CommMessage, out display.Output)

// Comm is one open channel.
type Comm struct {
	ID     string
	Target string

	comms   *Comms
	mu      sync.Mutex
	message CommHandler
	closed  CommHandler
}

// ErrCommClosed is returned for a message on a comm that has been closed.
var ErrCommClosed = errors.New("the comm is closed")

func newComms(s *Server) *Comms {
	return &Comms{server: s, open: map[string]*Comm{}, targets: map[string]CommHandler{}}
}

// Register lets front ends open comms with this target; opened is told of each.
func (c *Comms) Register(target string, opened CommHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.targets[target] = opened
}

// Open opens a comm to the front ends. Its id is new unless one is given.
func (c *Comms) Open(target, id string, m CommMessage) (*Comm, error) {
	if id == "" {
		id = uuid.NewString()
	}
	comm := &Comm{ID: id, Target: target, comms: c}
	c.mu.Lock()
	c.open[id] = comm
	c.mu.Unlock()
	if err := c.publish("comm_open", wire.CommMessage{CommID: id, TargetName: target}, m); err != nil {
		c.forget(id)
		return nil, err
	}
	return comm, nil
}

// OnMessage sets what is told of messages from the front end.
func (c *Comm) OnMessage(h CommHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.message = h
}

// OnClose sets what is told when the front end closes the comm.
func (c *Comm) OnClose(h CommHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = h
}

// Send sends a message to the front ends.
func (c *Comm) Send(m CommMessage) error {
	if c.comms.find(c.ID) != c {
		return ErrCommClosed
	}
	return c.comms.publish("comm_msg", wire.CommMessage{CommID: c.ID}, m)
}

// Close closes the comm on both sides.
func (c *Comm) Close(m CommMessage) error {
	if c.comms.find(c.ID) != c {
		return ErrCommClosed
	}
	c.comms.forget(c.ID)
	return c.comms.publish("comm_close", wire.CommMessage{CommID: c.ID}, m)
}

// Busy tells the front ends that the kernel works on what the last message of a comm has asked for,
// which was answered before. The function that it returns tells them that this is done.
func (c *Comms) Busy() (done func()) {
	c.mu.Lock()
	r := c.last
	c.mu.Unlock()
	if r == nil {
		return func() {}
	}
	r.status("busy")
	return func() { r.status("idle") }
}

func (c *Comms) find(id string) *Comm {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[id]
}

func (c *Comms) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// list returns the open comms of a target, "" for all.
func (c *Comms) list(target string) map[string]wire.CommInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	infos := map[string]wire.CommInfo{}
	for id, comm := range c.open {
		if target == "" || comm.Target == target {
			infos[id] = wire.CommInfo{TargetName: comm.Target}
		}
	}
	return infos
}

// publish sends a message of a comm, with the cell that ran last as its parent.
func (c *Comms) publish(msgType string, content wire.CommMessage, m CommMessage) error {
	if m.Data == nil {
		m.Data = struct{}{}
	}
	data, err := wire.Encode(m.Data)
	if err != nil {
		return err
	}
	content.Data = data
	s := c.server
	if s.iopub == nil {
		return errors.New("the kernel does not serve yet")
	}
	s.mu.Lock()
	parent := s.parent
	s.mu.Unlock()
	message := wire.Message{
		Identities: [][]byte{[]byte("comm-" + content.CommID)},
		Metadata:   s.encodeMetadata(m.Metadata),
		Buffers:    m.Buffers,
	}
	s.publishMessage(message, parent, msgType, content, true)
	return nil
}

// commOpen is told that a front end opens a comm. If nobody knows the target it is closed at
// once.
func (s *Server) commOpen(r *request) any {
	content, message, ok := s.commMessage(r)
	if !ok {
		return nil
	}
	s.comms.mu.Lock()
	opened, known := s.comms.targets[content.TargetName]
	comm := &Comm{ID: content.CommID, Target: content.TargetName, comms: s.comms}
	if known {
		s.comms.open[comm.ID] = comm
	}
	s.comms.mu.Unlock()
	if !known {
		s.log.Info("a comm was refused: nothing has its target", "target", content.TargetName)
		s.publish(r, "comm_close", wire.CommMessage{CommID: content.CommID, Data: json.RawMessage("{}")}, false)
		return nil
	}
	s.tell(r, comm, opened, message)
	return nil
}

// commMsg passes a message on to the comm's handler.
func (s *Server) commMsg(r *request) any {
	content, message, ok := s.commMessage(r)
	if !ok {
		return nil
	}
	comm := s.comms.find(content.CommID)
	if comm == nil {
		s.log.Info("a message for a comm that is not open was ignored", "comm", content.CommID)
		return nil
	}
	comm.mu.Lock()
	handler := comm.message
	comm.mu.Unlock()
	s.tell(r, comm, handler, message)
	return nil
}

// commClose is told that a front end closes a comm.
func (s *Server) commClose(r *request) any {
	content, message, ok := s.commMessage(r)
	if !ok {
		return nil
	}
	comm := s.comms.find(content.CommID)
	if comm == nil {
		return nil
	}
	s.comms.forget(comm.ID)
	comm.mu.Lock()
	handler := comm.closed
	comm.mu.Unlock()
	s.tell(r, comm, handler, message)
	return nil
}

// commMessage reads the content of a comm message.
func (s *Server) commMessage(r *request) (wire.CommMessage, CommMessage, bool) {
	content, err := wire.Decode[wire.CommMessage](r.message.Content)
	if err != nil || content.CommID == "" {
		s.log.Warn("a comm message was ignored", "type", r.message.Header.MsgType, "id", content.CommID, "error", err)
		return content, CommMessage{}, false
	}
	message := CommMessage{Data: content.Data, Buffers: r.message.Buffers}
	if len(r.message.Metadata) > 0 {
		if err := json.Unmarshal(r.message.Metadata, &message.Metadata); err != nil {
			s.log.Info("the metadata of a comm message was ignored", "error", err)
		}
	}
	return content, message, true
}

// tell calls a handler, and sends what it shows before the request is over.
func (s *Server) tell(r *request, comm *Comm, handler CommHandler, m CommMessage) {
	if handler == nil {
		return
	}
	s.comms.mu.Lock()
	s.comms.last = r
	s.comms.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := newOutput(ctx, r, false, false)
	defer out.flush()
	handler(comm, m, out)
}
