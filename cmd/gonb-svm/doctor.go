package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and say what to do",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !examine(cmd.Context(), cmd.OutOrStdout()) {
				return silentError{}
			}
			return nil
		},
	}
}

// finding is what one check of the doctor says. What is wrong comes with what to do.
type finding struct {
	subject, text, remedy string
}

// examine prints all findings and reports whether nothing needs mending.
func examine(ctx context.Context, w io.Writer) bool {
	findings := []finding{
		{subject: "program", text: versionLine()},
		processor(),
		cells(ctx),
		kernelspec(),
		jupyter(ctx),
		ports(),
		dataFolders(),
		cacheFolder(),
	}
	healthy := true
	for _, f := range findings {
		mark := "ok  "
		if f.remedy != "" {
			mark, healthy = "mend", false
		}
		fmt.Fprintf(w, "%s  %-10s %s\n", mark, f.subject, f.text)
		if f.remedy != "" {
			fmt.Fprintf(w, "      %-10s → %s\n", "", f.remedy)
		}
	}
	return healthy
}

func processor() finding {
	f := finding{subject: "processor", text: fmt.Sprintf("%s, %d cores", runtime.GOARCH, runtime.NumCPU())}
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		f.text += ", AVX-512"
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		f.text += ", AVX2"
	default:
		f.text += ", no vector instructions used"
	}
	return f
}

// cells evaluates one.
func cells(ctx context.Context) finding {
	f := finding{subject: "cells", remedy: "this is a fault of the program; please report it with this output"}
	begin := time.Now()
	session, err := bindings.NewSession(bindings.Options{})
	if err != nil {
		f.text = err.Error()
		return f
	}
	defer session.Close()
	outcome := session.Execute(ctx, display.Cell{Count: 1, Source: "svm.RBF{Gamma: 0.5}.String()"}, discard{})
	switch {
	case outcome.Failure != nil:
		f.text = outcome.Failure.Error()
	case outcome.Result == nil || outcome.Result.Data["text/plain"] != "RBF(Gamma=0.5)":
		f.text = fmt.Sprintf("a cell gave %v", outcome.Result)
	default:
		f.text = fmt.Sprintf("a session starts and a cell runs in %d ms", time.Since(begin).Milliseconds())
		f.remedy = ""
	}
	return f
}

func kernelspec() finding {
	f := finding{subject: "kernelspec", remedy: "run gonb-svm install"}
	found := kernel.Find("gonb-svm")
	if len(found) == 0 {
		f.text = "not installed"
		return f
	}
	spec := found[0]
	f.text = spec.Dir
	if len(spec.Argv) == 0 {
		f.text += ": unreadable"
		return f
	}
	if _, err := os.Stat(spec.Argv[0]); err != nil {
		f.text += ": names the program " + spec.Argv[0] + ", which is not there"
		return f
	}
	if self, err := os.Executable(); err == nil && !sameFile(self, spec.Argv[0]) {
		f.text += ": names another program, " + spec.Argv[0]
	}
	f.remedy = ""
	return f
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

func jupyter(ctx context.Context) finding {
	f := finding{subject: "jupyter", remedy: "run python3 -m pip install jupyterlab (gonb-svm run and repl need no Jupyter)"}
	program, err := exec.LookPath("jupyter-lab")
	if err != nil {
		f.text = "JupyterLab is not in the PATH"
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		f.text = fmt.Sprintf("%s --version: %v", program, err)
		return f
	}
	return finding{subject: "jupyter", text: "JupyterLab " + strings.TrimSpace(string(out)) + ", " + program}
}

func ports() finding {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return finding{"ports", fmt.Sprintf("cannot listen on 127.0.0.1: %v", err), "allow local connections, or use transport ipc"}
	}
	listener.Close()
	return finding{subject: "ports", text: "local ports can be opened"}
}

func dataFolders() finding {
	f := finding{subject: "data"}
	value := os.Getenv("GONB_SVM_DATA")
	if value == "" {
		f.text = "GONB_SVM_DATA is not set; sets that are not built in are downloaded"
		return f
	}
	for _, folder := range filepath.SplitList(value) {
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() {
			f.text = fmt.Sprintf("GONB_SVM_DATA names %s, which is no folder", folder)
			f.remedy = "correct GONB_SVM_DATA"
			return f
		}
	}
	f.text = "GONB_SVM_DATA=" + value
	return f
}

func cacheFolder() finding {
	folder := filepath.Join(xdg.CacheHome, "gonb-svm")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return finding{"cache", err.Error(), "make the folder writable, or set XDG_CACHE_HOME"}
	}
	probe, err := os.CreateTemp(folder, "probe")
	if err != nil {
		return finding{"cache", err.Error(), "make the folder writable, or set XDG_CACHE_HOME"}
	}
	probe.Close()
	os.Remove(probe.Name())
	return finding{subject: "cache", text: folder}
}
