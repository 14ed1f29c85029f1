package lualib_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

var reference = flag.String("lua51", "", "write the results of this Lua 5.1 interpreter into testdata/lua51")

// Marks of lines in the tables of expressions.
const (
	referenceMark = "--> " // the result of Lua 5.1
	ownMark       = "--! " // the result of this package, where that differs: see docs/lua.md
)

// row is an expression, or the body of a function, and its results.
type row struct{ source, want, own string }

// TestLua51 compares results with the results of Lua 5.1 that testdata/lua51 records.
func TestLua51(t *testing.T) {
	tables, err := filepath.Glob("testdata/lua51/*.txt")
	if err != nil || len(tables) == 0 {
		t.Fatal("no tables", err)
	}
	for _, table := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(table), ".txt"), func(t *testing.T) {
			rows := readRows(t, table)
			if *reference != "" {
				record(t, table, rows)
			}
			m, _ := newMachine(t, options{})
			defer m.Close()
			if _, err := m.Run(compile(t, readText(t, "testdata/lua51/evaluate.lua")), 0); err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				want := r.want
				if r.own != "" {
					want = r.own
				}
				if have := evaluate(t, m, r.source); have != want {
					t.Errorf("%s\nhave %s\nwant %s", r.source, have, want)
				}
				if r.own != "" && r.own == r.want {
					t.Errorf("%s: the results do not differ", r.source)
				}
			}
		})
	}
}

func evaluate(t *testing.T, m *vm.Machine, source string) (result string) {
	err := m.Call(m.State().NewFunction(func(l *lua.LState) int {
		l.Push(l.GetGlobal("evaluate"))
		l.Push(lua.LString(source))
		l.Call(1, 1)
		result = l.CheckString(-1)
		return 0
	}))
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return result
}

func readText(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readRows reads a table. Lines before a result belong to its expression.
func readRows(t *testing.T, file string) []row {
	var rows []row
	var source []string
	for line := range strings.Lines(readText(t, file)) {
		line = strings.TrimSuffix(line, "\n")
		want, isWant := strings.CutPrefix(line, referenceMark)
		own, isOwn := strings.CutPrefix(line, ownMark)
		switch {
		case isWant:
			rows = append(rows, row{source: strings.Join(source, "\n"), want: want})
			source = nil
		case isOwn:
			rows[len(rows)-1].own = own
		default:
			source = append(source, line)
		}
	}
	return rows
}

// record writes a table with the results of the reference.
func record(t *testing.T, file string, rows []row) {
	script := filepath.Join(t.TempDir(), "reference.lua")
	text := readText(t, "testdata/lua51/evaluate.lua") + "print = function() end\n"
	for _, r := range rows {
		text += fmt.Sprintf("io.write(evaluate(%s), '\\n')\n", literal(r.source))
	}
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(*reference, script).Output()
	if err != nil {
		t.Fatal(err)
	}
	results := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(results) != len(rows) {
		t.Fatalf("%d results of %d rows", len(results), len(rows))
	}
	var table strings.Builder
	for i := range rows {
		rows[i].want = results[i]
		table.WriteString(rows[i].source + "\n" + referenceMark + results[i] + "\n")
		if rows[i].own != "" {
			table.WriteString(ownMark + rows[i].own + "\n")
		}
	}
	if err := os.WriteFile(file, []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// literal returns a string literal of Lua.
func literal(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// TestClosures runs assertions about variables that closures share, which Lua 5.1 passes.
func TestClosures(t *testing.T) {
	m, _ := newMachine(t, options{})
	defer m.Close()
	if _, err := m.Run(compile(t, readText(t, "testdata/lua51/closures.lua")), 0); err != nil {
		t.Error(err)
	}
}
