package kernel_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/internal/fake"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

func TestReadConnection(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		file := filepath.Join(dir, "c.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const ports = `"shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5`
	got, err := kernel.ReadConnection(write(`{"transport":"ipc","ip":"/tmp/k",` + ports + `,"key":"k","signature_scheme":"hmac-sha256","kernel_name":"go","curve_publickey":"x"}`))
	want := kernel.Connection{
		Transport: "ipc", IP: "/tmp/k", ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5,
		Key: wire.Key("k"), SignatureScheme: "hmac-sha256", KernelName: "go",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if got, err := kernel.ReadConnection(write(`{` + ports + `}`)); err != nil || got.Transport != "tcp" || got.IP != "127.0.0.1" {
		t.Errorf("defaults: %+v, %v", got, err)
	}
	for text, says := range map[string]string{
		"":                                  "JSON",
		"not json":                          "JSON",
		`[1]`:                               "JSON",
		`{}`:                                "shell_port is 0",
		`{"ip":"x"`:                         "JSON",
		`{"ip":"",` + ports + `}`:           "ip is empty",
		`{"transport":"udp",` + ports + `}`: `"udp"`,
		`{"signature_scheme":"hmac-md5",` + ports + `}`:       "hmac-md5",
		strings.Replace(`{`+ports+`}`, ":5", ":4", 1):         "control_port and hb_port are both 4",
		strings.Replace(`{`+ports+`}`, ":5", ":70000", 1):     "hb_port is 70000",
		strings.Replace(`{`+ports+`}`, ":5", `:"5"`, 1):       "hb_port",
		strings.Replace(`{`+ports+`}`, `,"hb_port":5`, ``, 1): "hb_port is 0",
	} {
		_, err := kernel.ReadConnection(write(text))
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "c.json") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want it to say %q", text, err, says)
		}
	}
	if _, err := kernel.ReadConnection(filepath.Join(dir, "missing.json")); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := kernel.ReadConnection(dir); err == nil {
		t.Error("a folder was read")
	}
}

// A port that is taken is an error, and gives back the sockets that were bound before it.
func TestPortInUse(t *testing.T) {
	connection := newConnection(t, "tcp")
	taken, err := net.Listen("tcp", endpoint(connection, connection.ShellPort)[len("tcp://"):])
	if err != nil {
		t.Fatal(err)
	}
	server := kernel.New(connection, &fake.Engine{}, kernel.Options{})
	if err := server.Serve(context.Background()); err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("Serve on a taken port: %v", err)
	}
	taken.Close()
	serve(t, connection, kernel.Options{})
	connect(t, connection)
}

// The file that a killed kernel left is replaced; one that is in use, or no socket, is not.
func TestStaleSocketFiles(t *testing.T) {
	connection := newConnection(t, "ipc")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: connection.IP + "-1"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	serve(t, connection, kernel.Options{})
	connect(t, connection)
	second := kernel.New(connection, &fake.Engine{}, kernel.Options{})
	if err := second.Serve(context.Background()); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second kernel: %v", err)
	}
	other := newConnection(t, "ipc")
	if err := os.WriteFile(other.IP+"-3", []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := kernel.New(other, &fake.Engine{}, kernel.Options{}).Serve(context.Background()); err == nil {
		t.Error("a file that is no socket was replaced")
	}
	if text, err := os.ReadFile(other.IP + "-3"); err != nil || string(text) != "precious" {
		t.Errorf("the file is now %q, %v", text, err)
	}
}

// Unsigned messages are accepted where the connection file has no key.
func TestEmptyKey(t *testing.T) {
	connection := newConnection(t, "tcp")
	connection.Key = nil
	serve(t, connection, kernel.Options{})
	c := connect(t, connection)
	if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
		t.Errorf("reply %v", reply.content)
	}
}
