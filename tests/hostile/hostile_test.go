//go:build linux

package hostile

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
)

var (
	all     = flag.Bool("all", false, "run every variant, not a sample")
	only    = flag.String("only", "", "run only the attacks whose name contains this")
	binary  = flag.String("program", "", "the program to attack; it is built by default")
	allowed = flag.Bool("report", false, "print the table but do not fail for attacks that exceed their bounds")
)

// The limits of each case, and the tolerated excess. SECURITY.md has the same numbers.
const (
	timeLimit   = time.Second
	heapLimit   = 64 << 20
	outputLimit = 1 << 20
	deviceLimit = 64 << 20
	memoryLimit = 192 << 20 // of a worker process

	planTime  = timeLimit              // limit of a script's top level, by default 2 s
	cleanTime = 5 * time.Second        // limit of teardown and deferred functions
	late      = 2 * time.Second        // tolerated delay of the end of a case
	startTime = 700 * time.Millisecond // to start the processes, and to load and run the case after it

	baseMemory = 64 << 20 // of the program, without its worker
	textMemory = 16 * outputLimit
)

const config = `jobs = 1
[limits]
timeout = %q
heap = %d
output = %d
device_memory = %s
memory = %d
instructions = %s
[[scenario]]
script = "attack.lua"
[[scenario]]
script = "after.lua"
`

const after = `return { run = function(t) t:metric("alive", 1) t:check(true) end }`

// phase is when a script attacks.
type phase string

const (
	atRun  phase = "run"
	atPlan phase = "plan"
)

// execution is one attack in one phase, with its effects.
type execution struct {
	attack
	phase
	args     []string
	measured Measured
	problems []string
	after    string // outcome of the case after it
}

func (r *execution) title() string { return string(r.phase) + ": " + r.name }

// executions lists all attacks in their phases. At plan time, different commands plan the scripts.
func executions() []*execution {
	var list []*execution
	reports := []string{"run", "c.toml", "--quiet", "--out", "json=report.json", "--out", "jsonl=events.jsonl", "--out",
		"text"}
	plans := [][]string{reports, {"list", "c.toml"}, {"inspect", "c.toml"}, {"run", "attack.lua", "--help"},
		{"__complete", "run", "c.toml", "--axis", ""}}
	for i, a := range attacks() {
		list = append(list, &execution{attack: a, phase: atRun, args: slices.Concat(reports, a.flags)})
		if a.planned {
			list = append(list, &execution{attack: a, phase: atPlan, args: plans[i%len(plans)]})
		}
	}
	return list
}

