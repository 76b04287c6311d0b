package kernel

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

//go:generate go run logos/generate.go

//go:embed logos/logo-32x32.png logos/logo-64x64.png logos/logo-svg.svg
var logos embed.FS

// Spec says which kernelspec to install, and where: at most one of User, SysPrefix and Prefix
// is set, and User is meant if none is.
type Spec struct {
	User      bool   // for this user
	SysPrefix bool   // in the active Python environment
	Prefix    string // in PREFIX/share/jupyter

	Name        string            // default "gonb-svm"; letters, digits and . _ -
	DisplayName string            // default "Go (gonb-svm)"
	Env         map[string]string // given to the kernel
	Binary      string            // default: this program
	Version     string            // noted in the file
}

// Installed is a kernelspec that was found.
type Installed struct {
	Dir         string
	Argv        []string
	DisplayName string
	Ours        bool // written by Install
}

// kernelJSON is the file kernel.json.
type kernelJSON struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode"`
	ProtocolVersion string            `json:"kernel_protocol_version"`
	Env             map[string]string `json:"env"`
	Metadata        map[string]any    `json:"metadata"`
}

// specMark is the entry of the metadata by which Install knows its own work.
const specMark = "gonb-svm"

var specName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// resolved returns s with its defaults, or says what cannot be.
func (s Spec) resolved() (Spec, error) {
	if s.Name == "" {
		s.Name = "gonb-svm"
	}
	if !specName.MatchString(s.Name) {
		return s, fmt.Errorf("kernel name %q: want letters, digits, \".\", \"_\" and \"-\" only", s.Name)
	}
	if s.DisplayName == "" {
		s.DisplayName = "Go (gonb-svm)"
	}
	places := 0
	for _, chosen := range []bool{s.User, s.SysPrefix, s.Prefix != ""} {
		if chosen {
			places++
		}
	}
	if places > 1 {
		return s, errors.New("more than one place was given: want one of user, sys-prefix and prefix")
	}
	return s, nil
}

// Install writes the kernelspec and returns its folder. It replaces one that it wrote before,
// and refuses to replace another's.
func Install(s Spec) (dir string, err error) {
	s, err = s.resolved()
	if err != nil {
		return "", err
	}
	if s.Binary == "" {
		if s.Binary, err = os.Executable(); err != nil {
			return "", fmt.Errorf("where this program lies: %w", err)
		}
	}
	if s.Binary, err = filepath.Abs(s.Binary); err != nil {
		return "", err
	}
	if info, err := os.Stat(s.Binary); err != nil || info.IsDir() {
		return "", fmt.Errorf("the kernel's program %s does not exist", s.Binary)
	}
	root, err := s.root()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(root, "kernels", s.Name)
	if found, err := readSpec(dir); err == nil && !found.Ours {
		return "", fmt.Errorf("%s holds another kernel, %q: choose another name", dir, found.DisplayName)
	}
	return dir, s.write(dir)
}

// write writes the folder beside its place and then moves it there, so that Jupyter never
// sees half of it.
func (s Spec) write(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	env := s.Env
	if env == nil {
		env = map[string]string{}
	}
	text, err := json.MarshalIndent(kernelJSON{
		Argv:            []string{s.Binary, "kernel", "{connection_file}"},
		DisplayName:     s.DisplayName,
		Language:        "go",
		InterruptMode:   "message",
		ProtocolVersion: "5.5",
		Env:             env,
		Metadata:        map[string]any{"debugger": true, specMark: map[string]any{"version": s.Version}},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "kernel.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	entries, err := logos.ReadDir("logos")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		picture, err := logos.ReadFile("logos/" + entry.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fresh, entry.Name()), picture, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// Uninstall removes the kernelspec and returns the folders that it removed. Without a place
// it removes it wherever Jupyter would find it.
func Uninstall(s Spec) (dirs []string, err error) {
	s, err = s.resolved()
	if err != nil {
		return nil, err
	}
	var found []Installed
	if s.User || s.SysPrefix || s.Prefix != "" {
		root, err := s.root()
		if err != nil {
			return nil, err
		}
		if one, err := readSpec(filepath.Join(root, "kernels", s.Name)); err == nil {
			found = []Installed{one}
		}
	} else {
		found = Find(s.Name)
	}
	for _, spec := range found {
		if !spec.Ours {
			continue
		}
		if err := os.RemoveAll(spec.Dir); err != nil {
			return dirs, err
		}
		dirs = append(dirs, spec.Dir)
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no kernel %q is installed by this program", s.Name)
	}
	return dirs, nil
}

// Find returns the kernelspecs with this name in the order in which Jupyter looks for them;
// it uses the first.
func Find(name string) []Installed {
	var found []Installed
	for _, root := range searchPath() {
		spec, err := readSpec(filepath.Join(root, "kernels", name))
		if err == nil && !slices.ContainsFunc(found, func(other Installed) bool { return other.Dir == spec.Dir }) {
			found = append(found, spec)
		}
	}
	return found
}

// readSpec reads the kernelspec in a folder.
func readSpec(dir string) (Installed, error) {
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		return Installed{}, err
	}
	var spec kernelJSON
	if err := json.Unmarshal(text, &spec); err != nil {
		return Installed{Dir: dir, DisplayName: "unreadable"}, nil
	}
	_, ours := spec.Metadata[specMark]
	return Installed{Dir: dir, Argv: spec.Argv, DisplayName: spec.DisplayName, Ours: ours}, nil
}

// root returns the data folder of Jupyter in which the spec belongs.
func (s Spec) root() (string, error) {
	if s.Prefix != "" {
		prefix, err := filepath.Abs(s.Prefix)
		return filepath.Join(prefix, "share", "jupyter"), err
	}
	if s.SysPrefix {
		prefix := pythonPrefix()
		if prefix == "" {
			return "", errors.New("no Python environment was found for sys-prefix: activate one, or give its folder as the prefix")
		}
		return filepath.Join(prefix, "share", "jupyter"), nil
	}
	return userData()
}

// pythonPrefix returns the folder of the active Python environment, or "".
func pythonPrefix() string {
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(variable); prefix != "" {
			return prefix
		}
	}
	for _, python := range []string{"python3", "python"} {
		out, err := exec.Command(python, "-c", "import sys; print(sys.prefix)").Output()
		if prefix := strings.TrimSpace(string(out)); err == nil && prefix != "" {
			return prefix
		}
	}
	return ""
}

// userData returns the user's data folder of Jupyter.
func userData() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), err
	case "windows":
		config, err := os.UserConfigDir()
		return filepath.Join(config, "jupyter"), err
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), err
}

// searchPath returns the data folders in which Jupyter looks for kernels.
func searchPath() []string {
	path := filepath.SplitList(os.Getenv("JUPYTER_PATH"))
	if dir, err := userData(); err == nil {
		path = append(path, dir)
	}
	if prefix := pythonPrefix(); prefix != "" {
		path = append(path, filepath.Join(prefix, "share", "jupyter"))
	}
	return append(path, "/usr/local/share/jupyter", "/usr/share/jupyter")
}
