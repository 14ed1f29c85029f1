//go:build linux

package tests

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var cluster = flag.String("cluster", "", "folder for the Slurm cluster of TestCluster")

const clusterScript = `return { params = { n = 1 }, run = function(t)
  local stop = os.clock() + 0.3
  while os.clock() < stop do end
  t:metric("bytes", t.n * 64, "bytes")
  t:check(t.n ~= 5, "n is not five")
  if t.n == 6 then error("six is too many") end
  if t.n == 7 then t:skip("seven is skipped") end
end }`

const clusterConfig = `jobs = 1
[expect]
"sum(bytes)" = "> 1000"
"max(bytes)" = "< 3000"
[[scenario]]
script = "work.lua"
matrix = { n = "1:60" }
known_failures = [{ match = "n=5", reason = "known" }]
`

// slurmCluster is a Slurm cluster on this machine.
type slurmCluster struct {
	dir, folder string
	environment []string
	began       time.Time
}

// TestCluster runs the script of docs/cluster.md: an array of six tasks on three nodes. One task is killed, one gets
// the signal before the time limit, and one node fails. The merged document must equal the document of a single run.
func TestCluster(t *testing.T) {
	if *cluster == "" {
		t.Skip("make cluster runs it: it starts a Slurm cluster")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skip("the packages of Slurm cannot be downloaded: there is no apt-get")
	}
	c := startCluster(t)
	page, err := os.ReadFile("../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(page), "```bash roclua-slurm.sh\n")
	script, _, _ = strings.Cut(script, "```\n")
	c.folder = writeFiles(t, map[string]string{"work.lua": clusterScript, "config.toml": clusterConfig,
		"job.sh": script})
	began := time.Now()
	want := runProgram(t, program(t, "roclua"), c.folder, io.Discard, "run", "--quiet", "--out", "json=one.json")
	t.Logf("a single run takes %.1f s and ends with %d", time.Since(began).Seconds(), want)

	c.began = time.Now()
	out := c.run(t, "bash", "job.sh")
	var array, merge int
	if _, err := fmt.Sscanf(out, "array %d, merge %d", &array, &merge); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.log(t, "submitted array %d, and merge %d", array, merge)
	events := func(task int) []byte {
		text, _ := os.ReadFile(filepath.Join(c.folder, fmt.Sprintf("%d-%d.jsonl", array, task)))
		return text
	}
	c.wait(t, "every task has a result", func() bool {
		for k := 1; k <= 6; k++ {
			if !bytes.Contains(events(k), []byte(`"event":"case"`)) {
				return false
			}
		}
		return true
	})
	c.disturb(t, array)
	document := filepath.Join(c.folder, fmt.Sprintf("results-%d.json", array))
	c.wait(t, "the merge has ended", func() bool {
		return strings.TrimSpace(c.run(t, "squeue", "-h", "-j", strconv.Itoa(merge))) == "" || exists(document)
	})
	c.compare(t, document, want, merge)
	c.log(t, "the merged document is that of one run")
	for task, want := range map[int]int{1: 1, 2: 2, 3: 2, 4: 1, 5: 2, 6: 1} {
		n := bytes.Count(events(task), []byte(`"event":"begin"`))
		if n < want {
			t.Errorf("task %d began %d times, want %d", task, n, want)
		}
	}
	first, _, _ := bytes.Cut(events(5), []byte(`"event":"end"`))
	if !bytes.Contains(first, []byte(`"outcome":"interrupted"`)) {
		t.Errorf("task 5 did not end in grace before the time limit: %s", first)
	}
}

// startCluster starts the cluster, and stops it when the test ends.
func startCluster(t *testing.T) *slurmCluster {
	t.Helper()
	c := &slurmCluster{dir: *cluster}
	began := time.Now()
	for _, name := range []string{"run", "state", "spool"} {
		os.RemoveAll(filepath.Join(c.dir, name))
	}
	t.Cleanup(func() {
		pids, _ := filepath.Glob(filepath.Join(c.dir, "run", "*.pid"))
		for _, path := range pids {
			signalFile(path, syscall.SIGKILL)
		}
	})
	start := exec.Command("cluster/slurm.sh", c.dir, "3")
	out, err := start.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("%s", out)
	} else if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	shell := exec.Command("bash", "-c", ". "+filepath.Join(c.dir, "env")+` && env -0`)
	out, err = shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	c.environment = strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	t.Logf("the controller and three nodes start in %.1f s", time.Since(began).Seconds())
	return c
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// signalFile sends a signal to the process whose ID is in a file.
func signalFile(path string, signal syscall.Signal) {
	text, _ := os.ReadFile(path)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
		syscall.Kill(pid, signal)
	}
}

