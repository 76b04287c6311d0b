package kernel

import (
	"bytes"
	"io"
	"slices"
	"testing"
)

func TestFrameScannerSeesEveryFrame(t *testing.T) {
	bodies := [][]byte{[]byte("a"), nil, bytes.Repeat([]byte("x"), 255), bytes.Repeat([]byte("y"), 256), bytes.Repeat([]byte("z"), 70000), nil}
	stream := appendMessage(nil, bodies)
	stream = appendFrame(stream, flagCommand, []byte("\x04PING"))
	for _, piece := range []int{1, 2, 3, 9, 10, 100, len(stream)} {
		s := frameScanner{keep: 1 << 20}
		var got [][]byte
		var flags []byte
		for chunk := range slices.Chunk(stream, piece) {
			if err := s.scan(chunk, func(f byte, body []byte) {
				flags = append(flags, f&^flagLong)
				got = append(got, bytes.Clone(body))
			}); err != nil {
				t.Fatal(err)
			}
		}
		if len(got) != len(bodies)+1 {
			t.Fatalf("pieces of %d: %d frames, want %d", piece, len(got), len(bodies)+1)
		}
		for i, body := range bodies {
			if !bytes.Equal(got[i], body) {
				t.Errorf("pieces of %d: frame %d has %d bytes, want %d", piece, i, len(got[i]), len(body))
			}
		}
		if want := []byte{1, 1, 1, 1, 1, 0, 4}; !bytes.Equal(flags, want) {
			t.Errorf("pieces of %d: flags %v, want %v", piece, flags, want)
		}
	}
}

func TestFrameScannerLimits(t *testing.T) {
	accepts := func(max uint64, frames ...[]byte) bool {
		s := frameScanner{max: max}
		return s.scan(appendMessage(nil, frames), func(byte, []byte) {}) == nil
	}
	big := make([]byte, 600)
	if !accepts(1000, big) || accepts(1000, big, big) || accepts(500, big) {
		t.Error("the limit of 1000 bytes does not hold for messages of 600 and 1200")
	}
	s := frameScanner{max: 1000}
	for range 10 { // each message is within the limit
		if err := s.scan(appendMessage(nil, [][]byte{big}), func(byte, []byte) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzFrameScanner checks that what is seen does not depend on how the bytes are cut.
func FuzzFrameScanner(f *testing.F) {
	f.Add(appendMessage(nil, [][]byte{[]byte("a"), nil, make([]byte, 300)}), 3)
	f.Add([]byte("\x02\xff\xff\xff\xff\xff\xff\xff\xff"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		type frame struct {
			flags byte
			body  string
		}
		scan := func(piece int) (frames []frame, failed bool) {
			s := frameScanner{keep: 100, max: 1000}
			for chunk := range slices.Chunk(stream, piece) {
				err := s.scan(chunk, func(flags byte, body []byte) { frames = append(frames, frame{flags, string(body)}) })
				if err != nil {
					return frames, true
				}
			}
			return frames, false
		}
		whole, wholeFailed := scan(max(1, len(stream)))
		cut, cutFailed := scan(1 + (piece&0x7fffffff)%max(1, len(stream)))
		if !slices.Equal(whole, cut) || wholeFailed != cutFailed {
			t.Errorf("%q: whole %v %v, cut %v %v", stream, whole, wholeFailed, cut, cutFailed)
		}
	})
}

// FuzzHandshake checks that no peer can make the handshake fail otherwise than by an error,
// and that what passes is what the library is told.
func FuzzHandshake(f *testing.F) {
	good := append(zmtpGreeting(), readyCommand("DEALER", "me")...)
	f.Add(good)
	f.Add(good[:70])
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(append(zmtpGreeting(), "\x04\x08\x05READY\x63\x63"...))
	f.Fuzz(func(t *testing.T, said []byte) {
		socketType, identity, err := shakeHands(io.Discard, bytes.NewReader(said), []string{"DEALER", "REQ"})
		if err != nil {
			return
		}
		again, sameIdentity, err := readReady(bytes.NewReader(readyCommand(socketType, identity)))
		if err != nil || again != socketType || sameIdentity != identity {
			t.Errorf("%q passed as %q %q and was told as %q %q, %v", said, socketType, identity, again, sameIdentity, err)
		}
	})
}

func TestHandshakePasses(t *testing.T) {
	var said bytes.Buffer
	heard := append(zmtpGreeting(), readyCommand("REQ", "it")...)
	socketType, identity, err := shakeHands(&said, bytes.NewReader(heard), []string{"DEALER", "REQ"})
	if err != nil || socketType != "REQ" || identity != "it" || !bytes.Equal(said.Bytes(), zmtpGreeting()) {
		t.Errorf("%q %q %v after %q", socketType, identity, err, said.Bytes())
	}
}
