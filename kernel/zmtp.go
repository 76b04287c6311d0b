package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// The parts of ZMTP 3.0 (rfc.zeromq.org/spec/23) that the transport speaks itself, so that a
// peer which is silent, hostile or no ZeroMQ peer at all never reaches the socket library:
// the greeting, the READY command, and the headers of the frames that follow.

const (
	greetingSize = 64
	maxReadySize = 16 << 10 // a READY command has an identity and a few properties
	flagMore     = 1
	flagLong     = 2
	flagCommand  = 4
)

// zmtpGreeting returns the greeting of a ZMTP 3.0 peer with the NULL mechanism.
func zmtpGreeting() []byte {
	greeting := make([]byte, greetingSize)
	greeting[0], greeting[9], greeting[10] = 0xFF, 0x7F, 3
	copy(greeting[12:32], "NULL")
	return greeting
}

// checkGreeting says what is wrong with a peer's greeting.
func checkGreeting(greeting []byte) error {
	if greeting[0] != 0xFF || greeting[9] != 0x7F {
		return fmt.Errorf("it does not speak ZeroMQ: it began with %q", greeting[:10])
	}
	if greeting[10] < 3 {
		return fmt.Errorf("it speaks ZMTP %d, want 3", greeting[10])
	}
	if mechanism := greeting[12:32]; string(mechanism[:5]) != "NULL\x00" {
		return fmt.Errorf("its security mechanism is %q, want NULL", mechanism)
	}
	return nil
}

// appendFrame appends one frame to b.
func appendFrame(b []byte, flags byte, body []byte) []byte {
	if len(body) > 255 {
		b = append(b, flags|flagLong)
		b = binary.BigEndian.AppendUint64(b, uint64(len(body)))
	} else {
		b = append(b, flags, byte(len(body)))
	}
	return append(b, body...)
}

// appendMessage appends the frames of one message to b.
func appendMessage(b []byte, frames [][]byte) []byte {
	for i, frame := range frames {
		flags := byte(flagMore)
		if i == len(frames)-1 {
			flags = 0
		}
		b = appendFrame(b, flags, frame)
	}
	return b
}

// readyCommand returns the READY command of a peer.
func readyCommand(socketType, identity string) []byte {
	body := append([]byte{5}, "READY"...)
	for _, property := range [][2]string{{"Socket-Type", socketType}, {"Identity", identity}} {
		body = append(body, byte(len(property[0])))
		body = append(body, property[0]...)
		body = binary.BigEndian.AppendUint32(body, uint32(len(property[1])))
		body = append(body, property[1]...)
	}
	return appendFrame(nil, flagCommand, body)
}

// readReady reads a READY command and returns the peer's socket type and identity.
func readReady(r io.Reader) (socketType, identity string, err error) {
	var header [9]byte
	if _, err := io.ReadFull(r, header[:2]); err != nil {
		return "", "", err
	}
	size := uint64(header[1])
	if header[0]&flagLong != 0 {
		if _, err := io.ReadFull(r, header[2:]); err != nil {
			return "", "", err
		}
		size = binary.BigEndian.Uint64(header[1:])
	}
	if header[0]&flagCommand == 0 || size > maxReadySize {
		return "", "", fmt.Errorf("its first frame has flags %#x and %d bytes, want a READY command", header[0], size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return "", "", err
	}
	return parseReady(body)
}

var errReady = errors.New("its READY command is malformed")

func parseReady(body []byte) (socketType, identity string, err error) {
	if len(body) < 6 || string(body[:6]) != "\x05READY" {
		return "", "", errReady
	}
	rest := body[6:]
	for len(rest) > 0 {
		nameSize := int(rest[0])
		if len(rest) < 1+nameSize+4 {
			return "", "", errReady
		}
		name := string(rest[1 : 1+nameSize])
		size := uint64(binary.BigEndian.Uint32(rest[1+nameSize:]))
		rest = rest[1+nameSize+4:]
		if uint64(len(rest)) < size {
			return "", "", errReady
		}
		value := string(rest[:size])
		rest = rest[size:]
		switch name {
		case "Socket-Type":
			socketType = value
		case "Identity":
			identity = value
		}
	}
	return socketType, identity, nil
}

// shakeHands greets a peer and returns its identity. peerTypes are the socket types that may
// connect.
func shakeHands(w io.Writer, r io.Reader, peerTypes []string) (socketType, identity string, err error) {
	if _, err := w.Write(zmtpGreeting()); err != nil {
		return "", "", err
	}
	var greeting [greetingSize]byte
	// The first ten bytes tell ZeroMQ from anything else, which may never send the other 54.
	if _, err := io.ReadFull(r, greeting[:10]); err != nil {
		return "", "", err
	}
	if greeting[0] == 0xFF && greeting[9] == 0x7F {
		if _, err := io.ReadFull(r, greeting[10:]); err != nil {
			return "", "", err
		}
	}
	if err := checkGreeting(greeting[:]); err != nil {
		return "", "", err
	}
	socketType, identity, err = readReady(r)
	if err != nil {
		return "", "", err
	}
	if !slices.Contains(peerTypes, socketType) {
		return "", "", fmt.Errorf("it is a %q socket, want one of %q", socketType, peerTypes)
	}
	if len(identity) > 255 {
		return "", "", fmt.Errorf("its identity has %d bytes, want at most 255", len(identity))
	}
	return socketType, identity, nil
}

// frameScanner follows the frames in a stream of bytes that it sees in pieces of any size.
type frameScanner struct {
	keep uint64 // frames up to this size are handed on whole
	max  uint64 // bytes allowed in one message; 0: no limit

	header  [9]byte
	have    int    // bytes of header seen
	inBody  bool   // header is complete
	left    uint64 // bytes of the body still to come
	body    []byte // what was kept of it
	kept    bool   // the frame is to be handed on whole
	message uint64 // size of the message so far
}

// frameCost is what an empty frame counts towards the limit, for the memory it takes.
const frameCost = 64

// scan reads p and calls frame at each frame's end, with its body if it was kept.
func (s *frameScanner) scan(p []byte, frame func(flags byte, body []byte)) error {
	for len(p) > 0 {
		if !s.inBody {
			p = s.scanHeader(p)
			if !s.inBody {
				return nil
			}
			s.message += s.left + frameCost
			if s.max > 0 && (s.message > s.max || s.left > s.max) {
				return fmt.Errorf("a message of at least %d bytes is over the limit of %d", s.message, s.max)
			}
		}
		n := min(uint64(len(p)), s.left)
		if s.kept {
			s.body = append(s.body, p[:n]...)
		}
		p, s.left = p[n:], s.left-n
		if s.left == 0 {
			flags := s.header[0]
			if flags&flagMore == 0 {
				s.message = 0
			}
			s.inBody, s.have = false, 0
			frame(flags, s.body)
			s.body = s.body[:0]
		}
	}
	return nil
}

// scanHeader consumes bytes of the header and returns the rest of p.
func (s *frameScanner) scanHeader(p []byte) []byte {
	for len(p) > 0 && !s.inBody {
		s.header[s.have] = p[0]
		s.have++
		p = p[1:]
		switch {
		case s.have == 2 && s.header[0]&flagLong == 0:
			s.inBody, s.left = true, uint64(s.header[1])
		case s.have == 9:
			s.inBody, s.left = true, binary.BigEndian.Uint64(s.header[1:])
		}
	}
	s.kept = s.inBody && s.left <= s.keep
	return p
}
