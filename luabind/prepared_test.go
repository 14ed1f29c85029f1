package luabind_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// TestPrepared runs the top level of a file before its case is known, and then the case. The top level runs once.
func TestPrepared(t *testing.T) {
	for name, test := range map[string]struct {
		source       string
		plain        bool
		err          string // of Scenarios
		early, later string // what the top level prints before the case, and what the case prints
	}{
		"scenario": {source: `print("top") return { params = { n = 1 }, run = function(t)
			require("hip").free(require("hip").malloc(8)) print("run", t.n) end }`,
			early: "top\n", later: "run\t5\n"},
		"plain script": {source: `print("top")`, plain: true, early: "top\n"},
		"script that uses a device": {source: `print("top") require("hip").free(require("hip").malloc(8)) print("on")`,
			plain: true, early: "top\n", later: "on\n"},
		"script with an error": {source: `print("top") error("broken")`, err: "test.lua:1: broken", early: "top\n"},
	} {
		t.Run(name, func(t *testing.T) { testPrepared(t, test.source, test.plain, test.err, test.early, test.later) })
	}
}

func testPrepared(t *testing.T, source string, plain bool, wrong, early, later string) {
	script, err := luabind.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var first, second strings.Builder
	p := script.Prepare(1, luabind.Options{Output: &first})
	list, err := p.Scenarios(t.Context())
	if len(list) != 1 || list[0].Plain != plain || (err == nil) != (wrong == "") || err != nil && err.Error() != wrong {
		t.Fatalf("%+v, %v; want plain %t, %q", list, err, plain, wrong)
	}
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	rec := p.Run(t.Context(), record.Case{Params: map[string]any{"n": 5.0}},
		luabind.Options{Runtime: rt, Profile: workspace.Profiles()[0], Output: &second})
	if first.String() != early || second.String() != later || rec.Log != early+later {
		t.Errorf("printed %q, then %q; the log is %q", &first, &second, rec.Log)
	}
	if wrong == "" != rec.Passed() || wrong != "" && (rec.End == nil || rec.End.String() != wrong) {
		t.Errorf("the case ended with %v, want %q", rec.End, wrong)
	}
	p.Close() // a second time
}

// TestPreparedWithoutCase closes a script that waits for the device of its case, and one whose top level does not end.
func TestPreparedWithoutCase(t *testing.T) {
	for source, waits := range map[string]bool{`print(require("hip").malloc(8))`: true, `while true do end`: false} {
		script, err := luabind.Compile("test.lua", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		p := script.Prepare(1, luabind.Options{})
		ctx := t.Context()
		if !waits {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
			defer cancel()
		}
		if list, err := p.Scenarios(ctx); (err == nil) != waits || len(list) != 1 || list[0].Plain != waits {
			t.Errorf("%s: %+v, %v", source, list, err)
		}
		p.Close()
	}
}
