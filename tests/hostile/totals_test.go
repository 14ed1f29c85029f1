//go:build linux

package hostile

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// total is a run with many cases, or cases that are large together.
type total struct {
	name   string
	args   []string
	exit   int
	stderr string // part of the message
	memory int64  // most bytes
	long   bool   // only with -all
}

// smallMemory is the bound for a plan that is small or rejected.
const smallMemory = 100 << 20

// refused is a command that must end with an error containing a string, without the memory that its plan would need.
func refused(name, stderr string, args ...string) total {
	return total{name: name, args: args, exit: 2, stderr: stderr, memory: smallMemory}
}

var totals = []total{
	refused("range of 20,000,000 values", "20000000 values, at most 1000000", "run", "range.toml"),
	refused("a billion repetitions", "= 1000000000 cases", "run", "repeat.toml"),
	refused("product that overflows", "= 9223372036854775807000 cases", "run", "log.lua", "--axis",
		"n=1:1000", "--repeat", "9223372036854775807"),
	refused("sweep of 50,000,000 points", "50000000 values, at most 1000000", "size", "dgetrf m=n n=n", "--sweep",
		"n=1:50000000"),
	refused("axis of 50,000,000 values", "50000000 values, at most 1000000", "inspect", "log.lua", "--axis",
		"n=1:50000000"),
	refused("configuration of 97 MB", "may have at most 16777216 bytes", "run", "large.toml"),
	refused("configuration that is a device", "a device", "run", "device.toml"),
	{name: "200 KB of nested brackets", args: []string{"run", "nested.toml"}, exit: 2,
		stderr: "nested.toml:3:115: values or keys are nested more than 100 deep", memory: smallMemory},
	{name: "2,000 tables of scenarios", args: []string{"list", "tables.toml"}, memory: smallMemory},
	{name: "20,000 scenarios in a file", args: []string{"list", "many.lua"}, memory: 200 << 20},
	{name: "20 logs of 2 MB", memory: 200 << 20, args: slices.Concat(logs, []string{"n=1:20", "--axis", "mb=2"})},
	{name: "12 logs of 15 MB", memory: 700 << 20, args: slices.Concat(logs, []string{"n=1:12"}), long: true},
	{name: "400 cases", memory: 200 << 20, args: slices.Concat(sizes, []string{"n=1:400"})},
	{name: "2,000 cases", memory: 300 << 20, args: slices.Concat(sizes, []string{"n=1:2000"}), long: true},
}

// Commands with an axis as the last argument.
var (
	logs = []string{"run", "log.lua", "--quiet", "--jobs", "2", "--out", "json=r.json", "--out", "html=r.html", "--out",
		"junit=r.xml", "--out", "text", "--axis"}
	sizes = []string{"run", "size.lua", "--quiet", "--out", "html=r.html", "--out", "text", "--axis"}
)

// totalFiles are the files of the runs. Logs kept in memory took 106 MB for each case of 15 MB.
func totalFiles() map[string]string {
	return map[string]string{
		"log.lua": `return { params = { n = 1, mb = 15 }, run = function(t)
			local s = ("x"):rep(1e6 - 1) for i = 1, t.mb do print(s) end end }`,
		"size.lua": `return { params = { n = 1 }, schemes = { "managed" }, run = function(t)
			t:metric("bytes", t.handle:query(function(q) q:dgetrf { m = t.n, n = t.n } end), "bytes") end }`,
		"many.lua":    `local p = {} for i = 1, 2e4 do p[i] = { name = "s" .. i, run = print } end return p`,
		"range.toml":  "[[scenario]]\nscript = 'log.lua'\nmatrix = { n = '1:20000000' }\n",
		"repeat.toml": "[[scenario]]\nscript = 'log.lua'\nrepeat = 1000000000\n",
		"nested.toml": "[[scenario]]\nscript = 'log.lua'\nmatrix = { n = " + nested(100_000, "[", "", "]") + " }\n",
		"tables.toml": wide(2000, "[[scenario]]\nscript = 'size.lua'\nmatrix = { n = [%d] }\n"),
		"large.toml":  "[[scenario]]\nscript = 'log.lua'\n",
	}
}

// TestTotals checks that the plan and the results of a run are bounded.
func TestTotals(t *testing.T) {
	skipShort(t)
	program, folder := build(t), t.TempDir()
	for name, text := range totalFiles() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(filepath.Join(folder, "large.toml"), 97e6); err != nil { // it takes no space
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(folder, "device.toml")); err != nil {
		t.Fatal(err)
	}
	for _, r := range totals {
		if r.long && !*all {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			c := exec.Command(program, r.args...)
			c.Dir = folder
			c.Env = append(os.Environ(), "XDG_CACHE_HOME="+folder)
			m, err := Run(c, Bounds{Memory: 4 << 30, Wall: 2 * time.Minute, Output: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d MiB, %.2f s, %.2f s of processors, exit code %d", m.Peak>>20, m.Wall.Seconds(),
				m.CPU.Seconds(), m.Exit)
			for _, p := range r.judge(m) {
				t.Error(p)
			}
		})
	}
}

// judge lists the bounds exceeded by a run.
func (r *total) judge(m Measured) []string {
	var list []string
	if m.Peak > r.memory {
		list = append(list, "it used too much memory")
	}
	if m.Exit != r.exit || !strings.Contains(string(m.Stderr), r.stderr) {
		list = append(list, "it ended with another error: "+string(m.Stderr[:min(len(m.Stderr), 500)]))
	}
	return list
}
