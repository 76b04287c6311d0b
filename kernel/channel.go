package kernel

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// channel is one of the kernel's sockets with the one goroutine that sends on it.
type channel struct {
	name     string
	socket   zmq4.Socket
	listener *listener
	tap      *tap // of the iopub socket; nil for the others
	log      *slog.Logger
	outbox   outbox
	sent     int           // messages given to the library
	done     chan struct{} // closed when the sender has ended
}

// newChannel listens on a bound socket through the transport.
func newChannel(ctx context.Context, t *transport, transportName string, socket func(context.Context, ...zmq4.Option) zmq4.Socket,
	bound net.Listener, r rules, logger *slog.Logger) (*channel, error) {
	l := newListener(bound, r, logger)
	t.listeners[r.name] = l
	c := &channel{
		name:     r.name,
		listener: l,
		log:      logger,
		done:     make(chan struct{}),
		socket: socket(ctx, zmq4.WithLogger(log.New(io.Discard, "", 0)),
			zmq4.WithTimeout(time.Second)),
	}
	c.outbox.init()
	if err := c.socket.Listen(transportName + "://" + r.name); err != nil {
		l.Close()
		return nil, fmt.Errorf("%s socket: %w", r.name, err)
	}
	if r.welcome != nil {
		c.tap = newTap()
		l.hand(c.tap)
		<-c.tap.ready
	}
	go c.send()
	return c, nil
}

// send carries the outbox to the socket.
func (c *channel) send() {
	defer close(c.done)
	for {
		item, ok := c.outbox.take()
		if !ok {
			return
		}
		if item.reached != nil {
			c.settle(0)
			close(item.reached)
		} else {
			if c.tap != nil {
				c.listener.awaitRoom()
			}
			c.pass(zmq4.NewMsgFrom(item.frames...))
		}
		c.outbox.end()
	}
}

// put sends a message when its turn comes: at once, if nothing is before it and it cannot wait for
// anything, else by the sender, whose waking takes longer than sending. Bulk output waits for room in
// the row; replies and states, which are small and on which clients wait, do not.
func (c *channel) put(frames [][]byte, bulk bool) {
	if c.tap == nil || c.listener.hasRoom() {
		if c.outbox.begin() {
			c.pass(zmq4.NewMsgFrom(frames...))
			c.outbox.end()
			return
		}
	}
	c.outbox.put(frames, bulk)
}

// inLibrary is how many messages may be inside a socket that queues them.
const inLibrary = 32

// pass gives one message to the library.
func (c *channel) pass(message zmq4.Msg) {
	if err := c.socket.SendMulti(message); err != nil {
		c.log.Debug("a message was not sent", "socket", c.name, "error", err)
	}
	c.sent++
	c.settle(inLibrary)
}

// settle waits until no more than so many messages are inside the library. Only a socket with
// a tap queues them.
func (c *channel) settle(inside int) {
	if c.tap != nil {
		c.tap.await(c.sent - inside)
	}
}

// flush waits until all that was put into the outbox before has been given to the peers'
// queues, but no longer than patience.
func (c *channel) flush(patience time.Duration) {
	if c.outbox.begin() {
		if c.tap != nil {
			c.tap.awaitWithin(c.sent, patience)
		}
		c.outbox.end()
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.outbox.mark():
	case <-c.done:
	case <-timer.C:
	}
}

// finish delivers all that was sent and closes the socket.
func (c *channel) finish(patience time.Duration) {
	c.flush(4 * patience)
	c.outbox.close()
	select {
	case <-c.done:
		if c.tap != nil {
			c.pass(zmq4.NewMsg([]byte(barrierTopic)))
			c.settle(0)
		}
	case <-time.After(patience):
	}
	c.listener.drain(patience)
	c.socket.Close()
}

// parcel is a message on its way to a socket, or a mark in the row of them.
type parcel struct {
	frames  [][]byte
	size    int
	reached chan struct{} // of a mark: closed when it is its turn
}

// outboxLimit is how many bytes may wait in an outbox before bulk output has to wait.
const outboxLimit = 16 << 20

// outbox is the row of messages that wait for a socket.
type outbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	row     []parcel
	size    int  // bytes in row
	busy    bool // somebody gives a message to the socket
	closed  bool
}

func (o *outbox) init() { o.changed = sync.NewCond(&o.mu) }

// begin makes the caller the one who sends, if nothing waits and nobody sends. It must call end.
func (o *outbox) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy || o.closed || len(o.row) > 0 {
		return false
	}
	o.busy = true
	return true
}

func (o *outbox) end() {
	o.mu.Lock()
	o.busy = false
	if len(o.row) > 0 || o.closed {
		o.changed.Broadcast()
	}
	o.mu.Unlock()
}

// put adds a message at the end of the row; bulk output waits for room there.
func (o *outbox) put(frames [][]byte, bulk bool) {
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for bulk && o.size > outboxLimit && !o.closed {
		o.changed.Wait()
	}
	if o.closed {
		return
	}
	o.row = append(o.row, parcel{frames: frames, size: size})
	o.size += size
	o.changed.Broadcast()
}

// mark adds a mark at the end of the row and returns the channel that is closed at its turn.
func (o *outbox) mark() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	reached := make(chan struct{})
	if o.closed {
		close(reached)
		return reached
	}
	o.row = append(o.row, parcel{reached: reached})
	o.changed.Broadcast()
	return reached
}

// take waits for the next parcel, which the caller then sends until it calls end. It reports false when
// the outbox is closed and empty.
func (o *outbox) take() (parcel, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.busy || len(o.row) == 0 && !o.closed {
		o.changed.Wait()
	}
	if len(o.row) == 0 {
		return parcel{}, false
	}
	next := o.row[0]
	o.row[0] = parcel{}
	o.row = o.row[1:]
	o.size -= next.size
	o.busy = true
	o.changed.Broadcast()
	return next, true
}

// close lets the sender end when the row is empty; what is put in later is dropped.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.changed.Broadcast()
	o.mu.Unlock()
}
