// Package wire reads and writes the messages of the Jupyter protocol 5.5: their frames and
// signatures (Key, Message), and the typed contents of every request and reply.
// It knows no sockets.
package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// ProtocolVersion is the version of the messaging protocol that the headers carry.
const ProtocolVersion = "5.5"

// delimiter stands between the routing prefix and the signed part of a message.
var delimiter = []byte("<IDS|MSG>")

// emptyObject stands for a header, metadata or content that was not given. It is new each
// time, because decoding into a json.RawMessage writes into what is there.
func emptyObject() json.RawMessage { return json.RawMessage("{}") }

// Header is the part of a message that says what it is and who sent it.
type Header struct {
	MsgID      string `json:"msg_id"`
	Session    string `json:"session"`
	Username   string `json:"username"`
	Date       string `json:"date"` // ISO 8601 with a zone
	MsgType    string `json:"msg_type"`
	Version    string `json:"version"`
	SubshellID string `json:"subshell_id,omitempty"` // "" for the main shell
}

// Message is one message of the protocol.
type Message struct {
	Identities [][]byte // routing prefix: who sent it, or the topic of an iopub message
	Header     Header
	RawHeader  json.RawMessage // the header as received, to be echoed with all its fields
	Parent     json.RawMessage // header of the request that caused this message; nil for none
	Metadata   json.RawMessage // nil for none
	Content    json.RawMessage
	Buffers    [][]byte // binary attachments; not signed
}

// ErrSignature is returned by Parse for a message that was not signed with the key.
var ErrSignature = errors.New("wire: the signature does not match")

// Key signs messages with HMAC-SHA256. An empty Key leaves messages unsigned.
type Key []byte

// Sign returns the signature of parts in hexadecimal, or nothing for an empty key.
func (k Key) Sign(parts ...[]byte) []byte {
	if len(k) == 0 {
		return []byte{}
	}
	mac := hmac.New(sha256.New, k)
	for _, part := range parts {
		mac.Write(part)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// Parse reads the frames of one message. It returns ErrSignature for a wrong signature, and
// another error for frames that are no message. The message shares memory with frames.
func (k Key) Parse(frames [][]byte) (Message, error) {
	at := -1
	for i, frame := range frames {
		if bytes.Equal(frame, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return Message{}, fmt.Errorf("wire: none of %d frames is the delimiter %s", len(frames), delimiter)
	}
	signed := frames[at+1:]
	if len(signed) < 5 {
		return Message{}, fmt.Errorf("wire: %d frames after the delimiter, want at least 5", len(signed))
	}
	signature, header, parent, metadata, content := signed[0], signed[1], signed[2], signed[3], signed[4]
	if !hmac.Equal(signature, k.Sign(header, parent, metadata, content)) {
		return Message{}, ErrSignature
	}
	m := Message{
		Identities: frames[:at],
		RawHeader:  header,
		Parent:     parent,
		Metadata:   metadata,
		Content:    content,
		Buffers:    signed[5:],
	}
	if err := m.parseHeader(); err != nil {
		return Message{}, err
	}
	return m, nil
}

// parseHeader fills Header. Fields of a wrong type are left empty: only the message's type is
// needed to answer it.
func (m *Message) parseHeader() error {
	err := json.Unmarshal(m.RawHeader, &m.Header)
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) {
		return fmt.Errorf("wire: header: %w", err)
	}
	if m.Header.MsgType == "" {
		return errors.New("wire: the header has no msg_type")
	}
	return nil
}

// Frames returns the frames of m, signed. RawHeader is ignored: Header is what is sent.
func (k Key) Frames(m Message) ([][]byte, error) {
	header, err := Encode(m.Header)
	if err != nil {
		return nil, err
	}
	parent, metadata, content := orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content)
	frames := make([][]byte, 0, len(m.Identities)+6+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, delimiter, k.Sign(header, parent, metadata, content), header, parent, metadata, content)
	return append(frames, m.Buffers...), nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return emptyObject()
	}
	return raw
}

// Encode returns v as JSON. Unlike json.Marshal it leaves <, > and & as they are, which keeps
// HTML and SVG short and readable.
func Encode(v any) (json.RawMessage, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	return bytes.TrimRight(buffer.Bytes(), "\n"), nil
}
