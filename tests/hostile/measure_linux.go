package hostile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Measured is the resource usage of a process and its children.
type Measured struct {
	Peak   int64         // peak bytes of memory of all processes together; shared file pages do not count
	Main   int64         // peak bytes of memory of the process itself
	Child  int64         // peak bytes of memory of the largest of the others
	Wall   time.Duration // from the start of the process to its end
	CPU    time.Duration // processor time of the process, and of the others that ended before it
	Exit   int           // exit code; -1 if a signal ended the process
	Killed string        // why Run killed the processes; "" if it did not
	Stdout []byte
	Stderr []byte
}

// Bounds are the limits above which Run kills a process tree, to protect the machine that runs the tests.
type Bounds struct {
	Memory int64 // bytes
	Wall   time.Duration
	Output int // bytes kept of each stream
}

// sampleEvery is the time between two samples of the memory, which take processor time themselves.
const sampleEvery = 20 * time.Millisecond

// Run runs a command and measures the tree of its processes. It samples their memory. The peak that the system reports
// for a single process counts too, because it includes usage between two samples. The peak in a process's resource
// usage does not count, because it includes the memory of the parent process.
func Run(c *exec.Cmd, b Bounds) (Measured, error) {
	var m Measured
	stdout, stderr := &head{most: b.Output}, &head{most: b.Output}
	c.Stdout, c.Stderr = stdout, stderr
	c.WaitDelay = time.Second
	start := time.Now()
	if err := c.Start(); err != nil {
		return m, err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			m.Wall, m.Exit = time.Since(start), c.ProcessState.ExitCode()
			m.CPU = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			m.Stdout, m.Stderr = stdout.Bytes(), stderr.Bytes()
			return m, nil
		case <-tick.C:
		}
		tree := processes(c.Process.Pid)
		memory := int64(0)
		for i, pid := range tree {
			now, most := resident(pid)
			memory += now
			m.Peak = max(m.Peak, most)
			if i == 0 {
				m.Main = max(m.Main, most)
			} else {
				m.Child = max(m.Child, most)
			}
		}
		m.Peak = max(m.Peak, memory)
		switch {
		case m.Killed != "":
		case memory > b.Memory:
			m.Killed = fmt.Sprintf("memory reached %d MiB", memory>>20)
		case time.Since(start) > b.Wall:
			m.Killed = fmt.Sprintf("still running after %s", b.Wall)
		}
		if m.Killed != "" {
			for _, pid := range tree {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// processes lists a process and its descendants.
func processes(pid int) []int {
	list := []int{pid}
	for i := 0; i < len(list); i++ {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", list[i]))
		for _, t := range threads {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", list[i], t.Name()))
			for _, field := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(field); err == nil {
					list = append(list, child)
				}
			}
		}
	}
	return list
}

// resident returns the resident bytes of a process, and their peak. File pages do not count, because processes share
// them.
func resident(pid int) (now, most int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	values := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		values[name] = kib << 10
	}
	return values["RssAnon"] + values["RssShmem"], values["VmHWM"] - values["RssFile"]
}

// head keeps the first bytes written to it.
type head struct {
	bytes.Buffer
	most int
}

func (h *head) Write(b []byte) (int, error) {
	if room := h.most - h.Len(); room > 0 {
		h.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}