func (c *slurmCluster) log(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf("%5.1f s: %s", time.Since(c.began).Seconds(), fmt.Sprintf(format, args...))
}

// run runs a command with the environment of the cluster, and returns its output.
func (c *slurmCluster) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	for _, entry := range c.environment {
		if path, ok := strings.CutPrefix(entry, "PATH="); ok && !strings.Contains(name, "/") {
			first, _, _ := strings.Cut(path, ":")
			if exists(filepath.Join(first, name)) {
				name = filepath.Join(first, name)
			}
		}
	}
	command := exec.Command(name, args...)
	command.Dir, command.Env = c.folder, c.environment
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
	return string(out)
}

func (c *slurmCluster) wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(4 * time.Minute); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s\n%s", what, c.run(t, "squeue", "-a"))
		}
	}
	c.log(t, "%s", what)
}

// disturb kills a task, sends another the signal that announces the time limit, requeues both, and lets a node fail.
func (c *slurmCluster) disturb(t *testing.T, array int) {
	t.Helper()
	killed, warned := fmt.Sprintf("%d_2", array), fmt.Sprintf("%d_5", array)
	c.run(t, "scancel", "--signal=KILL", "--full", killed)
	c.run(t, "scancel", "--signal=TERM", "--batch", warned)
	c.log(t, "killed task 2, and sent task 5 the signal before the time limit")
	node := strings.TrimSpace(c.run(t, "squeue", "-h", "-r", "-j", fmt.Sprintf("%d_3", array), "-o", "%N"))
	if node == "" {
		t.Fatal("task 3 does not run")
	}
	signalFile(filepath.Join(c.dir, "run", "slurmd-"+node+".pid"), syscall.SIGKILL)
	killTasks(node, array)
	c.run(t, "scontrol", "update", "nodename="+node, "state=down", "reason=test")
	c.log(t, "killed %s with its tasks; Slurm requeues them", node)
	for _, task := range []string{killed, warned} {
		c.wait(t, "task "+task+" has ended or waits again", func() bool {
			state := strings.TrimSpace(c.run(t, "squeue", "-h", "-r", "-t", "all", "-j", task, "-o", "%T"))
			return state != "RUNNING" && state != "COMPLETING"
		})
		state := strings.TrimSpace(c.run(t, "squeue", "-h", "-r", "-t", "all", "-j", task, "-o", "%T"))
		if state != "PENDING" {
			c.run(t, "scontrol", "requeue", task)
			c.log(t, "requeued task %s, which was %s", task, state)
		}
	}
}

// killTasks kills the tasks of an array on a node. First it kills the Slurm process that watches each task, as when a
// node fails; otherwise that process would report that the task was killed.
func killTasks(node string, array int) {
	var watchers, tasks []int
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		environment, _ := os.ReadFile(filepath.Join(p, "environ"))
		if !bytes.Contains(environment, []byte("SLURMD_NODENAME="+node+"\x00")) ||
			!bytes.Contains(environment, fmt.Appendf(nil, "SLURM_ARRAY_JOB_ID=%d\x00", array)) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(p))
		tasks = append(tasks, pid)
		if parent := parentOf(pid); strings.HasPrefix(commandOf(parent), "slurmstepd") {
			watchers = append(watchers, parent)
		}
	}
	for _, pid := range slices.Concat(watchers, tasks) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// parentOf returns the ID of the parent of a process, 0 if the process has ended.
func parentOf(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "\nPPid:\t")
	parent, _, _ := strings.Cut(rest, "\n")
	number, _ := strconv.Atoi(parent)
	return number
}

// commandOf returns the name of a process's program.
func commandOf(pid int) string {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(name))
}

// compare compares the merged document with the document of a single run.
func (c *slurmCluster) compare(t *testing.T, document string, code, merge int) {
	t.Helper()
	c.wait(t, "the merge is complete", func() bool {
		return !strings.Contains(c.run(t, "scontrol", "show", "job", strconv.Itoa(merge)), "JobState=RUNNING")
	})
	state := c.run(t, "scontrol", "show", "job", strconv.Itoa(merge))
	if !strings.Contains(state, fmt.Sprintf("ExitCode=%d:0", code)) {
		log, _ := os.ReadFile(filepath.Join(c.folder, "roclua-merge.log"))
		t.Errorf("the merge did not end with %d: %s\n%s", code, state, log)
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n  \"config\": ")
		return timesOfRun().ReplaceAllString(rest, "TIME")
	}
	one, merged := read(filepath.Join(c.folder, "one.json")), read(document)
	if one != merged {
		t.Errorf("the merged document differs: %s", firstDifference(merged, one))
	}
}
