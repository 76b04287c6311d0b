package kernel_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel"
)

func TestDisplays(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	_, published := c.execute("html <b>&</b>\npng pixels\njson {\"a\": [1]}\nnamed bar 10%\nupdate bar 20%\nclear\nclear wait")
	want := []struct {
		msgType string
		content M
	}{
		{"execute_input", nil},
		{"display_data", M{"data": M{"text/html": "<b>&</b>", "text/plain": "html"}, "metadata": M{}, "transient": M{}}},
		{"display_data", M{"data": M{"image/png": base64.StdEncoding.EncodeToString([]byte("pixels")), "text/plain": "png"}, "metadata": M{}, "transient": M{}}},
		{"display_data", M{"data": M{"application/json": M{"a": []any{1.0}}, "text/plain": "<application/json>"}, "metadata": M{}, "transient": M{}}},
		{"display_data", M{"data": M{"text/plain": "10%"}, "metadata": M{}, "transient": M{"display_id": "bar"}}},
		{"update_display_data", M{"data": M{"text/plain": "20%"}, "metadata": M{}, "transient": M{"display_id": "bar"}}},
		{"clear_output", M{"wait": false}},
		{"clear_output", M{"wait": true}},
	}
	if len(published) != len(want) {
		t.Fatalf("published %q", types(published))
	}
	for i, w := range want {
		if published[i].Header.MsgType != w.msgType {
			t.Errorf("message %d is %s, want %s", i, published[i].Header.MsgType, w.msgType)
		}
		if w.content == nil {
			continue
		}
		if diff := cmp.Diff(w.content, published[i].content); diff != "" {
			t.Errorf("%s: %s", w.msgType, diff)
		}
	}
}

func TestPayload(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, _ := c.execute("page help text\nnext x := 1\nexit")
	want := []any{
		M{"source": "page", "data": M{"text/plain": "help text"}, "start": 0.0},
		M{"source": "set_next_input", "text": "x := 1", "replace": false},
		M{"source": "ask_exit", "keepkernel": false},
	}
	if diff := cmp.Diff(want, reply.content["payload"]); diff != "" {
		t.Error(diff)
	}
}

// Text that a goroutine prints after its cell has ended still belongs to the cell.
func TestLateOutputHasItsParent(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	first := c.send("shell", "execute_request", M{"code": "later 300ms still here"})
	c.published(first)
	c.execute("1+1")
	for {
		m := c.next("iopub")
		if m.Header.MsgType != "stream" {
			continue
		}
		if m.parent.MsgID != first || m.content["text"] != "still here\n" {
			t.Errorf("parent %s, want %s; content %v", m.parent.MsgID, first, m.content)
		}
		return
	}
}

func TestStreamsAreBatched(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	const n = 50000
	_, published := c.execute(fmt.Sprintf("lines %d", n))
	var text strings.Builder
	for _, m := range published[1:] {
		text.WriteString(m.content["text"].(string))
	}
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for i, line := range lines {
		if line != fmt.Sprint(i) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
	if len(lines) != n || len(published) > n/100 {
		t.Errorf("%d lines in %d messages", len(lines), len(published)-1)
	}
	if _, published = c.execute("write a\nwrite b\nprint c"); len(published) != 2 {
		t.Errorf("three small prints were %d messages", len(published)-1)
	}
}

// A character of which the bytes are printed apart stays whole, and bytes that are no
// characters do not stop anything.
func TestStreamKeepsCharactersWhole(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	for code, want := range map[string]string{
		"bytes c3\nsleep 120ms\nbytes a9 e2 82\nsleep 120ms\nbytes ac": "é€",
		"bytes 61 ff 62": "a\ufffdb",
		"bytes 61 e2 82": "a\ufffd",
	} {
		_, published := c.execute(code)
		got := ""
		for _, m := range published[1:] {
			got += m.content["text"].(string)
		}
		if strings.TrimRight(got, "\ufffd") != strings.TrimRight(want, "\ufffd") || !strings.HasPrefix(got, want) {
			t.Errorf("%q printed %q, want %q", code, got, want)
		}
	}
}
