package kernel

import (
	"bytes"
	"io"
	"net"
	"sync"
	"time"
)

// tap is a subscriber inside the process. The PUB socket of the library takes messages on a
// queue without bounds and says nothing of what becomes of them; the tap, which is subscribed
// to everything, shows how far it has got.
type tap struct {
	script *bytes.Reader // what the tap says: handshake and subscription
	closed chan struct{}
	once   sync.Once
	ready  chan struct{} // closed when the subscription is in force

	scanner frameScanner
	skip    int // bytes of greeting still to come

	mu   sync.Mutex
	seen *sync.Cond
	got  int // whole messages, the READY command counted as minus one
}

func newTap() *tap {
	script := append(zmtpGreeting(), readyCommand("SUB", "")...)
	script = appendFrame(script, 0, []byte{1})
	t := &tap{
		script: bytes.NewReader(script),
		closed: make(chan struct{}),
		ready:  make(chan struct{}),
		skip:   greetingSize,
		got:    -1,
	}
	t.seen = sync.NewCond(&t.mu)
	return t
}

// Read plays the script, and then waits for the end. The library reads on only when it has
// dealt with the subscription.
func (t *tap) Read(b []byte) (int, error) {
	if t.script.Len() > 0 {
		return t.script.Read(b)
	}
	close(t.ready)
	<-t.closed
	return 0, io.EOF
}

// Write counts messages.
func (t *tap) Write(b []byte) (int, error) {
	size := len(b)
	drop := min(t.skip, len(b))
	t.skip, b = t.skip-drop, b[drop:]
	whole := 0
	err := t.scanner.scan(b, func(flags byte, _ []byte) {
		if flags&flagMore == 0 {
			whole++
		}
	})
	if whole > 0 {
		t.mu.Lock()
		t.got += whole
		t.seen.Broadcast()
		t.mu.Unlock()
	}
	return size, err
}

// await waits until n messages have come by, or the socket is closed.
func (t *tap) await(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.got < n && !t.isClosed() {
		t.seen.Wait()
	}
}

// awaitWithin is await for no longer than patience.
func (t *tap) awaitWithin(n int, patience time.Duration) {
	deadline := time.Now().Add(patience)
	wake := time.AfterFunc(patience, func() {
		t.mu.Lock()
		t.seen.Broadcast()
		t.mu.Unlock()
	})
	defer wake.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.got < n && !t.isClosed() && time.Now().Before(deadline) {
		t.seen.Wait()
	}
}

func (t *tap) isClosed() bool {
	select {
	case <-t.closed:
		return true
	default:
		return false
	}
}

func (t *tap) Close() error {
	t.once.Do(func() { close(t.closed) })
	t.mu.Lock()
	t.seen.Broadcast()
	t.mu.Unlock()
	return nil
}

func (t *tap) LocalAddr() net.Addr              { return tapAddress{} }
func (t *tap) RemoteAddr() net.Addr             { return tapAddress{} }
func (t *tap) SetDeadline(time.Time) error      { return nil }
func (t *tap) SetReadDeadline(time.Time) error  { return nil }
func (t *tap) SetWriteDeadline(time.Time) error { return nil }

type tapAddress struct{}

func (tapAddress) Network() string { return "tap" }
func (tapAddress) String() string  { return "tap" }

// barrierTopic marks a message that peers never pass on. The library writes a message to one
// peer after the other, the tap first; when the tap sees a barrier, all peers have been given
// what was sent before it.
const barrierTopic = "\x00barrier"

// isBarrier reports whether a message in the form of the network is a barrier.
func isBarrier(message []byte) bool {
	return len(message) == 2+len(barrierTopic) && string(message[2:]) == barrierTopic
}

var _ net.Conn = (*tap)(nil)
