package kernel

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Limits of what waits for one peer. Output is slowed down to the pace of the fastest
// subscriber once all of them lag by softLimit; a peer that lags by more than that is
// disconnected when it has read nothing for stallTime, or when it lags by hardLimit.
const (
	softLimit = 8 << 20
	hardLimit = 256 << 20
	stallTime = 10 * time.Second
	writeSize = 256 << 10 // bytes handed to the network at once

	// unreadLimit is how many bytes of replies a client may leave unread before no more is
	// read from it.
	unreadLimit = 4 << 20
)

// peer is one connection as the socket library sees it: a net.Conn whose writes never block.
// The library writes to all peers of a socket in turn, under one lock, so a write that waits
// for one peer would stop the others. Here what the network does not take at once is put on a
// queue, and a goroutine of the peer's own carries it there.
type peer struct {
	net.Conn
	rules    *rules
	identity string
	log      *slog.Logger
	leave    func(*peer) // removes the peer from its listener

	// Used by the one goroutine that reads.
	replay  *bytes.Reader // the handshake, which has been taken off the network already
	reader  *bufio.Reader
	inbound frameScanner
	fault   error // what is wrong with the frames it sent

	// Used by the one goroutine at a time that writes.
	skip     int // bytes of the library's greeting, to be dropped: ours has been sent
	outbound frameScanner
	current  []byte // the message being written

	mu       sync.Mutex
	changed  *sync.Cond // of queue, pending, dead and ended
	queue    [][]byte
	sending  bool      // the goroutine of the peer's own is writing
	pending  int       // bytes in queue and on their way to the network
	progress time.Time // when the network last took some, or the queue began to fill
	topics   int       // subscriptions
	welcomes [][]byte  // for subscriptions that are not known to be in force yet
	welcomed bool      // the first welcome has been queued
	dead     bool      // nothing is read or written any more
	ended    bool      // the peer has closed its side
}

func newPeer(conn net.Conn, reader *bufio.Reader, rules *rules, socketType, identity string) *peer {
	p := &peer{
		Conn:     conn,
		rules:    rules,
		identity: identity,
		reader:   reader,
		replay:   bytes.NewReader(append(zmtpGreeting(), readyCommand(socketType, identity)...)),
		inbound:  frameScanner{max: rules.maxMessage},
		skip:     greetingSize,
	}
	if rules.welcome != nil {
		p.inbound.keep = maxSubscription
	}
	p.changed = sync.NewCond(&p.mu)
	return p
}

// Read hands on what the peer sent, after the handshake it has passed already.
func (p *peer) Read(b []byte) (int, error) {
	if p.replay.Len() > 0 {
		return p.replay.Read(b)
	}
	p.welcome()
	p.awaitReader()
	n, err := p.reader.Read(b)
	if err == nil {
		if err = errors.Join(p.inbound.scan(b[:n], p.received), p.fault); err != nil {
			p.log.Warn("a peer was disconnected", "socket", p.rules.name, "reason", err)
		}
	}
	if err != nil {
		p.mu.Lock()
		p.ended = true
		p.changed.Broadcast()
		p.mu.Unlock()
		p.kill()
		return 0, io.EOF // what makes the library forget the connection
	}
	return n, nil
}

// awaitReader waits while the peer leaves too many replies unread. Until it reads, nothing is
// read from it, so a client that floods the kernel with requests stops itself.
func (p *peer) awaitReader() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.rules.welcome == nil && p.pending > unreadLimit && !p.dead {
		p.changed.Wait()
	}
}

