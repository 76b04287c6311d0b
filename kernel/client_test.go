package kernel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/internal/fake"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// patience is how long a test waits for what must come. It is no measure of speed.
const patience = 2 * time.Minute

// M is the content of a message in a test.
type M = map[string]any

// newConnection returns a connection on free ports.
func newConnection(t testing.TB, transport string) kernel.Connection {
	t.Helper()
	c := kernel.Connection{Transport: transport, IP: "127.0.0.1", Key: wire.Key("a secret key")}
	ports := []*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HeartbeatPort}
	if transport == "ipc" {
		c.IP = filepath.Join(t.TempDir(), "k")
		for i, port := range ports {
			*port = i + 1
		}
		return c
	}
	for _, port := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		*port = l.Addr().(*net.TCPAddr).Port
	}
	return c
}

// start serves a fake kernel until the test ends.
func start(t testing.TB, options kernel.Options) (kernel.Connection, *fake.Engine) {
	t.Helper()
	connection := newConnection(t, "tcp")
	engine := serve(t, connection, options)
	return connection, engine
}

func serve(t testing.TB, connection kernel.Connection, options kernel.Options) *fake.Engine {
	t.Helper()
	if options.Logger == nil {
		options.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	engine := &fake.Engine{}
	server := kernel.New(connection, engine, options)
	engine.Comms = server.Comms()
	engine.Comms.Register("echo", fake.Accept)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.Background()) }()
	t.Cleanup(func() {
		server.Stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Error("Serve did not return")
		}
	})
	return engine
}

// message is one received message with its content decoded.
type message struct {
	wire.Message
	content M
	parent  wire.Header
}

// client is a front end on the socket library's client side.
type client struct {
	t          testing.TB
	connection kernel.Connection
	session    string
	identity   string
	sockets    map[string]zmq4.Socket
	received   map[string]chan message
	sent       atomic.Int64
}

var sessions atomic.Int64

// connect connects to shell, control, stdin and iopub, and waits until iopub is subscribed.
func connect(t testing.TB, connection kernel.Connection) *client {
	t.Helper()
	c := &client{
		t:          t,
		connection: connection,
		session:    fmt.Sprintf("session-%d", sessions.Add(1)),
		sockets:    map[string]zmq4.Socket{},
		received:   map[string]chan message{},
	}
	c.identity = "identity-" + c.session
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	for name, port := range map[string]int{
		"shell": connection.ShellPort, "control": connection.ControlPort, "stdin": connection.StdinPort, "iopub": connection.IOPubPort,
	} {
		make := zmq4.NewDealer
		if name == "iopub" {
			make = zmq4.NewSub
		}
		socket := make(ctx, zmq4.WithID(zmq4.SocketIdentity(c.identity)), zmq4.WithLogger(log.New(io.Discard, "", 0)),
			zmq4.WithDialerRetry(10*time.Millisecond), zmq4.WithDialerMaxRetries(500))
		if err := socket.Dial(endpoint(connection, port)); err != nil {
			t.Fatal(err)
		}
		c.sockets[name] = socket
		c.received[name] = c.listen(ctx, socket)
	}
	if err := c.sockets["iopub"].SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	welcome := c.next("iopub")
	if welcome.Header.MsgType != "iopub_welcome" {
		t.Fatalf("the first iopub message is %s, want iopub_welcome", welcome.Header.MsgType)
	}
	t.Cleanup(c.close)
	return c
}

func endpoint(connection kernel.Connection, port int) string {
	if connection.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", connection.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", connection.IP, port)
}

// listen reads a socket into a channel. Every message is checked for its signature.
func (c *client) listen(ctx context.Context, socket zmq4.Socket) chan message {
	received := make(chan message, 100000)
	go func() {
		for {
			raw, err := socket.Recv()
			if err != nil || ctx.Err() != nil {
				close(received)
				return
			}
			parsed, err := c.connection.Key.Parse(raw.Frames)
			if err != nil {
				c.t.Errorf("the kernel sent %q: %v", raw.Frames, err)
				continue
			}
			m := message{Message: parsed}
			if err := json.Unmarshal(parsed.Content, &m.content); err != nil {
				c.t.Errorf("content %s: %v", parsed.Content, err)
			}
			if err := json.Unmarshal(parsed.Parent, &m.parent); err != nil {
				c.t.Errorf("parent %s: %v", parsed.Parent, err)
			}
			received <- m
		}
	}()
	return received
}

func (c *client) close() {
	for _, socket := range c.sockets {
		socket.Close()
	}
}

// send sends a request and returns its id.
func (c *client) send(socket, msgType string, content any) string {
	c.t.Helper()
	return c.sendWith(socket, msgType, content, nil, nil)
}

func (c *client) sendWith(socket, msgType string, content any, parent json.RawMessage, buffers [][]byte) string {
	c.t.Helper()
	encoded, err := wire.Encode(content)
	if err != nil {
		c.t.Fatal(err)
	}
	header := wire.Header{
		MsgID: fmt.Sprintf("%s-%d", c.session, c.sent.Add(1)), Session: c.session, Username: "tester",
		Date: time.Now().UTC().Format(time.RFC3339Nano), MsgType: msgType, Version: "5.3",
	}
	frames, err := c.connection.Key.Frames(wire.Message{Header: header, Parent: parent, Content: encoded, Buffers: buffers})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.sockets[socket].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
	return header.MsgID
}

// next returns the next message of a socket.
func (c *client) next(socket string) message {
	c.t.Helper()
	select {
	case m, ok := <-c.received[socket]:
		if !ok {
			c.t.Fatalf("%s is closed", socket)
		}
		return m
	case <-time.After(patience):
		c.t.Fatalf("no message came on %s", socket)
	}
	panic("unreachable")
}

// reply returns the reply to a request, dropping replies to others.
func (c *client) reply(socket, id string) message {
	c.t.Helper()
	for {
		if m := c.next(socket); m.parent.MsgID == id {
			return m
		}
	}
}

// published returns the iopub messages of a request between busy and idle.
func (c *client) published(id string) []message {
	c.t.Helper()
	var found []message
	state := ""
	for state != "idle" {
		m := c.next("iopub")
		if m.parent.MsgID != id {
			continue
		}
		if m.Header.MsgType != "status" {
			if state != "busy" {
				c.t.Errorf("%s came while the state was %q", m.Header.MsgType, state)
			}
			found = append(found, m)
			continue
		}
		was := state
		state = m.content["execution_state"].(string)
		if was == "" && state != "busy" || was == "busy" && state != "idle" {
			c.t.Errorf("status %q after %q", state, was)
		}
	}
	return found
}

// ask sends a request and returns its reply and what was published for it.
func (c *client) ask(socket, msgType string, content any) (message, []message) {
	c.t.Helper()
	id := c.send(socket, msgType, content)
	return c.reply(socket, id), c.published(id)
}

// execute runs a cell.
func (c *client) execute(code string) (message, []message) {
	c.t.Helper()
	return c.ask("shell", "execute_request", M{"code": code})
}

// types lists the types of messages.
func types(messages []message) []string {
	found := []string{}
	for _, m := range messages {
		found = append(found, m.Header.MsgType)
	}
	return found
}
