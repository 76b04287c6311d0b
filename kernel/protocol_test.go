package kernel_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

func TestKernelInfo(t *testing.T) {
	connection, _ := start(t, kernel.Options{
		Implementation: "gonb-svm", Version: "1.2", Banner: "hello",
		HelpLinks: []wire.HelpLink{{Text: "manual", URL: "https://example.org"}},
	})
	c := connect(t, connection)
	reply, _ := c.ask("shell", "kernel_info_request", M{})
	language := reply.content["language_info"].(M)
	if language["version"] == "" || language["name"] != "go" || language["mimetype"] != "text/x-go" || language["file_extension"] != ".go" {
		t.Errorf("language_info %v", language)
	}
	delete(reply.content, "language_info")
	want := M{
		"status": "ok", "protocol_version": "5.5", "implementation": "gonb-svm", "implementation_version": "1.2", "banner": "hello",
		"debugger": true, "supported_features": []any{"debugger"},
		"help_links": []any{M{"text": "manual", "url": "https://example.org"}},
	}
	if diff := cmp.Diff(want, reply.content); diff != "" {
		t.Error(diff)
	}
}

// Headers: the kernel's own session, ids that are never used twice, dates with a zone, and the
// request's header echoed to the letter, with fields the kernel does not know.
func TestHeaders(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	header := `{"msg_id":"id-1", "session":"S","username":"é<&>","date":"x","msg_type":"kernel_info_request","version":"5.9","unknown":{"a":[1.50]}}`
	parts := [][]byte{[]byte(header), []byte("{}"), []byte("{}"), []byte("{}")}
	frames := append([][]byte{[]byte("<IDS|MSG>"), connection.Key.Sign(parts...)}, parts...)
	if err := c.sockets["shell"].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		t.Fatal(err)
	}
	checked := 0
	messages := []message{c.reply("shell", "id-1"), c.next("iopub")}
	for messages[len(messages)-1].content["execution_state"] != "idle" || messages[len(messages)-1].parent.MsgID != "id-1" {
		messages = append(messages, c.next("iopub"))
	}
	seen := map[string]bool{}
	date := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)
	for _, m := range messages {
		if m.Header.MsgType == "status" && m.content["execution_state"] == "starting" {
			continue
		}
		if string(m.Parent) != header {
			t.Errorf("%s: parent %s", m.Header.MsgType, m.Parent)
		}
		if m.Header.Session == "" || m.Header.Session == "S" || m.Header.Session != messages[0].Header.Session {
			t.Errorf("%s: session %q", m.Header.MsgType, m.Header.Session)
		}
		if seen[m.Header.MsgID] || m.Header.Version != "5.5" || !date.MatchString(m.Header.Date) || m.Header.Username == "" {
			t.Errorf("header %+v", m.Header)
		}
		seen[m.Header.MsgID] = true
		checked++
	}
	if checked != 3 {
		t.Errorf("%d messages were checked", checked)
	}
}

