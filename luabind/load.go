package luabind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/load"
	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/luabind/vm/script"
)

// runWorkload runs the function setup, and then the clients of a workload.
func (t *test) runWorkload(d declaration) error {
	declared, err := d.resolve(t.script, t.c.Params)
	if err != nil {
		return err
	}
	if err := cmp.Or(t.fits(&declared.Workload, d.where), t.checkAbort(&declared.Workload, d.where)); err != nil {
		return err
	}
	w := &loading{t: t, plan: &declared.Workload, shared: lua.LNil, budget: &vm.Budget{},
		output: &switchedWriter{out: t.s.Output}}
	if fn, ok := d.table.RawGetString("setup").(*lua.LFunction); ok {
		if w.shared, err = t.s.VM.CallFor(fn, t.object); err != nil {
			return err
		}
		t.s.VM.Keep(w.shared)
	}
	if w.guards, err = guardsOf(t.s.Engine, w.plan.Shared, w.shared); err == nil {
		check := sharing{to: t.s.Engine, guards: w.guards}
		_, err = check.copy("the result of setup", w.shared, 0)
	}
	if err != nil {
		return t.script.failure(d.where, "%s", err)
	}
	return w.run()
}

// fits returns an error if a load lasts longer than the case may.
func (t *test) fits(w *record.Workload, where string) error {
	limit := t.s.opts.Limits.Timeout
	if limit == 0 || w.Length() < limit || t.s.NeedRuntime().Clock() != nil {
		return nil
	}
	return t.script.failure(where, "workload: the load lasts %v, and limits.timeout ends the case after %v; "+
		"raise it, for example by --timeout %v", w.Length(), limit, w.Length()+w.Grace+forSetup)
}

// forSetup is the time that a message allows for setup and teardown.
const forSetup = 10 * time.Second

// run runs the clients and records their load.
func (w *loading) run() error {
	t, rt := w.t, w.t.s.NeedRuntime()
	w.environment = maps.Clone(t.s.Env)
	t.s.VM.Join(w.budget)
	if err := rt.Share(); err != nil {
		return err
	}
	out := load.Run(t.s.VM.Context(), w.plan, load.Options{
		Seed:   t.c.Seed,
		Clock:  clockOf(rt),
		Open:   w.open,
		Began:  w.begin,
		Sample: w.sample,
		Second: w.second,
		EndsAll: func(err error) bool {
			end := EndOf(err)
			return end.Kind != record.EndScript && end.Kind != record.EndOther && end.Kind != record.EndInvalid
		},
	})
	rt.Unshare()
	out.Load.Clients, out.Simulated = w.plan.MostClients(), rt.Platform() == "cpu"
	out.Model = rt.Clock() != nil
	out.Handles = w.holdings(rt)
	t.record.Load = out.Load
	w.addProblems(out)
	for _, m := range out.Load.Metrics() {
		if err := t.storeMetric(nil, byWorkload, m); err != nil {
			return err
		}
	}
	return out.Fatal
}

// clockOf returns the clock of a runtime as an interface, which is nil for the time of the machine.
func clockOf(rt *hip.Runtime) load.Clock {
	if clock := rt.Clock(); clock != nil {
		return clock
	}
	return nil
}

// begin notes the beginning of the load.
func (w *loading) begin() {
	rt := w.t.s.Runtime
	w.t.s.During(func() {
		w.began = rt.Elapsed()
		w.seen.Growths, w.seen.Waits = rt.Recorder().LibraryCounts()
	})
}

// sample returns the memory in use, and the growths and waits since the last sample.
func (w *loading) sample() (s load.Sample) {
	rt := w.t.s.Runtime
	w.t.s.During(func() {
		growths, waits := rt.Recorder().LibraryCounts()
		s = load.Sample{Held: rt.HeldBytes(), Growths: growths - w.seen.Growths, Waits: waits - w.seen.Waits}
		w.seen.Growths, w.seen.Waits = growths, waits
	})
	return s
}

// second is called after each second of the load.
func (w *loading) second(i record.Interval, so *load.Recorder) (stop string) {
	if progress := w.t.s.opts.Second; progress != nil {
		progress(i)
	}
	if len(w.plan.Abort) == 0 {
		return ""
	}
	for _, m := range so.So().Metrics() {
		for _, h := range w.t.s.opts.Thresholds {
			if h.Metric == m.Name && slices.Contains(w.plan.Abort, m.Name) && !h.Holds(m.Value) {
				return fmt.Sprintf("abort_on_fail: %s is %v after %.0f s, want %s", m.Name, m.Value, i.End, h.Is)
			}
		}
	}
	return ""
}

