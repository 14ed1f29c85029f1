package profile_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	pprofile "github.com/google/pprof/profile"

	"roclua/host/profile"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// caseProfile is the profile of a case: 30 ms on line 3 of a function that line 7 calls, 10 ms of them in hip.malloc,
// and 5 ms on line 7 itself. Line 3 calls its function recursively.
func caseProfile() *record.LuaProfile {
	return &record.LuaProfile{
		Places: []bounds.Place{{File: "a.lua", Line: 3, Defined: 2}, {File: "a.lua", Line: 7}, {Host: "hip.malloc"}},
		Samples: []bounds.Sample{{Stack: []int{0, 0, 1}, Nanoseconds: 20e6, Count: 4},
			{Stack: []int{2, 0, 1}, Nanoseconds: 10e6, Count: 2}, {Stack: []int{1}, Nanoseconds: 5e6, Count: 1}},
	}
}

func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	source := "\n\n\thip.malloc(\x1b8) -- " + strings.Repeat("x", 60) + "\n"
	if err := os.WriteFile("a.lua", []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var l profile.Lua
	l.Add(caseProfile())
	l.Add(caseProfile())
	var text bytes.Buffer
	if err := l.Table(&text); err != nil {
		t.Fatal(err)
	}
	want := `scripts took 70.0 ms; the lines that took most, self and with the functions of scripts they call:
     self          in library    total  line
  60.0 ms  85.7 %     20.0 ms  60.0 ms  a.lua:3  hip.malloc(\x1b8) -- ` + strings.Repeat("x", 38) + `…
  10.0 ms  14.3 %        0 µs  70.0 ms  a.lua:7
`
	if text.String() != want {
		t.Errorf("have\n%swant\n%s", &text, want)
	}
}

// TestBoundsOfTheTable checks lines and times at the limits of the table.
func TestBoundsOfTheTable(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("x", 60)
	if err := os.WriteFile("a.lua", []byte(long+"\n"+long+"y"), 0o666); err != nil {
		t.Fatal(err)
	}
	table := func(times ...int64) string {
		p := &record.LuaProfile{}
		for i, ns := range times {
			p.Places = append(p.Places, bounds.Place{File: "a.lua", Line: i + 1})
			p.Samples = append(p.Samples, bounds.Sample{Stack: []int{i}, Nanoseconds: ns, Count: 1})
		}
		var l profile.Lua
		l.Add(p)
		var text bytes.Buffer
		if err := l.Table(&text); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	have := table(1e9, 999_999_999, 1e6, 999_000)
	for _, want := range []string{"1.00 s", "a.lua:1  " + long + "\n", "1000.0 ms", "a.lua:2  " + long[1:] + "…\n",
		"1.0 ms", "999 µs", "a.lua:3\n", "a.lua:4\n"} {
		if !strings.Contains(have, want) {
			t.Errorf("have\n%swant %q", have, want)
		}
	}
	twenty := table(slices.Repeat([]int64{1e6}, 20)...)
	if strings.Contains(twenty, "further lines") {
		t.Errorf("20 lines:\n%s", twenty)
	}
	if have := table(slices.Repeat([]int64{1e6}, 21)...); !strings.HasSuffix(have, "\n1 further lines took less\n") {
		t.Errorf("21 lines:\n%s", have)
	}
}

// full is a writer that always fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestTableThatCannotBeWritten(t *testing.T) {
	var l profile.Lua
	l.Add(caseProfile())
	if err := l.Table(full{}); err != os.ErrClosed {
		t.Error(err)
	}
}

func TestEmptyTable(t *testing.T) {
	var text bytes.Buffer
	if err := (&profile.Lua{}).Table(&text); err != nil || !strings.HasPrefix(text.String(), "no line of a script") {
		t.Errorf("%q, %v", &text, err)
	}
}

func TestWrite(t *testing.T) {
	var l profile.Lua
	l.Add(caseProfile())
	l.Add(caseProfile())
	var file bytes.Buffer
	if err := l.Write(&file); err != nil {
		t.Fatal(err)
	}
	p, err := pprofile.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil || len(p.Sample) != 3 || p.DurationNanos != 70e6 {
		t.Errorf("%v: %d samples of %d ns", err, len(p.Sample), p.DurationNanos)
	}
	values := map[string][]int64{"function a.lua:2": {8, 40e6}, "hip.malloc": {4, 20e6}, "a.lua": {2, 10e6}}
	for _, s := range p.Sample {
		leaf := s.Location[0].Line[0]
		want, ok := values[leaf.Function.Name]
		if !ok || s.Value[0] != want[0] || s.Value[1] != want[1] {
			t.Errorf("%s:%d has %v, want %v", leaf.Function.Name, leaf.Line, s.Value, want)
		}
	}
}
