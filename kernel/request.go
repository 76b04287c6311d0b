package kernel

import (
	"encoding/json"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// request is one message from a client that is being dealt with.
type request struct {
	server   *Server
	channel  *channel
	message  wire.Message
	received time.Time
	metadata map[string]any // of the reply
	after    func()         // what to do when everything about the request has been said
}

// reply sends the reply, on the channel by which the request came. Messages that are no
// requests have none.
func (r *request) reply(content any) {
	name, isRequest := strings.CutSuffix(r.message.Header.MsgType, "_request")
	if !isRequest {
		return
	}
	msgType := name + "_reply"
	frames, err := r.server.frames(wire.Message{
		Identities: r.message.Identities,
		Parent:     r.message.RawHeader,
		Metadata:   r.server.encodeMetadata(r.metadata),
	}, msgType, content)
	if err != nil {
		r.server.log.Error("a reply could not be encoded", "type", msgType, "error", err)
		return
	}
	r.channel.put(frames, false)
}

// status publishes whether the kernel works on the request.
func (r *request) status(state string) {
	r.server.publish(r, "status", wire.Status{ExecutionState: state}, false)
}

func (s *Server) encodeMetadata(metadata map[string]any) json.RawMessage {
	if len(metadata) == 0 {
		return nil
	}
	encoded, err := wire.Encode(metadata)
	if err != nil {
		s.log.Error("metadata could not be encoded", "error", err)
		return nil
	}
	return encoded
}

// frames gives m a header, unless it has one, and content, and signs it.
func (s *Server) frames(m wire.Message, msgType string, content any) ([][]byte, error) {
	encoded, err := wire.Encode(content)
	if err != nil {
		return nil, err
	}
	m.Content = encoded
	if m.Header.MsgID == "" {
		m.Header = s.header(msgType)
	}
	return s.connection.Key.Frames(m)
}

// header returns a new header.
func (s *Server) header(msgType string) wire.Header {
	return wire.Header{
		MsgID:    s.session + "_" + strconv.FormatInt(s.messages.Add(1), 10),
		Session:  s.session,
		Username: username(),
		Date:     isoDate(time.Now()),
		MsgType:  msgType,
		Version:  wire.ProtocolVersion,
	}
}

// username is the name of the user who runs the kernel.
var username = sync.OnceValue(func() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "kernel"
})

// isoDate formats a time as the protocol wants it.
func isoDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// publish sends a message to all subscribers. parent is the request that caused it, nil for
// none. Bulk messages, which are the output of cells, wait while all subscribers lag behind.
func (s *Server) publish(parent *request, msgType string, content any, bulk bool) {
	s.publishMessage(wire.Message{Identities: [][]byte{topic(s.session, msgType, content)}}, parent, msgType, content, bulk)
}

// publishMessage is publish for a message that has metadata or buffers.
func (s *Server) publishMessage(m wire.Message, parent *request, msgType string, content any, bulk bool) {
	if parent != nil {
		m.Parent = parent.message.RawHeader
	}
	frames, err := s.frames(m, msgType, content)
	if err != nil {
		s.log.Error("a message could not be encoded", "type", msgType, "error", err)
		return
	}
	s.iopub.put(frames, bulk)
}

// topic is the first frame of an iopub message, by which subscribers may choose.
func topic(session, msgType string, content any) []byte {
	if stream, ok := content.(wire.Stream); ok {
		return []byte("stream." + stream.Name)
	}
	return []byte("kernel." + session + "." + msgType)
}

// welcome returns the greeting of a subscriber (JEP 65), in the form of the network. Its
// topic is the subscription itself, or the subscriber would not be given it.
func (s *Server) welcome(subscription []byte) []byte {
	identity := subscription
	if len(identity) == 0 {
		identity = []byte("iopub_welcome")
	}
	frames, err := s.frames(wire.Message{Identities: [][]byte{identity}}, "iopub_welcome", wire.Welcome{Subscription: string(subscription)})
	if err != nil {
		panic("kernel: a welcome could not be encoded: " + err.Error())
	}
	return appendMessage(nil, frames)
}
