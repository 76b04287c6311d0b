package kernel_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

func TestExecutePublishesInOrder(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, published := c.execute("print one\neprint two\nvalue 3")
	if got := types(published); !slices.Equal(got, []string{"execute_input", "stream", "stream", "execute_result"}) {
		t.Fatalf("published %q", got)
	}
	want := []M{
		{"code": "print one\neprint two\nvalue 3", "execution_count": 1.0},
		{"name": "stdout", "text": "one\n"},
		{"name": "stderr", "text": "two\n"},
		{"execution_count": 1.0, "data": M{"text/plain": "3"}, "metadata": M{}},
	}
	for i, m := range published {
		if diff := cmp.Diff(want[i], m.content); diff != "" {
			t.Errorf("%s: %s", m.Header.MsgType, diff)
		}
	}
	wantReply := M{"status": "ok", "execution_count": 1.0, "user_expressions": M{}, "payload": []any{}}
	if diff := cmp.Diff(wantReply, reply.content); diff != "" {
		t.Errorf("reply: %s", diff)
	}
	if reply.Header.MsgType != "execute_reply" {
		t.Errorf("reply is %s", reply.Header.MsgType)
	}
}

func TestErrorIsOneMessage(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	for _, code := range []string{"fail boom", "panic boom"} {
		reply, published := c.execute(code)
		if got := types(published); !slices.Equal(got, []string{"execute_input", "error"}) {
			t.Fatalf("%s: published %q", code, got)
		}
		for _, m := range []message{reply, published[1]} {
			if m.content["ename"] == "" || !strings.Contains(m.content["evalue"].(string), "boom") {
				t.Errorf("%s: error %v", code, m.content)
			}
			if lines, ok := m.content["traceback"].([]any); !ok || len(lines) == 0 {
				t.Errorf("%s: traceback %v", code, m.content["traceback"])
			}
		}
		if reply.content["status"] != "error" || reply.content["execution_count"] == nil {
			t.Errorf("%s: reply %v", code, reply.content)
		}
	}
}

func TestCounting(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	steps := []struct {
		content   M
		count     float64
		published []string
	}{
		{M{"code": "1+1", "silent": true}, 0, []string{}},
		{M{"code": "1+1", "store_history": false}, 0, []string{"execute_input", "execute_result"}},
		{M{"code": "1+1"}, 1, []string{"execute_input", "execute_result"}},
		{M{"code": "print x\nfail y", "silent": true}, 1, []string{}},
		{M{"code": "1+2", "store_history": false}, 1, []string{"execute_input", "execute_result"}},
		{M{"code": "fail x"}, 2, []string{"execute_input", "error"}},
		{M{"code": "", "silent": nil}, 3, []string{"execute_input"}},
	}
	for _, step := range steps {
		reply, published := c.ask("shell", "execute_request", step.content)
		if got := reply.content["execution_count"]; got != step.count {
			t.Errorf("%v: count %v, want %v", step.content, got, step.count)
		}
		if got := types(published); !slices.Equal(got, step.published) {
			t.Errorf("%v: published %q, want %q", step.content, got, step.published)
		}
	}
	reply, _ := c.ask("shell", "history_request", M{"hist_access_type": "tail", "n": 10})
	want := []any{[]any{1.0, 1.0, "1+1"}, []any{1.0, 2.0, "fail x"}, []any{1.0, 3.0, ""}}
	if diff := cmp.Diff(want, reply.content["history"]); diff != "" {
		t.Errorf("history: %s", diff)
	}
}

func TestUserExpressions(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, _ := c.ask("shell", "execute_request", M{"code": "", "user_expressions": M{"a": "1+2", "b": "nonsense", "c": "panic"}})
	values := reply.content["user_expressions"].(M)
	if diff := cmp.Diff(M{"status": "ok", "data": M{"text/plain": "3"}, "metadata": M{}}, values["a"]); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"b", "c"} {
		value := values[name].(M)
		if value["status"] != "error" || value["ename"] == nil || value["evalue"] == nil || value["traceback"] == nil {
			t.Errorf("%s: %v", name, value)
		}
	}
	if reply.content["status"] != "ok" || len(values) != 3 {
		t.Errorf("reply %v", reply.content)
	}
}

func TestErrorAbortsQueuedCells(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	first := c.send("shell", "execute_request", M{"code": "input x\nfail x"})
	second := c.send("shell", "execute_request", M{"code": "print no"})
	third := c.send("shell", "execute_request", M{"code": "print no"})
	c.reply("shell", c.send("shell", "kernel_info_request", M{})) // so all cells have come in
	c.next("stdin")
	c.send("stdin", "input_reply", M{"value": ""})
	statuses := map[string]any{}
	for range 3 {
		m := c.next("shell")
		statuses[m.parent.MsgID] = m.content["status"]
		if m.content["status"] == "aborted" {
			if count, ok := m.content["execution_count"]; !ok || count != nil {
				t.Errorf("an aborted cell has the number %v", count)
			}
		}
	}
	want := map[string]any{first: "error", second: "aborted", third: "aborted"}
	if diff := cmp.Diff(want, statuses); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{second, third} {
		if got := types(c.published(id)); len(got) > 0 {
			t.Errorf("an aborted cell published %q", got)
		}
	}
	reply, _ := c.execute("print yes")
	if reply.content["status"] != "ok" || reply.content["execution_count"] != 2.0 {
		t.Errorf("a later cell: %v", reply.content)
	}
}

