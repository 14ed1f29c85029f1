package watch

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// TestAffectedCases changes one file after the other.
func TestAffectedCases(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a1@cpu", "a.lua").Baseline = "kept/a.toml"
	s.add("a2@cpu", "a.lua").Baseline = "kept/other.toml"
	s.add("b@cpu", "sub/b.lua").Definition.Declared.Required = []string{"lib/top.lua"}
	s.required["a2@cpu"] = []string{"lib/late.lua", "lib/missing.lua"}
	s.failed["b@cpu"] = true
	s.round("watching; 3 cases, 1 not passed; ctrl-c ends\n", "a1@cpu", "a2@cpu", "b@cpu")
	again := func(what string) string {
		return "\n" + what + " of 3 cases\nwatching; 3 cases, 1 not passed; ctrl-c ends\n"
	}
	s.round("") // nothing has changed
	s.change("a.lua")
	s.round(again("a.lua changed: running 2"), "a1@cpu", "a2@cpu")
	s.change("kept/a.toml")
	s.round(again("kept/a.toml changed: running 1"), "a1@cpu")
	s.change("lib/top.lua", "kept/a.toml")
	s.round(again("kept/a.toml, lib/top.lua changed: running 2"), "a1@cpu", "b@cpu")
	s.change("lib/late.lua")
	s.round(again("lib/late.lua changed: running 2"), "a1@cpu", "a2@cpu") // their script
	s.change("lib/missing.lua")
	s.round(again("lib/missing.lua changed: running 2"), "a1@cpu", "a2@cpu")
	s.change("sub/b.lua")
	s.round(again("sub/b.lua changed: running 1"), "b@cpu")
	noError(t, os.RemoveAll("sub"))
	if !s.loop.look(time.Time{}) {
		t.Error("a removed folder is no change")
	}
	s.round(again("sub/b.lua changed: running 1"), "b@cpu")
	s.change("config.toml")
	s.round(again("config.toml changed: running 3"), "a1@cpu", "a2@cpu", "b@cpu")
	s.change("kept/a.toml", "kept/other.toml", "lib/top.lua")
	s.round(again("kept/a.toml, kept/other.toml, lib/top.lua changed: running 3"), "a1@cpu", "a2@cpu", "b@cpu")
	delete(s.failed, "b@cpu")
	s.change("kept/a.toml", "kept/other.toml", "sub/b.lua", "lib/late.lua")
	s.round("\nkept/a.toml, kept/other.toml, lib/late.lua and 1 more changed: running 3 of 3 cases\n"+
		"watching; 3 cases, 0 not passed; ctrl-c ends\n", "a1@cpu", "a2@cpu", "b@cpu")
}

// TestOtherFiles ignores changes of files that the run does not depend on.
func TestOtherFiles(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.round("watching; 1 case, 0 not passed; ctrl-c ends\n", "a@cpu")
	s.put("b.lua")
	s.put("notes.txt")
	if s.loop.look(time.Time{}) {
		t.Errorf("the run depends on %v", s.loop.changed)
	}
	s.change("a.lua", "c.lua")
	s.round("\na.lua changed: running 1 of 1 case\nwatching; 1 case, 0 not passed; ctrl-c ends\n", "a@cpu")
}

// TestCasesComeAndGo runs new cases, and reports again when cases are removed.
func TestCasesComeAndGo(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.add("b@cpu", "b.lua")
	s.round("watching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu", "b@cpu")
	s.add("c@cpu", "c.lua")
	s.change("a.lua")
	s.round("\na.lua changed: running 2 of 3 cases\nwatching; 3 cases, 0 not passed; ctrl-c ends\n", "a@cpu", "c@cpu")
	s.cases = s.cases[:2]
	s.round("\nmany files changed: running 0 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", []string{}...)
}

// TestProblems continues after a plan or a run that failed, and keeps the changes until the next plan without an error.
func TestProblems(t *testing.T) {
	const correction = "watching for a correction; ctrl-c ends\n"
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.add("b@cpu", "b.lua")
	s.round("watching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu", "b@cpu")
	s.change("a.lua")
	s.planErr = errors.New("a mistake")
	s.round("roclua: a mistake\n" + correction)
	s.planErr = nil
	s.change("b.lua")
	s.round("\na.lua, b.lua changed: running 2 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu",
		"b@cpu")
	s.change("a.lua")
	s.runErr = exit.Silent(exit.Failed)
	s.round("\na.lua changed: running 1 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu")
	s.change("a.lua")
	s.runErr, s.noResult = errors.New("no device"), true
	s.round("\na.lua changed: running 1 of 2 cases\nroclua: no device\n"+correction, "a@cpu")
	s.runErr, s.noResult = nil, false
	s.change("b.lua") // a.lua did not run
	s.round("\nb.lua changed: running 2 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu", "b@cpu")
	s.change("a.lua")
	s.runErr = exit.With(exit.Interrupted, errors.New("interrupted"))
	s.loop.replan()
	if s.loop.rerun(t.Context()); s.loop.problem != s.runErr {
		t.Errorf("an interrupted run: %v", s.loop.problem)
	}
}