// folder writes the files of an execution to a temporary folder.
func (r *execution) folder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	value := func(key, otherwise string) string {
		if v, ok := r.set[key]; ok {
			return v
		}
		return otherwise
	}
	script := r.script()
	if r.phase == atPlan {
		script = r.plan()
	}
	files := map[string]string{"attack.lua": script, "after.lua": after,
		"c.toml": fmt.Sprintf(config, timeLimit, heapLimit, outputLimit,
			value("device_memory", fmt.Sprint(deviceLimit)), memoryLimit, value("instructions", "0"))}
	maps.Copy(files, r.files)
	if r.large != nil {
		maps.Copy(files, r.large())
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range r.links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range r.fifos {
		if err := syscall.Mkfifo(filepath.Join(folder, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// try runs the execution and sets its measurements and broken promises.
func (r *execution) try(t *testing.T, program string) {
	t.Helper()
	folder := r.folder(t)
	c := exec.Command(program, r.args...)
	c.Dir = folder
	c.Env = append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+folder, "NO_COLOR=1")
	if !slices.Contains(r.args, "c.toml") { // of a script alone
		c.Env = append(c.Env, "ROCLUA_TIMEOUT="+timeLimit.String(), fmt.Sprint("ROCLUA_LIMIT_HEAP=", heapLimit),
			fmt.Sprint("ROCLUA_LIMIT_MEMORY=", memoryLimit), fmt.Sprint("ROCLUA_LIMIT_OUTPUT=", outputLimit))
	}
	var err error
	r.measured, err = Run(c, Bounds{Memory: 2 << 30, Wall: 40 * time.Second, Output: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	r.after = ""
	if r.reports() {
		r.after = outcomeAfter(filepath.Join(folder, "report.json"))
	}
	r.problems = r.judge()
	r.measured.Stdout, r.measured.Stderr = nil, nil
	os.RemoveAll(folder)
}

// outcomeAfter returns the outcome of the last case of a report.
func outcomeAfter(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "no report"
	}
	var report struct {
		Cases []struct{ ID, Outcome string }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return "invalid report"
	}
	for _, c := range report.Cases {
		if strings.HasPrefix(c.ID, "after") {
			return c.Outcome
		}
	}
	return "missing"
}

// wallLimit is the time limit of the program.
func (r *execution) wallLimit() time.Duration {
	limit := timeLimit
	if r.phase == atPlan || r.whole != nil {
		limit = planTime
	}
	if r.phase == atPlan && r.reports() || r.whole != nil {
		limit += timeLimit
	}
	if strings.Contains(r.body+r.fields, "defer") || strings.Contains(r.fields, "teardown") {
		limit += cleanTime
	}
	return limit + startTime
}

// reports reports whether the command writes reports.
func (r *execution) reports() bool { return slices.Contains(r.args, "json=report.json") }

// outputLimit bounds the program's standard streams, which repeat some text of a case.
func (r *execution) outputLimit() int {
	if r.limit == "plan" {
		return 16 * outputLimit // declarations of a script are not its output
	}
	return 5 * outputLimit // an escaped byte has up to four
}

// exits lists the allowed exit codes of an execution.
func (r *execution) exits() []int {
	switch {
	case r.args[0] == "__complete" || slices.Contains(r.args, "--help"):
		return []int{0}
	case r.args[0] != "run": // a script that reaches a limit at its top level, or declares too much, is an error
		return []int{0, 2, 5, 6}
	case r.limit == "plan":
		return []int{0, 1, 2, 5, 6}
	case r.harmless && r.limit == "depth": // source that is nested too deep is a syntax error
		return []int{0, 1, 2, 5, 6}
	case r.harmless:
		return []int{0, 1, 5, 6}
	case r.limit == "files":
		return []int{5}
	case r.limit == "depth":
		return []int{5, 6}
	}
	return []int{6}
}

// judge lists the promises broken by an execution.
func (r *execution) judge() []string {
	var list []string
	broken := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	m := r.measured
	if m.Killed != "" {
		broken("the test killed it: %s", m.Killed)
	}
	if most := int64(baseMemory + textMemory + memoryLimit*5/4); m.Peak > most {
		broken("%d MiB of memory, at most %d allowed", m.Peak>>20, most>>20)
	}
	if over := m.Wall - r.wallLimit(); over > late && *all { // a machine that does other work makes everything late
		broken("%.1f s over the limit", over.Seconds())
	}
	if !slices.Contains(r.exits(), m.Exit) {
		broken("exit code %d, want one of %v", m.Exit, r.exits())
	}
	if text := string(m.Stderr); strings.Contains(text, "\ngoroutine ") || strings.Contains(text, "fatal error:") {
		broken("the program crashed: %.200s", text[max(0, strings.Index(text, "fatal error:")):])
	}
	if n := len(m.Stdout) + len(m.Stderr); n > r.outputLimit() {
		broken("%d bytes of output", n)
	}
	if r.reports() && r.limit != "plan" && r.after != "passed" {
		broken("the case after it: %s", r.after)
	}
	return list
}

// attempts is the number of tries for a slow execution: other processes may have used the processors.
const attempts = 3

// skipShort skips a test with -short. Tests under the race detector use -short, but the program is built without the
// race detector, to measure realistic time and memory.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it would test the same program as without -short")
	}
}

// TestHostile runs a sample of the attacks, or all of them with -all.
func TestHostile(t *testing.T) {
	skipShort(t)
	program := build(t)
	list := slices.DeleteFunc(executions(), func(r *execution) bool {
		return !strings.Contains(r.title(), *only) || !*all && *only == "" && r.sample != r.phase
	})
	var mu sync.Mutex
	var done []*execution
	t.Run("attacks", func(t *testing.T) {
		for _, r := range list {
			t.Run(r.title(), func(t *testing.T) {
				t.Parallel()
				for range attempts {
					r.try(t, program)
					if len(r.problems) == 0 || r.measured.Killed != "" || !strings.Contains(r.problems[0], " s over") {
						break
					}
				}
				mu.Lock()
				done = append(done, r)
				mu.Unlock()
				t.Log(r.row())
				for _, p := range r.problems {
					if *allowed {
						t.Log(p)
					} else {
						t.Error(p)
					}
				}
			})
		}
	})
	if *all || *only != "" {
		printTable(done)
	}
}

// printTable prints the resource usage of each execution.
func printTable(list []*execution) {
	slices.SortFunc(list, func(a, b *execution) int { return strings.Compare(a.title(), b.title()) })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ATTACK\tLIMIT\tPEAK MiB\tOVER s\tEXIT\tAFTER\tPROBLEMS")
	broken := 0
	for _, r := range list {
		if len(r.problems) > 0 {
			broken++
		}
		fmt.Fprintln(w, r.row())
	}
	w.Flush()
	fmt.Printf("%d attacks, %d exceed their bounds\n", len(list), broken)
}

// row returns the line of an execution in the table.
func (r *execution) row() string {
	return fmt.Sprintf("%s\t%s\t%d\t%+.2f\t%d\t%s\t%.300s", r.title(), r.limit, r.measured.Peak>>20,
		(r.measured.Wall - r.wallLimit()).Seconds(), r.measured.Exit, r.after,
		strings.ReplaceAll(strings.Join(r.problems, "; "), "\n", " "))
}

// built is the path of the program. It is built once, below the temporary folder that TestMain removes.
var built = sync.OnceValues(func() (string, error) {
	if *binary != "" {
		return filepath.Abs(*binary)
	}
	folder, err := os.MkdirTemp("", "roclua-hostile-*")
	if err != nil {
		return "", err
	}
	buildFolder = folder
	path := filepath.Join(folder, "roclua")
	c := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "roclua") // as releases
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

var buildFolder string // "" if nothing was built

// build returns the path of the program.
func build(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if buildFolder != "" {
		os.RemoveAll(buildFolder)
	}
	os.Exit(code)
}
