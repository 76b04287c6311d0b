package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

const (
	interruptGrace = 2 * time.Second        // for an interrupted cell to stop before the user is told that it has not
	cellGrace      = 500 * time.Millisecond // for a cell to stop when the kernel ends
	drainGrace     = 500 * time.Millisecond // for a peer that takes nothing, when the kernel ends
	flushGrace     = 5 * time.Second        // for output to go out before the reply
)

// Server is a kernel. Make one with New and run it with Serve.
type Server struct {
	connection Connection
	engine     Engine
	options    Options
	log        *slog.Logger
	session    string // of this process, in every header it sends
	messages   atomic.Int64

	shell, control, stdin, iopub, heartbeat *channel

	lanes   [laneCount]*lane
	comms   *Comms
	history *history
	usage   usage
	answers chan wire.Message // of input_reply
	asking  chan struct{}     // has room for the one prompt that is open

	stopping chan struct{} // closed when Serve should end
	stopOnce sync.Once

	mu          sync.Mutex
	count       int          // of the cells that were stored
	running     *runningCell // nil for none
	interrupted time.Time    // when an interrupt last came while no cell was running
	parent      *request     // the execute_request that came last
	debugging   bool         // a client has started the debug protocol
}

// New returns a kernel that will listen where connection says and run cells on engine.
func New(connection Connection, engine Engine, options Options) *Server {
	options = options.resolved()
	s := &Server{
		connection: connection,
		engine:     engine,
		options:    options,
		log:        options.Logger,
		session:    uuid.NewString(),
		answers:    make(chan wire.Message, 16),
		asking:     make(chan struct{}, 1),
		stopping:   make(chan struct{}),
		usage:      usage{at: time.Now()},
	}
	s.history = newHistory(options.HistoryFile, s.log)
	s.comms = newComms(s)
	return s
}

// Comms returns the kernel's comms, the channels on which widgets talk to front ends.
func (s *Server) Comms() *Comms { return s.comms }

// Serve listens and answers until a client asks the kernel to shut down, ctx ends, or, if the
// kernel owns the process, a signal or the death of the parent ends it. It returns when the
// last messages have been delivered. A Server serves once.
func (s *Server) Serve(ctx context.Context) error {
	sockets, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := s.listen(sockets); err != nil {
		return err
	}
	started := make(chan struct{})
	go func() {
		defer close(started)
		if starter, ok := s.engine.(Starter); ok {
			starter.Start()
		}
	}()
	var lanes sync.WaitGroup
	for i := range s.lanes {
		s.lanes[i] = newLane(i != executeLane)
		lanes.Go(func() {
			if i == commLane { // until then nobody knows the targets
				<-started
			}
			s.lanes[i].run(s.handle)
		})
	}
	s.publish(nil, "status", wire.Status{ExecutionState: "starting"}, false)
	go s.beat()
	go s.receive(s.control, s.dispatchControl)
	go s.receive(s.shell, s.dispatchShell)
	go s.receive(s.stdin, s.dispatchStdin)
	if s.options.OwnsProcess {
		defer s.watchProcess()()
	}
	select {
	case <-ctx.Done():
	case <-s.stopping:
	}
	s.end(&lanes)
	return nil
}

// Stop makes Serve return.
func (s *Server) Stop() { s.stopOnce.Do(func() { close(s.stopping) }) }

// Interrupt stops the cell that runs, or the one that has come in and is about to run. If that takes long, the user is told why.
func (s *Server) Interrupt() {
	s.mu.Lock()
	if s.running == nil {
		s.interrupted = time.Now()
	}
	s.mu.Unlock()
	if engine, ok := s.engine.(Interrupter); ok {
		engine.Interrupt()
	}
	cell := s.cancelCell(ErrInterrupted)
	if cell == nil {
		return
	}
	time.AfterFunc(interruptGrace, func() {
		select {
		case <-cell.ended:
		default:
			cell.out.Stream("stderr", "The interrupt has been passed on, but the cell still runs: it is in code that has not looked for it yet.\n")
		}
	})
}