// TestQuiet writes errors only.
func TestQuiet(t *testing.T) {
	s := newSession(t, "config.toml")
	s.loop.Quiet = true
	s.add("a@cpu", "a.lua")
	s.round("", "a@cpu")
	s.change("a.lua")
	s.runErr = errors.New("no device")
	s.round("roclua: no device\n", "a@cpu")
}

// TestChangesDuringARun finds modules that changed during a run: one that was known, and one that the run read for the
// first time.
func TestChangesDuringARun(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.add("b@cpu", "b.lua").Definition.Declared.Required = []string{"known.lua"}
	for _, path := range []string{"a.lua", "b.lua", "lib/old.lua", "lib/m.lua", "known.lua"} {
		s.put(path)
	}
	s.required["a@cpu"] = []string{"lib/m.lua", "lib/missing.lua"}
	s.required["b@cpu"] = []string{"lib/old.lua"}
	later := func(path string) { noError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour))) }
	s.during = func() { later("lib/m.lua") }
	s.round("watching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu", "b@cpu")
	if !s.loop.pending || !s.loop.wait(t.Context()) {
		t.Fatal("the change was not found")
	}
	s.during = func() { later("known.lua") }
	s.round("\nlib/m.lua changed: running 1 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "a@cpu")
	if !s.loop.pending || !s.loop.wait(t.Context()) {
		t.Fatal("the change of a known module was not found")
	}
	s.round("\nknown.lua changed: running 1 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "b@cpu")
	if s.loop.pending {
		t.Error("the change was found twice")
	}
}

// TestPlanIsRepeated lists the cases again if a script changed while it was read.
func TestPlanIsRepeated(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.put("a.lua")
	s.round("watching; 1 case, 0 not passed; ctrl-c ends\n", "a@cpu")
	if s.plans != 1 {
		t.Errorf("the cases were listed %d times, want 1", s.plans)
	}
	s.add("b@cpu", "sub/b.lua")
	s.put("sub/b.lua")
	noError(t, os.Chtimes("sub/b.lua", time.Time{}, time.Now().Add(time.Hour)))
	s.plans = 0
	s.round("\nsub/b.lua changed: running 1 of 2 cases\nwatching; 2 cases, 0 not passed; ctrl-c ends\n", "b@cpu")
	if s.plans != 2 {
		t.Errorf("the cases were listed %d times, want 2", s.plans)
	}
}

// TestBursts waits until nothing changes between two looks, but not longer than a second.
func TestBursts(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.round("watching; 1 case, 0 not passed; ctrl-c ends\n", "a@cpu")
	began := time.Now()
	done := make(chan bool)
	go func() {
		defer close(done)
		for time.Since(began) < 10*longest && t.Context().Err() == nil {
			select {
			case done <- true:
				return
			case <-time.After(quiet / 4):
				os.WriteFile("a.lua", []byte(time.Now().String()), 0o600)
			}
		}
	}()
	if !s.loop.wait(t.Context()) || !<-done {
		t.Error("an endless burst was not found")
	}
}

// TestRun runs the cases, and again after a change on the disk, until the context is canceled.
func TestRun(t *testing.T) {
	s := newSession(t, "config.toml")
	write(t, "a.lua")
	s.add("a@cpu", "a.lua")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rounds := 0
	s.loop.Execute = func(cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result, error) {
		if rounds++; rounds == 1 {
			time.AfterFunc(10*time.Millisecond, func() { os.WriteFile("a.lua", []byte("new"), 0o600) })
		} else {
			cancel()
		}
		return s.execute(cases, kept)
	}
	if err := s.loop.Run(ctx); err != nil || rounds != 2 {
		t.Errorf("%v after %d rounds", err, rounds)
	}
	want := "watching; 1 case, 0 not passed; ctrl-c ends\n\na.lua changed: running 1 of 1 case\n"
	if s.stderr.String() != want {
		t.Errorf("said %q, want %q", s.stderr.String(), want)
	}
}

// TestFailedStart ends the loop when the first plan has an error, or when the run is interrupted.
func TestFailedStart(t *testing.T) {
	s := newSession(t, "config.toml")
	s.add("a@cpu", "a.lua")
	s.planErr = errors.New("a mistake")
	if err := s.loop.Run(t.Context()); err != s.planErr || s.ran != nil || s.stderr.String() != "" {
		t.Errorf("%v, ran %q, said %q", err, s.ran, s.stderr.String())
	}
	s.planErr, s.runErr = nil, exit.With(exit.Interrupted, errors.New("interrupted"))
	if err := s.loop.Run(t.Context()); err != s.runErr {
		t.Error(err)
	}
}

// TestArguments lists the files that arguments name.
func TestArguments(t *testing.T) {
	s := newSession(t)
	write(t, "scripts/a.lua")
	write(t, "solve/b.lua")
	for _, test := range []struct{ names, want []string }{
		{nil, []string{config.DefaultFile}}, {[]string{"c.toml"}, []string{"c.toml"}},
		{[]string{"a.lua", "b.lua"}, []string{"a.lua", "b.lua"}}, {[]string{"list.lua/one"}, []string{"list.lua"}},
		{[]string{"solve"}, []string{"solve", config.DefaultFile}}, {[]string{"query"}, []string{config.DefaultFile}},
		{[]string{"a.lua[n=1]@cpu/rocm-7.2/x.lua"}, []string{"a.lua[n=1]@cpu/rocm-7.2/x.lua"}},
		{[]string{"a[n=1]@cpu/rocm-7.2/gfx90a"}, []string{config.DefaultFile}},
		{[]string{"a[f=\"x.toml\"]@cpu/rocm-7.2/gfx90a"}, []string{config.DefaultFile}},
		{[]string{"scripts", "a.lua"}, []string{"scripts", config.DefaultFile, "a.lua"}},
	} {
		s.loop.Names = test.names
		if have := s.loop.arguments(); !slices.Equal(have, test.want) {
			t.Errorf("%q name %q, want %q", test.names, have, test.want)
		}
	}
}

// TestSources finds the files of a configuration, of its folders of scripts, and of cases and results.
func TestSources(t *testing.T) {
	s := newSession(t, "sub/c.toml", "single.lua")
	for _, path := range []string{"sub/scripts/deep/a.lua", "sub/scripts/_lib/m.lua", "sub/scripts/.git/x.lua",
		"sub/scripts/notes.txt", "single.lua", "elsewhere/m.lua"} {
		write(t, path)
	}
	noError(t, os.WriteFile("sub/c.toml", []byte("[[scenario]]\nscript = \"scripts\"\n"+
		"[[scenario]]\nscript = \"../other/list.lua/one\"\n"), 0o600))
	noError(t, os.Symlink("../elsewhere/m.lua", "sub/link.lua"))
	c := s.add("a@cpu", "sub/scripts/deep/a.lua")
	c.Baseline, c.Definition.Declared.Required = "missing/folder/a.toml", []string{"sub/link.lua"}
	s.loop.cases = s.cases
	r := &result.Result{Case: &c.Case, Record: &record.Record{Required: []string{"lib/late.lua"}}}
	s.loop.results = map[string]*result.Result{c.ID: r}
	s.loop.find()
	var want []string
	for _, path := range []string{"sub/c.toml", "single.lua", "other/list.lua", "sub/scripts/deep/a.lua",
		"missing/folder/a.toml", "sub/link.lua", "lib/late.lua"} {
		want = append(want, s.loop.path(path))
	}
	slices.Sort(want)
	if have := slices.Sorted(maps.Keys(s.loop.state())); !slices.Equal(have, want) {
		t.Errorf("the files are %q, want %q", have, want)
	}
	s.loop.look(time.Now())
	for _, change := range []struct {
		do   func()
		want string
	}{
		{func() { s.put("sub/scripts/new.lua") }, "sub/scripts/new.lua"},
		{func() { s.put("sub/scripts/more/new.lua") }, "sub/scripts/more/new.lua"},
		{func() { noError(t, os.Remove("sub/scripts/new.lua")) }, "sub/scripts/new.lua"},
		{func() { s.put("other/list.lua") }, "other/list.lua"},
		{func() { s.put("lib/late.lua") }, "lib/late.lua"},
		{func() { s.put("elsewhere/m.lua") }, "sub/link.lua"},
		{func() { noError(t, os.Rename("elsewhere/m.lua", "single.lua")) }, "single.lua"},
		{func() { s.put("sub/scripts/_lib/m.lua") }, ""},
		{func() { s.put("sub/scripts/new.txt") }, ""},
		{func() { noError(t, os.Chmod("single.lua", 0o700)) }, ""},
	} {
		clear(s.loop.changed)
		change.do()
		if found := s.loop.look(time.Time{}); found != (change.want != "") ||
			found && !s.loop.changed[s.loop.path(change.want)] {
			t.Errorf("changed %v, want %q", s.loop.changed, change.want)
		}
	}
}
