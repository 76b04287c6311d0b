package kernel_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// benchmarkRequest times a request, from sending it to its reply and the idle after it.
func benchmarkRequest(b *testing.B, transport, msgType string, content any) {
	connection := newConnection(b, transport)
	serve(b, connection, kernel.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	c := connect(b, connection)
	for b.Loop() {
		c.ask("shell", msgType, content)
	}
}

func BenchmarkCell(b *testing.B)       { benchmarkRequest(b, "tcp", "execute_request", M{"code": "1+1"}) }
func BenchmarkCellIPC(b *testing.B)    { benchmarkRequest(b, "ipc", "execute_request", M{"code": "1+1"}) }
func BenchmarkKernelInfo(b *testing.B) { benchmarkRequest(b, "tcp", "kernel_info_request", M{}) }

// BenchmarkPrint times a megabyte printed in rows of a thousand characters.
func BenchmarkPrint(b *testing.B) {
	b.SetBytes(1e6)
	benchmarkRequest(b, "tcp", "execute_request", M{"code": "flood 1", "store_history": false})
}

func BenchmarkParse(b *testing.B) {
	key := wire.Key("secret")
	frames, err := key.Frames(wire.Message{
		Header:  wire.Header{MsgID: "1", Session: "s", MsgType: "execute_request", Version: "5.5"},
		Content: []byte(`{"code":"` + strings.Repeat("x", 1000) + `"}`),
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := key.Parse(frames); err != nil {
			b.Fatal(err)
		}
	}
}