// received looks for subscriptions, and notes the welcome that each is owed.
func (p *peer) received(flags byte, body []byte) {
	if p.rules.welcome == nil {
		return
	}
	if flags&(flagCommand|flagMore) != 0 || len(body) == 0 || body[0] > 1 {
		p.fault = errors.New("it sent something that is no subscription")
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if body[0] == 0 {
		p.topics = max(0, p.topics-1)
		return
	}
	p.topics++
	p.welcomes = append(p.welcomes, p.rules.welcome(body[1:]))
}

// welcome queues the welcomes that are owed. A welcome promises that nothing is missed from
// now on, so it must not come before the subscription is in force; and it must be the first
// message. The subscription is in force when the library reads on, having dealt with it, and
// also when the library writes the first message to a peer that had no subscription before.
func (p *peer) welcome() {
	p.mu.Lock()
	p.welcomeLocked()
	p.mu.Unlock()
}

func (p *peer) welcomeLocked() {
	if p.dead || len(p.welcomes) == 0 {
		return
	}
	welcomes := p.welcomes
	p.welcomes, p.welcomed = nil, true
	for _, welcome := range welcomes {
		p.queueLocked(welcome)
	}
}

// queueLocked puts a message on the queue.
func (p *peer) queueLocked(message []byte) {
	if p.pending == 0 {
		p.progress = time.Now()
	}
	p.queue = append(p.queue, message)
	p.pending += len(message)
	p.changed.Broadcast()
}

// Write takes a piece of a message and queues the message when it is whole.
func (p *peer) Write(b []byte) (int, error) {
	size := len(b)
	drop := min(p.skip, len(b))
	p.skip, b = p.skip-drop, b[drop:]
	p.current = append(p.current, b...)
	whole := false
	err := p.outbound.scan(b, func(flags byte, _ []byte) { whole = flags&flagMore == 0 })
	if err != nil {
		return 0, err
	}
	if whole {
		message := p.current
		p.current = nil
		if !isBarrier(message) && !p.enqueue(message) {
			return 0, io.EOF
		}
	}
	return size, nil
}

// enqueue queues one whole message, and reports whether the peer is still there.
func (p *peer) enqueue(message []byte) bool {
	p.mu.Lock()
	if p.dead {
		p.mu.Unlock()
		return false
	}
	if !p.welcomed {
		p.welcomeLocked()
	}
	if message = p.writeLocked(message); len(message) == 0 {
		p.mu.Unlock()
		return true
	}
	p.queueLocked(message)
	stalled := p.stalledLocked()
	p.mu.Unlock()
	if stalled {
		p.drop()
		return false
	}
	return true
}

// writeLocked writes as much of a message as the network takes at once, if nothing is before it, and
// returns the rest. It spares waking the peer's own goroutine, which on a machine at rest takes longer
// than all else that is done for a message.
func (p *peer) writeLocked(message []byte) (rest []byte) {
	if len(p.queue) > 0 || p.sending {
		return message
	}
	return message[writeNow(p.Conn, message):]
}

// stalledLocked reports whether the peer has lagged too far or too long.
func (p *peer) stalledLocked() bool {
	if p.dead || p.pending <= softLimit {
		return false
	}
	return time.Since(p.progress) > stallTime || p.pending > hardLimit && len(p.queue) > 1
}

// drop disconnects a peer that does not read.
func (p *peer) drop() {
	p.log.Warn("a peer that does not read was disconnected", "socket", p.rules.name)
	p.kill()
}

// lag returns how many bytes wait for the peer, disconnecting it if it has stalled.
// Only subscribers count: others ask for what they get.
func (p *peer) lag() (bytes int, counts bool) {
	p.mu.Lock()
	bytes, counts = p.pending, p.topics > 0 && !p.dead
	stalled := p.stalledLocked()
	p.mu.Unlock()
	if stalled {
		p.drop()
		return 0, false
	}
	return bytes, counts
}

// send carries the queue to the network until the peer is dead.
func (p *peer) send() {
	for {
		batch, size := p.take()
		if size == 0 {
			return
		}
		if _, err := batch.WriteTo(p.Conn); err != nil {
			p.kill()
			return
		}
		p.mu.Lock()
		p.sending = false
		p.pending = max(0, p.pending-size)
		p.progress = time.Now()
		p.changed.Broadcast()
		p.mu.Unlock()
	}
}

// take waits for messages and takes up to writeSize bytes of them off the queue.
func (p *peer) take() (batch net.Buffers, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) == 0 && !p.dead {
		p.changed.Wait()
	}
	for len(p.queue) > 0 && size < writeSize {
		piece := p.queue[0]
		if n := writeSize - size; len(piece) > n {
			p.queue[0], piece = piece[n:], piece[:n]
		} else {
			p.queue[0] = nil
			p.queue = p.queue[1:]
		}
		batch = append(batch, piece)
		size += len(piece)
	}
	p.sending = size > 0
	return batch, size
}

// drain waits until all that is queued has gone to the network, but no longer than patience
// after the peer last took some, and then tells the peer that no more will come.
func (p *peer) drain(patience time.Duration) {
	wake := time.AfterFunc(patience, p.wake)
	defer wake.Stop()
	p.mu.Lock()
	for p.pending > 0 && !p.dead {
		left := patience - time.Since(p.progress)
		if left <= 0 {
			break
		}
		wake.Reset(left + time.Millisecond)
		p.changed.Wait()
	}
	dead := p.dead
	p.mu.Unlock()
	if half, ok := p.Conn.(interface{ CloseWrite() error }); ok && !dead {
		half.CloseWrite()
	}
}

// wake lets those who wait for a change look at the time.
func (p *peer) wake() {
	p.mu.Lock()
	p.changed.Broadcast()
	p.mu.Unlock()
}

// awaitEnd waits until the peer has closed its side, which it does when it has read
// everything, or until the deadline.
func (p *peer) awaitEnd(deadline time.Time) {
	wake := time.AfterFunc(time.Until(deadline), p.wake)
	defer wake.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.ended && !p.dead && time.Now().Before(deadline) {
		p.changed.Wait()
	}
}

// kill ends the connection at once.
func (p *peer) kill() {
	p.mu.Lock()
	p.dead, p.queue, p.pending = true, nil, 0
	p.changed.Broadcast()
	p.mu.Unlock()
	p.Conn.Close()
	p.leave(p)
}

// Close is how the library ends the connection.
func (p *peer) Close() error {
	p.kill()
	return nil
}

var _ net.Conn = (*peer)(nil)