// What is no message, or was signed with another key, is dropped; the kernel goes on.
func TestMalformedMessagesAreDropped(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	good := []byte(`{"msg_id":"bad","session":"s","msg_type":"kernel_info_request"}`)
	sign := func(parts ...[]byte) [][]byte {
		return append([][]byte{[]byte("<IDS|MSG>"), connection.Key.Sign(parts...)}, parts...)
	}
	object := []byte("{}")
	for name, frames := range map[string][][]byte{
		"no delimiter":   {[]byte("hello")},
		"empty":          {{}},
		"no signature":   {[]byte("<IDS|MSG>"), {}, good, object, object, object},
		"bad signature":  {[]byte("<IDS|MSG>"), []byte(strings.Repeat("0", 64)), good, object, object, object},
		"another key":    append([][]byte{[]byte("<IDS|MSG>"), wire.Key("other").Sign(good, object, object, object)}, good, object, object, object),
		"too few frames": sign(good, object),
		"no JSON":        sign([]byte("{"), object, object, object),
		"no type":        sign([]byte(`{"msg_id":"bad"}`), object, object, object),
		"header is list": sign([]byte(`[1]`), object, object, object),
	} {
		for _, socket := range []string{"shell", "control", "stdin"} {
			if err := c.sockets[socket].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	for _, socket := range []string{"shell", "control"} {
		id := c.send(socket, "kernel_info_request", M{})
		if m := c.next(socket); m.parent.MsgID != id {
			t.Errorf("%s answered %s", socket, m.parent.MsgID)
		}
	}
}

// Content of a wrong shape is answered with an error that names the field.
func TestWrongContentIsAnswered(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	for _, test := range []struct {
		msgType string
		content any
		names   string
	}{
		{"execute_request", M{"code": 3}, "code"},
		{"execute_request", M{"code": "1", "silent": "yes"}, "silent"},
		{"execute_request", []int{1}, "content"},
		{"complete_request", M{"code": "x", "cursor_pos": "end"}, "cursor_pos"},
		{"inspect_request", M{"code": []string{}}, "code"},
		{"is_complete_request", M{"code": 1}, "code"},
		{"history_request", M{"hist_access_type": "sideways"}, "sideways"},
		{"history_request", M{"n": "ten"}, "n"},
		{"comm_info_request", M{"target_name": 4}, "target_name"},
	} {
		reply, _ := c.ask("shell", test.msgType, test.content)
		if reply.content["status"] != "error" || !strings.Contains(fmt.Sprint(reply.content["evalue"]), test.names) {
			t.Errorf("%s %v: %v", test.msgType, test.content, reply.content)
		}
		for _, field := range []string{"ename", "evalue", "traceback"} {
			if reply.content[field] == nil {
				t.Errorf("%s %v: no %s", test.msgType, test.content, field)
			}
		}
	}
}

func TestUnknownMessagesAreIgnored(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	for _, socket := range []string{"shell", "control"} {
		id := c.send(socket, "make_coffee_request", M{"sugar": true})
		if published := c.published(id); len(published) > 0 {
			t.Errorf("published %q", types(published))
		}
		id = c.send(socket, "kernel_info_request", M{"unknown": 1})
		if m := c.next(socket); m.parent.MsgID != id {
			t.Errorf("the unknown message was answered: %v", m.content)
		}
	}
}

func TestCompletionAndInspection(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, _ := c.ask("shell", "complete_request", M{"code": "éé hé zz", "cursor_pos": 5})
	want := M{
		"status": "ok", "matches": []any{"héllo"}, "cursor_start": 3.0, "cursor_end": 5.0,
		"metadata": M{"_jupyter_types_experimental": []any{
			M{"start": 3.0, "end": 5.0, "text": "héllo", "type": "function", "signature": "(a ...any)"},
		}},
	}
	if diff := cmp.Diff(want, reply.content); diff != "" {
		t.Error(diff)
	}
	for _, cursor := range []any{nil, 100, -5} {
		reply, _ := c.ask("shell", "complete_request", M{"code": "print x prin", "cursor_pos": cursor})
		if reply.content["cursor_end"] != 12.0 || len(reply.content["matches"].([]any)) != 2 {
			t.Errorf("cursor %v: %v", cursor, reply.content)
		}
	}
	reply, _ = c.ask("shell", "complete_request", M{"code": "nothing", "cursor_pos": 3})
	if matches, ok := reply.content["matches"].([]any); !ok || len(matches) != 0 || reply.content["status"] != "ok" {
		t.Errorf("no matches: %v", reply.content)
	}
	reply, _ = c.ask("shell", "inspect_request", M{"code": "print", "detail_level": 1})
	if diff := cmp.Diff(M{"status": "ok", "found": true, "data": M{"text/plain": "print, level 1"}, "metadata": M{}}, reply.content); diff != "" {
		t.Error(diff)
	}
	reply, _ = c.ask("shell", "inspect_request", M{"code": "zzz", "cursor_pos": 3})
	if diff := cmp.Diff(M{"status": "ok", "found": false, "data": M{}, "metadata": M{}}, reply.content); diff != "" {
		t.Error(diff)
	}
	for code, want := range map[string]M{
		"f {": {"status": "incomplete", "indent": "\t"}, "f": {"status": "complete"}, "}": {"status": "invalid"},
	} {
		reply, _ := c.ask("shell", "is_complete_request", M{"code": code})
		if diff := cmp.Diff(want, reply.content); diff != "" {
			t.Errorf("%q: %s", code, diff)
		}
	}
}

func TestComms(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	_, published := c.execute("comm jupyter.widget")
	open := published[1]
	if open.Header.MsgType != "comm_open" || open.content["target_name"] != "jupyter.widget" || string(open.Metadata) != `{"version":"2.1.0"}` {
		t.Fatalf("%s %v %s", open.Header.MsgType, open.content, open.Metadata)
	}
	id := open.content["comm_id"].(string)
	reply, _ := c.ask("shell", "comm_info_request", M{"target_name": "jupyter.widget"})
	if diff := cmp.Diff(M{id: M{"target_name": "jupyter.widget"}}, reply.content["comms"]); diff != "" {
		t.Error(diff)
	}
	if reply, _ = c.ask("shell", "comm_info_request", M{"target_name": "other"}); len(reply.content["comms"].(M)) != 0 {
		t.Errorf("comms of another target: %v", reply.content)
	}
	buffers := [][]byte{{0, 1, 2}, {}, []byte("<IDS|MSG>")}
	sent := c.sendWith("shell", "comm_msg", M{"comm_id": id, "data": M{"x": 1}}, nil, buffers)
	published = c.publishedWithComms(sent, 2)
	for _, m := range published {
		if m.Header.MsgType == "comm_msg" {
			if diff := cmp.Diff(buffers, m.Buffers); diff != "" || m.content["comm_id"] != id {
				t.Errorf("echo %v: %s", m.content, diff)
			}
		} else if m.content["text"] != "comm got {\"x\":1}\n" {
			t.Errorf("handler showed %v", m.content)
		}
	}
	c.published(c.send("shell", "comm_close", M{"comm_id": id, "data": M{}}))
	if reply, _ = c.ask("shell", "comm_info_request", M{}); len(reply.content["comms"].(M)) != 0 {
		t.Errorf("comms after close: %v", reply.content)
	}
	published = c.published(c.send("shell", "comm_open", M{"comm_id": "x", "target_name": "nobody", "data": M{}}))
	if len(published) != 1 || published[0].Header.MsgType != "comm_close" || published[0].content["comm_id"] != "x" {
		t.Errorf("a comm to nobody published %q", types(published))
	}
	c.published(c.send("shell", "comm_open", M{"comm_id": "y", "target_name": "echo", "data": M{}}))
	if reply, _ = c.ask("shell", "comm_info_request", M{}); !slices.Contains(keys(reply.content["comms"].(M)), "y") {
		t.Errorf("comms after comm_open: %v", reply.content)
	}
}

// publishedWithComms collects n messages of a request and of the comms it moved.
func (c *client) publishedWithComms(id string, n int) []message {
	c.t.Helper()
	var found []message
	for len(found) < n {
		m := c.next("iopub")
		if m.Header.MsgType != "status" && (m.parent.MsgID == id || strings.HasPrefix(m.Header.MsgType, "comm_")) {
			found = append(found, m)
		}
	}
	return found
}

func keys(m M) []string {
	var found []string
	for key := range m {
		found = append(found, key)
	}
	return found
}

// Messages of widgets are dealt with while a cell runs.
func TestCommsWhileACellRuns(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	c.published(c.send("shell", "comm_open", M{"comm_id": "y", "target_name": "echo", "data": M{}}))
	cell := c.send("shell", "execute_request", M{"code": "sleep 1h"})
	sent := c.send("shell", "comm_msg", M{"comm_id": "y", "data": M{"a": "b"}})
	if got := len(c.publishedWithComms(sent, 2)); got != 2 {
		t.Errorf("%d messages", got)
	}
	c.send("control", "interrupt_request", M{})
	c.reply("shell", cell)
}

func TestDebugVariables(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	c.execute("set alpha 1.5")
	ask := func(command string, arguments M) M {
		reply, _ := c.ask("control", "debug_request", M{"type": "request", "seq": 7, "command": command, "arguments": arguments})
		if reply.content["type"] != "response" || reply.content["request_seq"] != 7.0 || reply.content["command"] != command {
			t.Errorf("%s: %v", command, reply.content)
		}
		if success := reply.content["success"]; success != (command != "stepIn") {
			t.Errorf("%s: success %v", command, success)
		}
		body, _ := reply.content["body"].(M)
		return body
	}
	if info := ask("debugInfo", M{}); info["isStarted"] != false || info["richRendering"] != true {
		t.Errorf("debugInfo %v", info)
	}
	ask("initialize", M{})
	ask("attach", M{})
	if info := ask("debugInfo", M{}); info["isStarted"] != true {
		t.Errorf("debugInfo %v", info)
	}
	want := M{"variables": []any{M{"name": "alpha", "value": "1.5 (string)", "evaluateName": "alpha", "variablesReference": 0.0}}}
	if diff := cmp.Diff(want, ask("inspectVariables", M{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(M{"data": M{"text/plain": "1.5"}, "metadata": M{}}, ask("richInspectVariables", M{"variableName": "alpha"})); diff != "" {
		t.Error(diff)
	}
	ask("stepIn", M{})
	ask("disconnect", M{})
}

func TestUsage(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, _ := c.ask("control", "usage_request", M{})
	if reply.content["pid"] != float64(os.Getpid()) || reply.content["kernel_memory"].(float64) < 1<<20 || reply.content["cpu_count"].(float64) < 1 {
		t.Errorf("usage %v", reply.content)
	}
}

func TestHistoryIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new folder", "history.jsonl")
	for session := 1; session <= 2; session++ {
		connection, _ := start(t, kernel.Options{HistoryFile: file})
		c := connect(t, connection)
		for _, code := range []string{"1+2+3", fmt.Sprintf("print %d", session), "1+2+3"} {
			c.execute(code)
		}
		if session == 1 {
			continue
		}
		for _, test := range []struct {
			query M
			want  string
		}{
			{M{"hist_access_type": "tail", "n": 4}, `[[1,3,"1+2+3"],[2,1,"1+2+3"],[2,2,"print 2"],[2,3,"1+2+3"]]`},
			{M{"hist_access_type": "tail", "n": 1, "output": true}, `[[2,3,["1+2+3","6"]]]`},
			{M{"hist_access_type": "tail", "n": 0}, `[]`},
			{M{"hist_access_type": "range", "session": -1, "start": 2, "stop": 3}, `[[1,2,"print 1"]]`},
			{M{"hist_access_type": "range", "session": 1, "start": 2, "output": true}, `[[1,2,["print 1",null]],[1,3,["1+2+3","6"]]]`},
			{M{"session": 0, "start": 1, "stop": 2}, `[[2,1,"1+2+3"]]`},
			{M{"hist_access_type": "search", "pattern": "1?2*"}, `[[1,1,"1+2+3"],[1,3,"1+2+3"],[2,1,"1+2+3"],[2,3,"1+2+3"]]`},
			{M{"hist_access_type": "search", "pattern": "1?2*", "unique": true}, `[[2,3,"1+2+3"]]`},
			{M{"hist_access_type": "search", "pattern": "*", "n": 2}, `[[2,2,"print 2"],[2,3,"1+2+3"]]`},
			{M{"hist_access_type": "search", "pattern": "(", "n": 2}, `[]`},
		} {
			reply, _ := c.ask("shell", "history_request", test.query)
			got, err := json.Marshal(reply.content["history"])
			if err != nil || string(got) != test.want {
				t.Errorf("%v: %s, want %s", test.query, got, test.want)
			}
		}
	}
}

// Six clients come and go while another works.
func TestClientsComeAndGo(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	worker := connect(t, connection)
	done := make(chan struct{})
	for range 6 {
		go func() {
			for range 5 {
				c := connect(t, connection)
				c.execute("lines 100")
				c.close()
			}
			done <- struct{}{}
		}()
	}
	cells := 0
	for finished := 0; finished < 6; {
		select {
		case <-done:
			finished++
		case <-time.After(time.Millisecond):
			reply, _ := worker.execute("1+1")
			if reply.content["status"] != "ok" {
				t.Errorf("reply %v", reply.content)
			}
			cells++
		}
	}
	if cells == 0 {
		t.Error("the worker ran no cell")
	}
}
