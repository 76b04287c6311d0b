//go:build unix

package kernel_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel"
)

// buildDir is where the fake kernel is built; TestMain makes and removes it.
var buildDir string

// fakeBinary builds the fake kernel once.
var fakeBinary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "fakekernel")
	out, err := exec.Command("go", "build", "-o", path, "./internal/fake/fakekernel").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "fakekernel"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

// writeConnection writes a connection file.
func writeConnection(t *testing.T, c kernel.Connection) string {
	t.Helper()
	text, err := json.Marshal(M{
		"transport": c.Transport, "ip": c.IP, "key": string(c.Key), "signature_scheme": "hmac-sha256",
		"shell_port": c.ShellPort, "iopub_port": c.IOPubPort, "stdin_port": c.StdinPort, "control_port": c.ControlPort, "hb_port": c.HeartbeatPort,
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "connection.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// process is a kernel in a process of its own.
type process struct {
	*exec.Cmd
	ended chan error
}

// launch starts the fake kernel in a process. prepare may change the command.
func launch(t *testing.T, connection kernel.Connection, prepare func(*exec.Cmd)) process {
	t.Helper()
	path, err := fakeBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, writeConnection(t, connection))
	cmd.Env = append(os.Environ(), fmt.Sprintf("JPY_PARENT_PID=%d", os.Getpid()))
	cmd.Stderr = t.Output()
	if prepare != nil {
		prepare(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := process{cmd, make(chan error, 1)}
	go func() { p.ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() })
	return p
}

// await checks that the process ends by itself and well.
func (p process) await(t *testing.T) {
	t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			t.Errorf("the kernel ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the kernel did not end")
	}
}

// No shutdown_reply is lost, on the channel of the request or on iopub, nor the idle after it.
func TestShutdown(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		transport := []string{"tcp", "ipc"}[round%2]
		socket := []string{"control", "control", "shell", "shell"}[round%4]
		connection := newConnection(t, transport)
		p := launch(t, connection, nil)
		c := connect(t, connection)
		if round%3 == 0 {
			c.send("shell", "execute_request", M{"code": "sleep 1h"})
		}
		restart := round%5 == 0
		id := c.send(socket, "shutdown_request", M{"restart": restart})
		reply := c.reply(socket, id)
		want := M{"status": "ok", "restart": restart}
		if reply.Header.MsgType != "shutdown_reply" || fmt.Sprint(reply.content) != fmt.Sprint(want) {
			t.Errorf("round %d: %s %v", round, reply.Header.MsgType, reply.content)
		}
		published := c.published(id)
		if len(published) != 1 || published[0].Header.MsgType != "shutdown_reply" || fmt.Sprint(published[0].content) != fmt.Sprint(want) {
			t.Errorf("round %d: published %q", round, types(published))
		}
		p.await(t)
		c.close()
	}
}

// The last output of a cell that is stopped by the shutdown is delivered, and its reply, and
// the cells behind it are answered too.
func TestShutdownAnswersCells(t *testing.T) {
	connection := newConnection(t, "tcp")
	p := launch(t, connection, nil)
	c := connect(t, connection)
	running := c.send("shell", "execute_request", M{"code": "write last words\nsleep 1h"})
	queued := c.send("shell", "execute_request", M{"code": "1+1"})
	c.reply("shell", c.send("shell", "kernel_info_request", M{})) // so both have come in
	c.send("control", "shutdown_request", M{})
	statuses := map[string]any{}
	for len(statuses) < 2 {
		m := c.next("shell")
		statuses[m.parent.MsgID] = m.content["status"]
	}
	if statuses[running] != "error" || statuses[queued] != "aborted" {
		t.Errorf("statuses %v", statuses)
	}
	p.await(t)
}

func TestInterruptBySignal(t *testing.T) {
	connection := newConnection(t, "tcp")
	p := launch(t, connection, nil)
	c := connect(t, connection)
	id := c.send("shell", "execute_request", M{"code": "print begun\nsleep 1h"})
	for m := c.next("iopub"); m.Header.MsgType != "stream"; m = c.next("iopub") {
	}
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if reply := c.reply("shell", id); reply.content["ename"] != "Interrupted" {
		t.Errorf("reply %v", reply.content)
	}
	if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
		t.Errorf("the next cell: %v", reply.content)
	}
	// Nothing runs: an interrupt must not end the kernel, nor stop a cell to come.
	p.Process.Signal(os.Interrupt)
	time.Sleep(500 * time.Millisecond)
	if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
		t.Errorf("the cell after an idle interrupt: %v", reply.content)
	}
}

func TestTerminationIsClean(t *testing.T) {
	connection := newConnection(t, "ipc")
	p := launch(t, connection, nil)
	c := connect(t, connection)
	c.send("shell", "execute_request", M{"code": "hang 1h"})
	time.Sleep(50 * time.Millisecond)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await(t)
	for i := 1; i <= 5; i++ {
		if _, err := os.Lstat(fmt.Sprintf("%s-%d", connection.IP, i)); err == nil {
			t.Errorf("the file of socket %d was left behind", i)
		}
	}
}

// A kernel whose parent is killed ends: Jupyter's, named in the environment; one that does
// not name itself, by the pipe to standard input; and one that stands behind a launcher.
func TestKernelEndsWithItsParent(t *testing.T) {
	path, err := fakeBinary()
	if err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"parent":   `JPY_PARENT_PID=$$ "$0" "$1" & echo $!; wait`,
		"launcher": `export JPY_PARENT_PID=$$; sh -c '"$0" "$1" & echo $!; wait' "$0" "$1"; true`,
	} {
		t.Run(name, func(t *testing.T) {
			connection := newConnection(t, "tcp")
			file := writeConnection(t, connection)
			shell := exec.Command("sh", "-c", script, path, file)
			out, err := shell.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := shell.Start(); err != nil {
				t.Fatal(err)
			}
			var pid int
			if _, err := fmt.Fscan(out, &pid); err != nil {
				t.Fatal(err)
			}
			connect(t, connection)
			shell.Process.Kill()
			shell.Wait()
			awaitDeath(t, pid)
		})
	}
	t.Run("stdin", func(t *testing.T) {
		connection := newConnection(t, "tcp")
		stdin, hold, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		p := launch(t, connection, func(cmd *exec.Cmd) {
			cmd.Env = withoutParent()
			cmd.Stdin = stdin
		})
		stdin.Close()
		c := connect(t, connection)
		if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
			t.Errorf("reply %v", reply.content)
		}
		hold.Close()
		p.await(t)
	})
}

// withoutParent is an environment that does not say who started the kernel.
func withoutParent() []string {
	var env []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "JPY_PARENT_PID=") {
			env = append(env, entry)
		}
	}
	return env
}

// awaitDeath waits until a process that is no child of this one has ended.
func awaitDeath(t *testing.T, pid int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil && syscall.Kill(pid, 0) != nil || strings.Contains(string(status), ") Z ") {
			return
		}
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the kernel outlived its parent")
}

// A standard input that was closed from the beginning says nothing about the parent.
func TestKernelWithoutStdin(t *testing.T) {
	connection := newConnection(t, "tcp")
	stdin, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	hold.Close()
	launch(t, connection, func(cmd *exec.Cmd) {
		cmd.Env = withoutParent()
		cmd.Stdin = stdin
	})
	c := connect(t, connection)
	time.Sleep(1500 * time.Millisecond)
	if reply, _ := c.execute("1+1"); reply.content["status"] != "ok" {
		t.Errorf("reply %v", reply.content)
	}
}