// checkAbort returns an error if a metric that can end the load has no expectation.
func (t *test) checkAbort(w *record.Workload, where string) error {
	for _, name := range w.Abort {
		if !slices.ContainsFunc(t.s.opts.Thresholds, func(h Threshold) bool { return h.Metric == name }) {
			return t.script.failure(where, "workload: abort_on_fail: there is no expectation on %.200q; write "+
				"expect = { [%[1]q] = \"< 5ms\" }", name)
		}
	}
	return nil
}

// holdingsKept is how many changes of the memory of handles a load keeps.
const holdingsKept = 1000

// holdings returns how the memory of handles changed during the load. Memory from before is at 0.
func (w *loading) holdings(rt *hip.Runtime) []record.Holding {
	var list []record.Holding
	before := map[int]int{} // index in the list, by handle
	for _, m := range rt.Recorder().Marks() {
		if m.Text != "" {
			continue
		}
		h := record.Holding{Handle: m.Handle, Seconds: max(0, m.Seconds-w.began.Seconds()), Bytes: m.Bytes}
		if i, ok := before[m.Handle]; ok && h.Seconds == 0 {
			list[i] = h
			continue
		}
		before[m.Handle] = len(list)
		list = append(list, h)
	}
	return list[:min(len(list), holdingsKept)]
}

// addProblems adds the problems that fail the case.
func (w *loading) addProblems(out *load.Outcome) {
	r := w.t.record
	for _, c := range out.Clients {
		r.Problems = append(r.Problems, fmt.Sprintf("client %d failed: %s", c.Client, c.Err))
	}
	if more := out.Failing - len(out.Clients); more > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf("%d more clients failed", more))
	}
	var failed []string
	for _, status := range slices.Sorted(maps.Keys(out.Errors)) {
		if !slices.Contains(w.plan.Tolerate, status) {
			failed = append(failed, fmt.Sprintf("%d with %s", out.Errors[status], status))
		}
	}
	if failed != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("%d of %d events failed: %s; the first one: %s", out.Failed(),
			out.Failed()+out.Load.Events, strings.Join(failed, ", "), out.First))
	}
	if out.Load.Dropped > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf("overload: %d of %d events were dropped, because %d others waited "+
			"for a client or the load ended", out.Load.Dropped, out.Load.Arrivals, w.plan.Queue))
	}
	if strings.HasPrefix(out.Stopped, "abort_on_fail") {
		r.Problems = append(r.Problems, out.Stopped)
	}
	for _, g := range w.guards {
		if first, all := g.Unordered(); all > 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("clients used a handle without order %d times, which the "+
				"libraries forbid: %s; a client must wait for work that the other one queued after its call", all,
				strings.Join(first, "; ")))
		}
	}
	if out.Load.Events+out.Failed() == 0 && out.Fatal == nil && len(r.Problems) == 0 {
		r.Problems = append(r.Problems, "the load had no event, so it tested nothing")
	}
	if errors.Is(out.Fatal, context.Canceled) {
		out.Fatal = context.Canceled
	}
}

// A Script is a compiled Lua file. It can be run any number of times, also concurrently.
type Script struct{ *script.Script }

// Compile compiles a Lua file: see [script.Compile].
func Compile(name string, source []byte) (*Script, error) {
	compiled, err := wrapScript(script.Compile(name, source))
	if err != nil {
		return nil, &InvalidError{err}
	}
	return compiled, nil
}

// CompileEntry compiles text that was typed at a prompt: see [script.CompileEntry].
func CompileEntry(name string, line int, text string) (*Script, error) {
	return wrapScript(script.CompileEntry(name, line, text))
}

func wrapScript(script *script.Script, err error) (*Script, error) {
	if err != nil {
		return nil, err
	}
	return &Script{script}, nil
}

// failure returns an error in the declarations of a file.
func (sc *Script) failure(where, format string, args ...any) error {
	return &InvalidError{&Error{File: sc.Name, Message: where + ": " + fmt.Sprintf(format, args...)}}
}
