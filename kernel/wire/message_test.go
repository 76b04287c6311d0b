package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The signature of RFC 4231, test case 2, cut into the four parts of a message.
func TestSign(t *testing.T) {
	got := Key("Jefe").Sign([]byte("what do "), []byte("ya want "), []byte("for "), []byte("nothing?"))
	if want := "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"; string(got) != want {
		t.Errorf("signature %s, want %s", got, want)
	}
	if got := Key("").Sign([]byte("a")); got == nil || len(got) != 0 {
		t.Errorf("signature without a key %q", got)
	}
}

func TestMessageRoundTrip(t *testing.T) {
	for _, key := range []Key{nil, Key("secret")} {
		sent := Message{
			Identities: [][]byte{[]byte("client"), {}},
			Header:     Header{MsgID: "1", Session: "s", Username: "u", Date: "d", MsgType: "comm_msg", Version: "5.5", SubshellID: "x"},
			Parent:     []byte(`{"msg_id": "0"}`),
			Content:    []byte(`{"a":1}`),
			Buffers:    [][]byte{[]byte("<IDS|MSG>"), {}, {0xff}},
		}
		frames, err := key.Frames(sent)
		if err != nil {
			t.Fatal(err)
		}
		got, err := key.Parse(frames)
		if err != nil {
			t.Fatal(err)
		}
		want := sent
		want.RawHeader = []byte(`{"msg_id":"1","session":"s","username":"u","date":"d","msg_type":"comm_msg","version":"5.5","subshell_id":"x"}`)
		want.Metadata = []byte("{}")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Every bit of the signed parts counts.
func TestSignatureCoversTheMessage(t *testing.T) {
	key := Key("secret")
	frames, err := key.Frames(Message{Header: Header{MsgType: "x"}, Content: []byte(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for i, frame := range frames[1:] {
		for j := range frame {
			frame[j] ^= 1
			if _, err := key.Parse(frames); !errors.Is(err, ErrSignature) {
				t.Errorf("frame %d, byte %d changed: %v", i+1, j, err)
			}
			frame[j] ^= 1
			checked++
		}
	}
	if _, err := key.Parse(frames); err != nil || checked < 100 {
		t.Errorf("%v after %d changes", err, checked)
	}
}

func TestEncodeKeepsHTML(t *testing.T) {
	got, err := Encode("<b>&</b>")
	if err != nil || string(got) != `"<b>&</b>"` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Encode(func() {}); err == nil {
		t.Error("a function was encoded")
	}
}

func TestDecodeDefaults(t *testing.T) {
	want := ExecuteRequest{StoreHistory: true, AllowStdin: true, StopOnError: true}
	for _, content := range []string{``, `{}`, `{"silent":null,"store_history":null,"unknown":[]}`} {
		got, err := Decode[ExecuteRequest]([]byte(content))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v: %s", content, err, diff)
		}
	}
	if got, err := Decode[CompleteRequest]([]byte(`{"code":"x"}`)); err != nil || got.CursorPos != -1 {
		t.Errorf("complete_request: %+v, %v", got, err)
	}
	if got, err := Decode[HistoryRequest](nil); err != nil || got.AccessType != "range" || got.Pattern != "*" || got.N != nil || got.Stop != nil {
		t.Errorf("history_request: %+v, %v", got, err)
	}
	for content, says := range map[string]string{
		`{"code":1}`:                   "field code: want string, got a JSON number",
		`{"user_expressions":{"a":1}}`: "user_expressions",
		`{`:                            "content",
		`[]`:                           "content",
	} {
		if _, err := Decode[ExecuteRequest]([]byte(content)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want it to say %q", content, err, says)
		}
	}
}

// Decoding must not write into the default of another message.
func TestDecodeSharesNothing(t *testing.T) {
	if _, err := Decode[CommMessage]([]byte(`{"data":[9]}`)); err != nil {
		t.Fatal(err)
	}
	if got, err := Decode[CommMessage]([]byte(`{}`)); err != nil || string(got.Data) != "{}" {
		t.Errorf("%s, %v", got.Data, err)
	}
}

// FuzzParse feeds frames, separated by a byte, signed and unsigned. What is parsed can be
// written and parsed again.
func FuzzParse(f *testing.F) {
	f.Add([]byte("id|<IDS|MSG>||{\"msg_type\":\"x\"}|{}|{}|{}|buffer"), []byte("key"))
	f.Add([]byte("<IDS|MSG>"), []byte(""))
	f.Add([]byte("|||"), []byte("k"))
	f.Fuzz(func(t *testing.T, text, secret []byte) {
		key := Key(secret)
		// "|" separates frames, and the delimiter itself is written with one.
		text = bytes.ReplaceAll(text, []byte("<IDS|MSG>"), []byte("<IDS\x00MSG>"))
		frames := bytes.Split(text, []byte("|"))
		for i := range frames {
			frames[i] = bytes.ReplaceAll(frames[i], []byte("<IDS\x00MSG>"), delimiter)
		}
		if _, err := key.Parse(frames); err == nil && len(key) > 0 {
			t.Skip("signed by chance")
		}
		for i, frame := range frames {
			if bytes.Equal(frame, delimiter) && len(frames) >= i+6 {
				frames[i+1] = key.Sign(frames[i+2], frames[i+3], frames[i+4], frames[i+5])
				break
			}
		}
		m, err := key.Parse(frames)
		if err != nil {
			return
		}
		again, err := key.Frames(m)
		if err != nil {
			t.Fatalf("%q: %v", frames, err)
		}
		second, err := key.Parse(again)
		if err != nil || second.Header != m.Header || hex.EncodeToString(second.Content) != hex.EncodeToString(orEmpty(m.Content)) {
			t.Errorf("%q became %q: %v", frames, again, err)
		}
	})
}
