package kernel_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// rawPeer is a ZeroMQ peer made by hand, which can misbehave.
type rawPeer struct {
	t *testing.T
	net.Conn
}

// dialRaw connects and says nothing.
func dialRaw(t *testing.T, port int) rawPeer {
	t.Helper()
	var conn net.Conn
	var err error
	for began := time.Now(); time.Since(began) < patience; time.Sleep(10 * time.Millisecond) {
		if conn, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return rawPeer{t, conn}
}

// greet does the handshake of a socket of this type.
func (p rawPeer) greet(socketType string) {
	p.t.Helper()
	greeting := make([]byte, 64)
	greeting[0], greeting[9], greeting[10] = 0xFF, 0x7F, 3
	copy(greeting[12:], "NULL")
	body := "\x05READY\x0bSocket-Type" + string(binary.BigEndian.AppendUint32(nil, uint32(len(socketType)))) + socketType
	p.send(string(greeting) + "\x04" + string(rune(len(body))) + body)
	answer := make([]byte, 64)
	if _, err := io.ReadFull(p, answer); err != nil {
		p.t.Fatal(err)
	}
	if string(answer[:1]) != "\xff" || answer[10] != 3 {
		p.t.Fatalf("the kernel greeted with %q", answer)
	}
}

func (p rawPeer) send(s string) {
	p.t.Helper()
	if _, err := p.Write([]byte(s)); err != nil {
		p.t.Fatal(err)
	}
}

// frames returns a signed request as the network carries it.
func frames(t *testing.T, connection kernel.Connection, msgType, content string) string {
	t.Helper()
	parts, err := connection.Key.Frames(wire.Message{Header: wire.Header{MsgID: "flood", Session: "flood", MsgType: msgType}, Content: []byte(content)})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, part := range parts {
		more := "\x01"
		if i == len(parts)-1 {
			more = "\x00"
		}
		if len(part) > 255 {
			t.Fatalf("a frame of %d bytes", len(part))
		}
		b.WriteString(more + string([]byte{byte(len(part))}) + string(part))
	}
	return b.String()
}

// checkServed checks that a healthy client, old or new, is served.
func checkServed(t *testing.T, connection kernel.Connection, old *client) {
	t.Helper()
	fresh := connect(t, connection)
	for _, c := range []*client{old, fresh} {
		for _, socket := range []string{"shell", "control"} {
			if reply := c.reply(socket, c.send(socket, "kernel_info_request", M{})); reply.content["status"] != "ok" {
				t.Errorf("reply %v", reply.content)
			}
		}
	}
}

// watch asks for kernel_info again and again, on shell and control, until the function that it
// returns is called. That checks how long the slowest answer took: at most a second more than
// twenty times the slowest of another kernel, with which nothing is wrong, asked in between. A
// busy machine slows both. The race detector slows most what a fault makes work for: with it an
// answer need only come.
func watch(t *testing.T, connection kernel.Connection) (check func()) {
	t.Helper()
	reference, _ := start(t, kernel.Options{})
	healthy, disturbed := connect(t, reference), connect(t, connection)
	ask := func(c *client) time.Duration {
		began := time.Now()
		for _, socket := range []string{"shell", "control"} {
			if reply := c.reply(socket, c.send(socket, "kernel_info_request", M{})); reply.content["status"] != "ok" {
				t.Errorf("reply %v", reply.content)
			}
		}
		return time.Since(began)
	}
	var usual, slowest time.Duration
	for range 50 {
		usual = max(usual, ask(healthy), ask(disturbed))
	}
	stop, ended, asked := make(chan struct{}), make(chan struct{}), 0
	go func() {
		defer close(ended)
		for {
			usual, slowest = max(usual, ask(healthy)), max(slowest, ask(disturbed))
			asked++
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() {
		t.Helper()
		close(stop)
		<-ended
		t.Logf("a healthy client asked %d times and waited %v at most; elsewhere %v", asked, slowest, usual)
		if !raceDetector && slowest > time.Second+20*usual {
			t.Errorf("a healthy client waited up to %v; elsewhere it was %v", slowest, usual)
		}
	}
}

// Peers that connect and say nothing, speak another protocol, or break off in the middle, do
// not keep others from connecting.
func TestStrangePeers(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	served := watch(t, connection)
	ports := []int{connection.ShellPort, connection.ControlPort, connection.StdinPort, connection.IOPubPort, connection.HeartbeatPort}
	strange := map[string]string{
		"silent":           "",
		"half greeting":    "\xff\x00\x00\x00",
		"HTTP":             "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"ZMTP 2":           "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x01" + strings.Repeat("\x00", 53),
		"another security": "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00CURVE" + strings.Repeat("\x00", 47),
	}
	greeting := "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + strings.Repeat("\x00", 48)
	for name, ready := range map[string]string{
		"huge READY":     "\x06\xff\xff\xff\xff\xff\xff\xff\xff",
		"no READY":       "\x00\x05hello",
		"bad READY":      "\x04\x08\x05READY\x63\x63",
		"short READY":    "\x04\x0e\x05READY\x03Soc\x00\x00\x00\x63",
		"unknown socket": "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03ZZZ",
		"no socket type": "\x04\x06\x05READY",
	} {
		strange[name] = greeting + ready
	}
	for name, text := range strange {
		for _, port := range ports {
			p := dialRaw(t, port)
			p.send(text)
			if name == "silent" || name == "half greeting" {
				continue
			}
			p.SetReadDeadline(time.Now().Add(patience))
			if _, err := io.Copy(io.Discard, p); err != nil && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%s: the kernel did not hang up: %v", name, err)
			}
		}
	}
	checkServed(t, connection, c)
	served()
}

// Peers that shake hands and then send frames that are none, or too big.
func TestStrangeFrames(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	served := watch(t, connection)
	for _, frame := range []string{
		"\x02\xff\xff\xff\xff\xff\xff\xff\xff",     // a frame of 2⁶⁴-1 bytes
		"\x02\x7f\xff\xff\xff\xff\xff\xff\xff",     // of 2⁶³-1
		"\x02\x00\x00\x00\x00\x50\x00\x00\x00",     // of 1.25 GB
		"\x04\x05\x04PING\x04\x00\x00\x00\x00",     // commands
		"\x00\x00\x00\x00",                         // empty messages
		strings.Repeat("\x01\x00", 2000) + "\x00a", // many frames
	} {
		for port, socketType := range map[int]string{
			connection.ShellPort: "DEALER", connection.ControlPort: "DEALER", connection.StdinPort: "DEALER",
			connection.IOPubPort: "SUB", connection.HeartbeatPort: "REQ",
		} {
			p := dialRaw(t, port)
			p.greet(socketType)
			p.send(frame)
		}
	}
	checkServed(t, connection, c)
	served()
}

// A subscriber that stops reading holds up nobody, and is disconnected in the end.
func TestStalledSubscriber(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	stalled := dialRaw(t, connection.IOPubPort)
	stalled.greet("SUB")
	stalled.send("\x00\x01\x01")
	c := connect(t, connection)
	served := watch(t, connection)
	id := c.send("shell", "execute_request", M{"code": "flood 40"})
	checkServed(t, connection, c)
	size := 0
	for _, m := range c.published(id)[1:] {
		size += len(m.content["text"].(string))
	}
	served()
	if size != 40e6 {
		t.Errorf("the healthy client got %d bytes of 40 MB", size)
	}
}

// If nobody else reads either, the cell is slowed down and then goes on without the stalled
// subscriber; meanwhile requests are answered.
func TestOnlySubscriberStalls(t *testing.T) {
	if testing.Short() {
		t.Skip("prints 50 MB and waits for ten seconds")
	}
	connection, _ := start(t, kernel.Options{})
	stalled := dialRaw(t, connection.IOPubPort)
	stalled.greet("SUB")
	stalled.send("\x00\x01\x01")
	c := connect(t, connection)
	c.sockets["iopub"].Close()
	id := c.send("shell", "execute_request", M{"code": "flood 50"})
	for range 20 {
		reply := c.reply("control", c.send("control", "kernel_info_request", M{}))
		if reply.content["status"] != "ok" {
			t.Errorf("reply %v", reply.content)
		}
	}
	if reply := c.reply("shell", id); reply.content["status"] != "ok" {
		t.Errorf("the cell: %v", reply.content)
	}
}

// A subscriber that pauses for a while and then reads loses nothing, also if it is the only
// one and more is printed than any queue holds.
func TestPausingSubscriberLosesNothing(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	pausing := dialRaw(t, connection.IOPubPort)
	pausing.greet("SUB")
	pausing.send("\x00\x01\x01")
	c := connect(t, connection)
	c.sockets["iopub"].Close()
	c.send("shell", "execute_request", M{"code": "flood 40\nprint the end"})
	time.Sleep(time.Second)
	var received strings.Builder
	pausing.SetReadDeadline(time.Now().Add(patience))
	for buffer, tail := make([]byte, 1<<20), ""; !strings.Contains(tail, `the end\n`); {
		n, err := pausing.Read(buffer)
		if err != nil {
			t.Fatalf("after %d bytes: %v", received.Len(), err)
		}
		received.Write(buffer[:n])
		tail = received.String()[max(0, received.Len()-n-10):]
	}
	// A message may be cut anywhere in a row, but every row ends once.
	if rows := strings.Count(received.String(), `x\n`) + strings.Count(received.String(), `"text":"\n`); rows != 40000 {
		t.Errorf("%d of 40000 rows came", rows)
	}
}

// A client that floods a socket with requests and never reads a reply harms only itself.
func TestFlood(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	served := watch(t, connection)
	flood := dialRaw(t, connection.ShellPort)
	flood.greet("DEALER")
	request := []byte(strings.Repeat(frames(t, connection, "kernel_info_request", "{}"), 100))
	stopped := make(chan int)
	go func() {
		sent := 0
		flood.SetWriteDeadline(time.Now().Add(2 * time.Second))
		for {
			if _, err := flood.Write(request); err != nil {
				break
			}
			sent += 100
		}
		stopped <- sent
	}()
	time.Sleep(200 * time.Millisecond)
	checkServed(t, connection, c)
	t.Logf("%d requests were sent and no reply read", <-stopped)
	checkServed(t, connection, c)
	served()
}

func TestBigMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("moves 200 MB")
	}
	size := int(100e6)
	if raceDetector {
		size /= 20
	}
	for _, transport := range []string{"tcp", "ipc"} {
		connection := newConnection(t, transport)
		serve(t, connection, kernel.Options{})
		c := connect(t, connection)
		_, published := c.execute(fmt.Sprintf("big %d", size))
		if text := published[1].content["data"].(M)["text/plain"].(string); len(text) != size || strings.Trim(text, "x") != "" {
			t.Errorf("%s: a display of %d bytes came as %d", transport, size, len(text))
		}
		_, published = c.execute("length " + strings.Repeat("y", size))
		if text := published[1].content["data"].(M)["text/plain"]; text != fmt.Sprint(size) {
			t.Errorf("%s: the cell had %v bytes", transport, text)
		}
	}
}
