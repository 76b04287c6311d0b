package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	zmtransport "github.com/go-zeromq/zmq4/transport"
)

const (
	handshakeTime   = 10 * time.Second
	maxSubscription = 1 << 10
	maxRequest      = 1 << 30 // bytes of one request
)

// rules are how one of the five sockets treats its peers.
type rules struct {
	name       string
	peerTypes  []string                  // socket types that may connect
	maxMessage uint64                    // bytes of one message received
	welcome    func(topic []byte) []byte // greets a subscriber, if the socket has any
}

// transport lets the socket library listen on sockets that are bound already. Its listeners
// shake hands with each peer on a goroutine of its own, so that the library, which accepts
// one peer after the other, only ever sees peers that have shown who they are.
//
// The library keeps transports by name for ever, so a transport is registered per Server
// under a name of its own.
type transport struct {
	listeners map[string]*listener // by the name of the socket
}

func (t *transport) Dial(context.Context, zmtransport.Dialer, string) (net.Conn, error) {
	return nil, errors.New("kernel: its sockets only listen")
}

func (t *transport) Listen(_ context.Context, address string) (net.Listener, error) {
	l, ok := t.listeners[address]
	if !ok {
		return nil, fmt.Errorf("kernel: no socket is called %q", address)
	}
	return l, nil
}

func (t *transport) Addr(endpoint string) (string, error) { return endpoint, nil }

// listener accepts the peers of one socket.
type listener struct {
	net.Listener
	rules  rules
	log    *slog.Logger
	ready  chan net.Conn // has shaken hands
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	peers map[*peer]struct{}
}

func newListener(bound net.Listener, rules rules, log *slog.Logger) *listener {
	l := &listener{
		Listener: bound,
		rules:    rules,
		log:      log,
		ready:    make(chan net.Conn),
		closed:   make(chan struct{}),
		peers:    map[*peer]struct{}{},
	}
	go l.listen()
	return l
}

// listen takes connections off the network.
func (l *listener) listen() {
	for {
		conn, err := l.Listener.Accept()
		switch {
		case err == nil:
			go l.greet(conn)
		case errors.Is(err, net.ErrClosed):
			return
		default: // out of file descriptors, most likely; it may pass
			l.log.Warn("could not accept a connection", "socket", l.rules.name, "error", err)
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// greet shakes hands with a new connection and passes it on.
func (l *listener) greet(conn net.Conn) {
	conn.SetDeadline(time.Now().Add(handshakeTime))
	reader := bufio.NewReaderSize(conn, 64<<10)
	socketType, identity, err := shakeHands(conn, reader, l.rules.peerTypes)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			l.log.Warn("a connection was refused", "socket", l.rules.name, "reason", err)
		}
		conn.Close()
		return
	}
	conn.SetDeadline(time.Time{})
	p := newPeer(conn, reader, &l.rules, socketType, identity)
	p.log, p.leave = l.log, l.remove
	l.mu.Lock()
	l.peers[p] = struct{}{}
	l.mu.Unlock()
	go p.send()
	l.hand(p)
}

// hand passes a connection to Accept.
func (l *listener) hand(conn net.Conn) {
	select {
	case l.ready <- conn:
	case <-l.closed:
		conn.Close()
	}
}

// Accept waits for a peer that has shaken hands. It fails only after Close: the library would
// call it again at once, and for ever.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.ready:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close stops listening and ends all connections.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	err := l.Listener.Close()
	for _, p := range l.connected() {
		p.kill()
	}
	return err
}

func (l *listener) remove(p *peer) {
	l.mu.Lock()
	delete(l.peers, p)
	l.mu.Unlock()
}

// connected returns the peers that are there now.
func (l *listener) connected() []*peer {
	l.mu.Lock()
	defer l.mu.Unlock()
	peers := make([]*peer, 0, len(l.peers))
	for p := range l.peers {
		peers = append(peers, p)
	}
	return peers
}

// has reports whether a peer with this identity is connected.
func (l *listener) has(identity []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.peers {
		if p.identity == string(identity) {
			return true
		}
	}
	return false
}

// awaitRoom waits while every subscriber lags behind, so that a cell prints no faster than
// its fastest reader reads. Stalled subscribers are disconnected, so this ends.
func (l *listener) awaitRoom() {
	for !l.hasRoom() {
		select {
		case <-l.closed:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// hasRoom reports whether not every subscriber lags behind.
func (l *listener) hasRoom() bool {
	readers, lagging := 0, 0
	for _, p := range l.connected() {
		bytes, counts := p.lag()
		if !counts {
			continue
		}
		readers++
		if bytes > softLimit {
			lagging++
		}
	}
	return lagging == 0 || lagging < readers
}

// drain delivers what is queued, giving up on a peer that takes nothing for patience, and
// waits up to the same time for the peers to have read it.
func (l *listener) drain(patience time.Duration) {
	peers := l.connected()
	var all sync.WaitGroup
	for _, p := range peers {
		all.Go(func() {
			p.drain(patience)
			p.awaitEnd(time.Now().Add(patience))
		})
	}
	all.Wait()
}