func TestStopOnErrorFalse(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	c.send("shell", "execute_request", M{"code": "sleep 50ms\nfail x", "stop_on_error": false})
	second := c.send("shell", "execute_request", M{"code": "value 1"})
	if status := c.reply("shell", second).content["status"]; status != "ok" {
		t.Errorf("the cell after a failed one: %v", status)
	}
}

// While a cell runs, everything but cells is answered on the channel it came by; the cell is
// then interrupted on control.
func TestAnswersWhileACellRuns(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	cell := c.send("shell", "execute_request", M{"code": "print begun\nsleep 1h"})
	queued := c.send("shell", "execute_request", M{"code": "1+1"})
	for began := false; !began; {
		m := c.next("iopub")
		began = m.parent.MsgID == cell && m.Header.MsgType == "stream"
	}
	answered := 0
	for _, socket := range []string{"shell", "control"} {
		for _, msgType := range []string{
			"kernel_info_request", "complete_request", "inspect_request", "is_complete_request",
			"history_request", "comm_info_request", "connect_request", "usage_request", "debug_request",
		} {
			reply, _ := c.ask(socket, msgType, M{})
			if want := strings.TrimSuffix(msgType, "request") + "reply"; reply.Header.MsgType != want {
				t.Errorf("%s on %s: got %s", msgType, socket, reply.Header.MsgType)
			}
			answered++
		}
	}
	if answered != 18 {
		t.Fatalf("%d requests were answered", answered)
	}
	c.ask("control", "interrupt_request", M{})
	reply := c.reply("shell", cell)
	if reply.content["ename"] != "Interrupted" {
		t.Errorf("the interrupted cell: %v", reply.content)
	}
	if status := c.reply("shell", queued).content["status"]; status != "aborted" {
		t.Errorf("the cell behind it: %v", status)
	}
	if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
		t.Errorf("a later cell: %v", reply.content)
	}
}

func TestInput(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	other := connect(t, connection)
	other.send("stdin", "input_reply", M{"value": "from another client"})
	c.send("stdin", "input_reply", M{"value": "stale"})
	time.Sleep(50 * time.Millisecond)
	for _, command := range []string{"input", "password"} {
		id := c.send("shell", "execute_request", M{"code": command + " your name?"})
		question := c.next("stdin")
		want := M{"prompt": "your name?", "password": command == "password"}
		if diff := cmp.Diff(want, question.content); diff != "" || question.parent.MsgID != id {
			t.Errorf("question %v, parent %s: %s", question.content, question.parent.MsgID, diff)
		}
		stale, _ := json.Marshal(wire.Header{MsgID: "some other question", MsgType: "input_request"})
		c.sendWith("stdin", "input_reply", M{"value": "wrong"}, stale, nil)
		c.sendWith("stdin", "input_reply", M{"value": "Ada"}, question.RawHeader, nil)
		c.reply("shell", id)
		published := c.published(id)
		if got := published[len(published)-1].content["text"]; got != "got Ada\n" {
			t.Errorf("the cell got %q", got)
		}
	}
}

func TestInputRefused(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	reply, _ := c.ask("shell", "execute_request", M{"code": "input x", "allow_stdin": false})
	if reply.content["status"] != "error" || !strings.Contains(reply.content["evalue"].(string), "input") {
		t.Errorf("input without allow_stdin: %v", reply.content)
	}
}

func TestInputIsInterruptible(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	id := c.send("shell", "execute_request", M{"code": "input x"})
	c.next("stdin")
	c.ask("control", "interrupt_request", M{})
	if reply := c.reply("shell", id); reply.content["ename"] != "Interrupted" {
		t.Errorf("reply %v", reply.content)
	}
}

// A cell that does not stop when interrupted says so, and the interrupt is answered at once.
func TestInterruptOfACellThatDoesNotListen(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	id := c.send("shell", "execute_request", M{"code": "print begun\nhang 3s\nprint no"})
	for m := c.next("iopub"); m.Header.MsgType != "stream"; m = c.next("iopub") {
	}
	c.reply("control", c.send("control", "interrupt_request", M{}))
	said := false
	for m := c.next("iopub"); m.Header.MsgType != "error"; m = c.next("iopub") {
		said = said || m.Header.MsgType == "stream" && m.content["name"] == "stderr" && m.parent.MsgID == id
	}
	if !said {
		t.Error("nothing was said about the cell that still ran")
	}
	if reply := c.reply("shell", id); reply.content["ename"] != "Interrupted" {
		t.Errorf("reply %v", reply.content)
	}
}

// An interrupt that overtakes a cell which has come in already stops it when it begins, and
// only that one.
func TestInterruptBetweenCells(t *testing.T) {
	connection, _ := start(t, kernel.Options{})
	c := connect(t, connection)
	for range 50 {
		first := c.send("shell", "execute_request", M{"code": "1+1"})
		second := c.send("shell", "execute_request", M{"code": "sleep 1h"})
		info := c.send("shell", "kernel_info_request", M{})
		answered := map[string]any{}
		for answered[info] == nil {
			m := c.next("shell")
			answered[m.parent.MsgID] = m.content["status"]
		}
		// Both cells have been read now. The first may have ended, run, or not begun.
		c.reply("control", c.send("control", "interrupt_request", M{}))
		if answered[first] == nil {
			answered[first] = c.reply("shell", first).content["status"]
		}
		if answered[first] == "ok" {
			// It was too late for the first, or it stopped the second.
			c.reply("control", c.send("control", "interrupt_request", M{}))
		}
		if status := c.reply("shell", second).content["status"]; status == "ok" {
			t.Errorf("the second cell ended with %v after %v", status, answered[first])
		}
		if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
			t.Fatalf("a later cell: %v", reply.content)
		}
	}
}
