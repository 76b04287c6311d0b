package kernel

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// The lanes of the shell. Each is a goroutine that deals with its requests one by one; lanes
// do not wait for each other, so a cell that runs holds up further cells only.
const (
	executeLane = iota // cells
	quickLane          // what the kernel knows by itself
	queryLane          // what the engine is asked
	commLane           // messages of widgets
	laneCount
)

// route is how a type of request is dealt with. answer returns the content of the reply, or
// nil for a message that has none.
type route struct {
	lane   int
	answer func(*Server, *request) any
}

// routes are the messages that the kernel knows, on shell and on control.
var routes = map[string]route{
	"execute_request":         {executeLane, (*Server).execute},
	"create_subshell_request": {quickLane, (*Server).refuseSubshell},
	"delete_subshell_request": {quickLane, (*Server).refuseSubshell},
	"list_subshell_request":   {quickLane, (*Server).listSubshells},
	"kernel_info_request":     {quickLane, (*Server).kernelInfo},
	"comm_info_request":       {quickLane, (*Server).commInfo},
	"connect_request":         {quickLane, (*Server).connect},
	"history_request":         {quickLane, (*Server).historyRequest},
	"interrupt_request":       {quickLane, (*Server).interruptRequest},
	"shutdown_request":        {quickLane, (*Server).shutdown},
	"usage_request":           {quickLane, (*Server).usageRequest},
	"complete_request":        {queryLane, (*Server).complete},
	"inspect_request":         {queryLane, (*Server).inspect},
	"is_complete_request":     {queryLane, (*Server).isComplete},
	"debug_request":           {queryLane, (*Server).debugRequest},
	"comm_open":               {commLane, (*Server).commOpen},
	"comm_msg":                {commLane, (*Server).commMsg},
	"comm_close":              {commLane, (*Server).commClose},
}

// dispatchShell puts a request into its lane.
func (s *Server) dispatchShell(r *request) {
	lane := s.lanes[quickLane]
	if known, ok := routes[r.message.Header.MsgType]; ok {
		lane = s.lanes[known.lane]
	}
	if !lane.add(r) {
		s.answer(r, func(*Server, *request) any {
			return errorReply("Overload", fmt.Sprintf("%d requests are waiting already", laneLimit))
		})
	}
}

// dispatchControl answers at once what the kernel knows by itself; the engine, which may
// think about an answer, is asked in its lane, so that an interrupt never waits.
func (s *Server) dispatchControl(r *request) {
	if known, ok := routes[r.message.Header.MsgType]; ok && known.lane != quickLane {
		s.dispatchShell(r)
		return
	}
	s.handle(r)
}

// handle deals with one request.
func (s *Server) handle(r *request) {
	known, ok := routes[r.message.Header.MsgType]
	if !ok {
		s.log.Info("a message of unknown type was ignored", "type", r.message.Header.MsgType)
		known.answer = func(*Server, *request) any { return nil }
	}
	s.answer(r, known.answer)
}

// answer is what happens around every request: busy, the reply, idle.
func (s *Server) answer(r *request, answer func(*Server, *request) any) {
	r.status("busy")
	if content := s.guarded(r, answer); content != nil {
		r.reply(content)
	}
	r.status("idle")
	if r.after != nil {
		r.after()
	}
}

// guarded calls answer, and turns a panic into an error reply: a fault in one answer must not
// end the kernel.
func (s *Server) guarded(r *request, answer func(*Server, *request) any) (content any) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("a request failed", "type", r.message.Header.MsgType, "panic", fault, "stack", string(debug.Stack()))
			content = errorReply("InternalError", fmt.Sprint(fault))
		}
	}()
	return answer(s, r)
}

// errorReply is the content of a reply that says what went wrong.
func errorReply(name, message string) wire.ErrorReply {
	return wire.ErrorReply{Status: "error", Name: name, Value: message, Traceback: []string{name + ": " + message}}
}

// invalid is the reply to a request whose content cannot be read.
func invalid(r *request, err error) wire.ErrorReply {
	return errorReply("ProtocolError", r.message.Header.MsgType+": "+err.Error())
}

// laneLimit is how many requests may wait in one lane.
const laneLimit = 10000

// lane is a row of requests and the goroutine that deals with them. A fair lane takes turns
// between clients, so that one which floods the kernel does not hold up the others; in the
// other lanes requests are dealt with in the order in which they came.
type lane struct {
	fair bool

	mu      sync.Mutex
	changed *sync.Cond
	rows    map[string][]*request // by client
	turns   []string              // clients with requests, the next one first
	waiting int                   // requests in rows
	closed  bool
}

func newLane(fair bool) *lane {
	l := &lane{fair: fair, rows: map[string][]*request{}}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// add puts a request at the end of its client's row, and reports whether there was room.
func (l *lane) add(r *request) bool {
	client := ""
	if l.fair && len(r.message.Identities) > 0 {
		client = string(r.message.Identities[0])
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	row := l.rows[client]
	if len(row) >= laneLimit {
		return false
	}
	if l.closed {
		return true
	}
	if len(row) == 0 {
		l.turns = append(l.turns, client)
	}
	l.rows[client] = append(row, r)
	l.waiting++
	l.changed.Signal()
	return true
}

// run deals with requests until the lane is closed.
func (l *lane) run(handle func(*request)) {
	for {
		l.mu.Lock()
		for l.waiting == 0 && !l.closed {
			l.changed.Wait()
		}
		if l.closed {
			l.mu.Unlock()
			return
		}
		next := l.takeLocked()
		l.mu.Unlock()
		handle(next)
	}
}

// takeLocked takes the next request and gives the turn to the next client.
func (l *lane) takeLocked() *request {
	client := l.turns[0]
	row := l.rows[client]
	next := row[0]
	row[0] = nil
	l.turns = l.turns[1:]
	l.waiting--
	if len(row) > 1 {
		l.rows[client] = row[1:]
		l.turns = append(l.turns, client)
	} else {
		delete(l.rows, client)
	}
	return next
}

// removeAll empties the lane.
func (l *lane) removeAll() []*request {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []*request
	for l.waiting > 0 {
		all = append(all, l.takeLocked())
	}
	return all
}

func (l *lane) close() {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
}
