package kernel

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// usage measures what the process and the machine use. Percentages are over the time since
// the last measurement, or, for the first one, since the kernel or the machine began.
type usage struct {
	mu      sync.Mutex
	at      time.Time     // of the last measurement; at first, of the kernel's beginning
	process time.Duration // processor time of the process at that moment
	host    hostTimes
}

// hostTimes are clock ticks since the machine began.
type hostTimes struct{ busy, total float64 }

// measure answers usage_request.
func (u *usage) measure() wire.UsageReply {
	u.mu.Lock()
	defer u.mu.Unlock()
	now, process, host := time.Now(), processTime(), readHostTimes()
	hostname, _ := os.Hostname()
	reply := wire.UsageReply{
		Hostname:          hostname,
		PID:               os.Getpid(),
		KernelCPU:         percent((process - u.process).Seconds(), now.Sub(u.at).Seconds()),
		KernelMemory:      residentMemory(),
		CPUCount:          runtime.NumCPU(),
		HostCPUPercent:    percent(host.busy-u.host.busy, host.total-u.host.total),
		HostVirtualMemory: hostMemory(),
	}
	u.at, u.process, u.host = now, process, host
	return reply
}

func percent(part, whole float64) float64 {
	if whole <= 0 || part < 0 {
		return 0
	}
	return 100 * part / whole
}

// residentMemory returns the bytes of memory that the process occupies, as far as the system
// says.
func residentMemory() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	var size, resident uint64
	if err == nil {
		_, err = fmt.Sscan(string(text), &size, &resident)
	}
	if err != nil {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.Sys
	}
	return resident * uint64(os.Getpagesize())
}

// readHostTimes returns zeros where the system does not say.
func readHostTimes() hostTimes {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return hostTimes{}
	}
	first, _, _ := strings.Cut(string(text), "\n")
	var times hostTimes
	for i, field := range strings.Fields(first) {
		ticks, err := strconv.ParseFloat(field, 64)
		if i == 0 || i > 8 || err != nil { // the name; the times of guests are counted already
			continue
		}
		times.total += ticks
		if i != 4 && i != 5 { // idle, and waiting for a disk
			times.busy += ticks
		}
	}
	return times
}

// hostMemory returns the memory of the machine in bytes, as far as the system says.
func hostMemory() map[string]any {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return map[string]any{}
	}
	defer file.Close()
	amounts := map[string]uint64{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		amount, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		if err == nil {
			amounts[name] = amount << 10
		}
	}
	total, available := amounts["MemTotal"], amounts["MemAvailable"]
	return map[string]any{
		"total":     total,
		"available": available,
		"used":      total - available,
		"free":      amounts["MemFree"],
		"percent":   percent(float64(total-available), float64(total)),
	}
}