// listen binds the five sockets. All are bound before any is served, so that a kernel which
// cannot have them all does not answer on some.
func (s *Server) listen(ctx context.Context) (err error) {
	c := s.connection
	dealers := []string{"DEALER", "REQ", "ROUTER"}
	sockets := []struct {
		channel **channel
		make    func(context.Context, ...zmq4.Option) zmq4.Socket
		port    int
		rules   rules
		bound   net.Listener
	}{
		{channel: &s.iopub, make: zmq4.NewPub, port: c.IOPubPort, rules: rules{
			name: "iopub", peerTypes: []string{"SUB", "XSUB"}, maxMessage: maxSubscription + frameCost, welcome: s.welcome}},
		{channel: &s.control, make: zmq4.NewRouter, port: c.ControlPort, rules: rules{name: "control", peerTypes: dealers, maxMessage: maxRequest}},
		{channel: &s.stdin, make: zmq4.NewRouter, port: c.StdinPort, rules: rules{name: "stdin", peerTypes: dealers, maxMessage: maxRequest}},
		{channel: &s.heartbeat, make: zmq4.NewRep, port: c.HeartbeatPort, rules: rules{
			name: "heartbeat", peerTypes: []string{"REQ", "DEALER"}, maxMessage: 1 << 20}},
		{channel: &s.shell, make: zmq4.NewRouter, port: c.ShellPort, rules: rules{name: "shell", peerTypes: dealers, maxMessage: maxRequest}},
	}
	for i := range sockets {
		sockets[i].bound, err = c.listen(sockets[i].rules.name, sockets[i].port)
		if err != nil {
			for _, earlier := range sockets[:i] {
				earlier.bound.Close()
			}
			return fmt.Errorf("kernel: %w", err)
		}
	}
	t := &transport{listeners: map[string]*listener{}}
	name := "jupyter-" + s.session
	if err := zmq4.RegisterTransport(name, t); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	for _, socket := range sockets {
		*socket.channel, err = newChannel(ctx, t, name, socket.make, socket.bound, socket.rules, s.log)
		if err != nil {
			return fmt.Errorf("kernel: %w", err)
		}
	}
	return nil
}

// beat echoes heartbeats.
func (s *Server) beat() {
	for {
		message, err := s.heartbeat.socket.Recv()
		select {
		case <-s.heartbeat.listener.closed:
			return
		default:
		}
		if err != nil { // a malformed request of one peer
			s.log.Debug("heartbeat", "error", err)
			continue
		}
		if err := s.heartbeat.socket.Send(message); err != nil {
			s.log.Debug("heartbeat", "error", err)
		}
	}
}

// receive reads a socket until it is closed. What is no message is logged and dropped.
func (s *Server) receive(c *channel, dispatch func(*request)) {
	for {
		raw, err := c.socket.Recv()
		if err != nil {
			return
		}
		message, err := s.connection.Key.Parse(raw.Frames)
		if err != nil {
			s.log.Warn("a message was dropped", "socket", c.name, "reason", err)
			continue
		}
		dispatch(&request{server: s, channel: c, message: message, received: time.Now()})
	}
}

// end stops the cell, answers what is still queued and delivers everything.
func (s *Server) end(lanes *sync.WaitGroup) {
	s.cancelCell(errEnding)
	for _, r := range s.lanes[executeLane].removeAll() {
		s.abort(r)
	}
	for _, l := range s.lanes {
		l.close()
	}
	finished := make(chan struct{})
	go func() {
		lanes.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-time.After(cellGrace):
		s.log.Warn("a cell did not stop when the kernel ended")
	}
	var all sync.WaitGroup
	for _, c := range []*channel{s.iopub, s.shell, s.control, s.stdin, s.heartbeat} {
		all.Go(func() { c.finish(drainGrace) })
	}
	all.Wait()
}
