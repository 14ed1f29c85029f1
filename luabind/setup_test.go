package luabind_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// TestSetupAll runs cases whose data other functions made before, and counts how often these ran.
func TestSetupAll(t *testing.T) {
	for name, test := range map[string]struct {
		folder, setup, body string // of _setup.lua, of setup_all, and of run
		err                 string
	}{
		"data": {setup: `return { n = 3, list = { 1, 2 }, a = array.of("d", { 1, 2 }) }`,
			body: `t:equal(t.data.n, 3) t:equal(t.data.list, {1, 2}) t:compare(t.data.a, array.of("d", {1, 2}))`},
		"copies": {setup: `return { n = 1, a = array.zeros("d", 1) }`,
			body: `t:equal(t.data.n + t.data.a[1], 1) t.data.n = 7 t.data.a[1] = 5 t:equal(t.data.n, 7)`},
		"seed": {setup: `return array.random("d", 1)[1]`, body: `t:equal(t.data, array.random("d", 1)[1])`},
		"of the folder": {folder: `local array = require "array" return { a = array.zeros("s", 2) }`,
			body: `t:equal(#t.data.a, 2)`},
		"of both": {folder: `return function() return { n = 1 } end`, setup: `return { n = data.n + 1 }`,
			body: `t:equal(t.data.n, 2)`},
		"none":             {body: `t:equal(t.data, nil)`},
		"failure":          {setup: `error("no data")`, body: `t:check(true)`, err: "test.lua:1: no data"},
		"failing folder":   {folder: `error("no data")`, body: `t:equal(t.data, nil)`, err: "_setup.lua:1: no data"},
		"unneeded folder":  {folder: `error("no data")`, body: `t:check(true)`},
		"syntax of folder": {folder: `return {`, body: `t:equal(t.data, nil)`, err: "_setup.lua:1"},
		"device":           {setup: `return hip.malloc(8)`, err: "setup_all runs without a device"},
		"function": {setup: `return { f = print }`,
			err: "the result of setup_all.f is a function, which cases do not get"},
		"too large": {setup: `return array.zeros("d", 2^24)`, err: "limit"},
	} {
		folder := t.TempDir()
		if test.folder != "" {
			if err := os.WriteFile(filepath.Join(folder, "_setup.lua"), []byte(test.folder), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		field := ""
		if test.setup != "" {
			field = "setup_all = function(data) " + test.setup + " end,"
		}
		script, err := luabind.Compile("test.lua", []byte(prelude+"return { "+field+
			"run = function(t) "+test.body+" end }"))
		if err != nil {
			t.Fatal(err)
		}
		var setups luabind.Setups
		for i := range 2 {
			r := runWith(t, script, luabind.Options{Setups: &setups, LibraryPaths: []string{folder},
				Limits: record.Limits{Heap: 192 << 20}})
			have := ""
			if r.End != nil {
				have = r.End.String()
			}
			if !strings.Contains(have, test.err) || (test.err == "") != (have == "") {
				t.Errorf("%s, case %d: ends with %q, want %q", name, i, have, test.err)
			}
			for _, c := range r.Checks {
				if !c.Passed {
					t.Errorf("%s, case %d: %+v", name, i, c)
				}
			}
			if test.folder != "" && strings.Contains(test.body, "data") && len(r.Required) == 0 {
				t.Errorf("%s, case %d: _setup.lua is not listed", name, i)
			}
		}
	}
}

// TestSetupAllRunsOnce counts the runs by a number that changes with each: the machine's time.
func TestSetupAllRunsOnce(t *testing.T) {
	script, err := luabind.Compile("test.lua", []byte(`return {
		setup_all = function() return os.clock() end, run = function(t) t:metric("clock", t.data) end }`))
	if err != nil {
		t.Fatal(err)
	}
	var setups luabind.Setups
	first := runWith(t, script, luabind.Options{Setups: &setups}).Metrics
	for range 3 {
		again := runWith(t, script, luabind.Options{Setups: &setups}).Metrics
		if len(first) != 1 || len(again) != 1 || first[0] != again[0] {
			t.Errorf("%v, then %v", first, again)
		}
	}
	if other := runWith(t, script, luabind.Options{}).Metrics; len(other) != 1 || other[0] == first[0] {
		t.Errorf("another process: %v, then %v", first, other)
	}
}

func runWith(t *testing.T, script *luabind.Script, o luabind.Options) *record.Record {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30, RealTime: true})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	o.Runtime, o.Profile = rt, workspace.Profiles()[0]
	return luabind.Run(t.Context(), script, record.Case{Seed: 35}, o)
}
