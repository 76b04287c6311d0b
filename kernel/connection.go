package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// Connection is what a connection file says: where to listen, and how to sign.
type Connection struct {
	Transport       string   `json:"transport"` // "tcp" or "ipc"
	IP              string   `json:"ip"`        // for ipc: the prefix of the sockets' paths
	ShellPort       int      `json:"shell_port"`
	IOPubPort       int      `json:"iopub_port"`
	StdinPort       int      `json:"stdin_port"`
	ControlPort     int      `json:"control_port"`
	HeartbeatPort   int      `json:"hb_port"`
	Key             wire.Key `json:"-"`
	SignatureScheme string   `json:"signature_scheme"` // "hmac-sha256"; "" means that too
	KernelName      string   `json:"kernel_name"`
}

// ReadConnection reads a connection file. Its errors are one sentence that names the file.
func ReadConnection(file string) (Connection, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Connection{}, fmt.Errorf("connection file %s does not exist; Jupyter writes it when it starts a kernel", file)
	}
	if err != nil {
		return Connection{}, fmt.Errorf("connection file: %w", err)
	}
	c := struct {
		Connection
		Key string `json:"key"`
	}{Connection: Connection{Transport: "tcp", IP: "127.0.0.1"}}
	if err := json.Unmarshal(text, &c); err != nil {
		return Connection{}, fmt.Errorf("connection file %s is not the JSON that Jupyter writes: %w", file, err)
	}
	c.Connection.Key = wire.Key(c.Key)
	if err := c.Connection.check(); err != nil {
		return Connection{}, fmt.Errorf("connection file %s: %w", file, err)
	}
	return c.Connection, nil
}

// check says what is missing or cannot be used.
func (c Connection) check() error {
	if c.Transport != "tcp" && c.Transport != "ipc" {
		return fmt.Errorf("transport is %q, want \"tcp\" or \"ipc\"", c.Transport)
	}
	if c.SignatureScheme != "" && c.SignatureScheme != "hmac-sha256" {
		return fmt.Errorf("signature_scheme is %q, want \"hmac-sha256\"", c.SignatureScheme)
	}
	if c.IP == "" {
		return errors.New("ip is empty")
	}
	used := map[int]string{}
	for _, p := range []struct {
		name string
		port int
	}{
		{"shell_port", c.ShellPort}, {"iopub_port", c.IOPubPort}, {"stdin_port", c.StdinPort},
		{"control_port", c.ControlPort}, {"hb_port", c.HeartbeatPort},
	} {
		if p.port <= 0 || p.port > 65535 {
			return fmt.Errorf("%s is %d, want a port from 1 to 65535", p.name, p.port)
		}
		if other, ok := used[p.port]; ok {
			return fmt.Errorf("%s and %s are both %d", other, p.name, p.port)
		}
		used[p.port] = p.name
	}
	return nil
}

// listen binds one of the sockets.
func (c Connection) listen(name string, port int) (net.Listener, error) {
	if c.Transport == "ipc" {
		path := c.IP + "-" + strconv.Itoa(port)
		if err := removeStale(path); err != nil {
			return nil, fmt.Errorf("%s socket: %w", name, err)
		}
		bound, err := net.Listen("unix", path)
		if err != nil {
			return nil, fmt.Errorf("%s socket: %w", name, err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			bound.Close()
			return nil, fmt.Errorf("%s socket: %w", name, err)
		}
		return bound, nil
	}
	host := c.IP
	if host == "*" {
		host = ""
	}
	bound, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("%s socket: %w", name, err)
	}
	return bound, nil
}

// removeStale removes the file of a socket that a killed process left behind, and nothing
// that is in use or no socket.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	if info.Mode()&fs.ModeSocket == 0 {
		return fmt.Errorf("%s exists and is no socket", path)
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
		return fmt.Errorf("%s is in use by another kernel", path)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return os.Remove(path)
	}
	return nil
}
