package cpu

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// TestFunctionsThatRun checks which functions a wait runs, and their order, which does not depend on timing.
func TestFunctionsThatRun(t *testing.T) {
	b := open(t, driver.Config{})
	d := b.dev
	one, two, three := b.stream(true), b.stream(true), b.stream(true)
	e, err := d.NewEvent()
	p := b.malloc(8)
	b.ok(err)
	var ran []string
	launch := func(s driver.Stream, name string) {
		b.ok(d.LaunchHostFunc(s, func(driver.Site) { ran = append(ran, name) }))
	}
	for name, test := range map[string]struct {
		wait func() error
		want []string
	}{
		"stream":       {one.Synchronize, []string{"a", "c"}},
		"other stream": {three.Synchronize, []string{"e"}},
		"event":        {two.Synchronize, []string{"a", "b", "c", "d"}}, // two waits for one
		"device":       {d.Synchronize, []string{"a", "b", "c", "d", "e"}},
		"malloc":       {func() error { p = b.malloc(8); return nil }, []string{"a", "b", "c", "d", "e"}},
		"null stream":  {d.null.Synchronize, nil},
	} {
		ran = nil
		launch(one, "a")
		launch(two, "b")
		launch(one, "c")
		b.ok(e.Record(one))
		b.ok(two.WaitEvent(e))
		launch(two, "d")
		launch(three, "e")
		b.ok(test.wait())
		if !slices.Equal(ran, test.want) {
			t.Errorf("%s: %q have run, want %q", name, ran, test.want)
		}
		b.ok(d.Synchronize())
	}
	// A query runs functions that are reached, until the stream is ready.
	for _, query := range []func() error{one.Query, e.Query} {
		ran = nil
		launch(one, "a")
		b.ok(d.Fill(one, p, 1, 8))
		launch(one, "b")
		b.ok(e.Record(one))
		launch(three, "c")
		for query() == driver.ErrorNotReady {
		}
		if !slices.Equal(ran, []string{"a", "b"}) {
			t.Errorf("%q have run", ran)
		}
		b.ok(d.Synchronize())
	}
	if b.rt.host.Functions() != 0 {
		t.Errorf("%d functions are left", b.rt.host.Functions())
	}
}

// TestElapsedTimeAfterFunction polls the time of an event after a function.
func TestElapsedTimeAfterFunction(t *testing.T) {
	b := open(t, driver.Config{})
	from, err1 := b.dev.NewEvent()
	to, err2 := b.dev.NewEvent()
	b.ok(err1)
	b.ok(err2)
	b.ok(from.Record(b.dev.null))
	b.ok(b.dev.LaunchHostFunc(b.dev.null, func(driver.Site) {}))
	b.ok(to.Record(b.dev.null))
	for {
		if _, err := to.Since(from); err != driver.ErrorNotReady {
			b.ok(err)
			return
		}
	}
}

// TestFullQueues queues more work behind functions than the queues have room for.
func TestFullQueues(t *testing.T) {
	b := open(t, driver.Config{})
	p, ran := b.malloc(8), 0
	one, two := b.stream(true), b.stream(true)
	e, err := b.dev.NewEvent()
	b.ok(err)
	for range 3 * order.QueueLength {
		b.ok(b.dev.LaunchHostFunc(one, func(driver.Site) { ran++ }))
		b.ok(e.Record(one))
		b.ok(two.WaitEvent(e))
		b.ok(b.dev.Fill(two, p, 1, 8))
	}
	if b.rt.host.Functions() > order.MaxBlocked {
		t.Errorf("%d functions wait", b.rt.host.Functions())
	}
	b.ok(two.Synchronize())
	if ran != 3*order.QueueLength {
		t.Errorf("%d functions have run", ran)
	}
}

// TestFunctionsAfterFaults does not run functions after a fault of the device.
func TestFunctionsAfterFaults(t *testing.T) {
	b := open(t, driver.Config{})
	st := b.stream(true).(*stream)
	st.Enqueue(driver.Site{}, func() error { return driver.ErrorIllegalAddress })
	b.ok(b.dev.LaunchHostFunc(st, func(driver.Site) { t.Error("it runs after a fault") }))
	b.code(st.Synchronize(), driver.ErrorIllegalAddress)
	b.code(b.dev.LaunchHostFunc(st, nil), driver.ErrorIllegalAddress)
}

// TestFunctionsDoNotOrderTheHost runs a function in a query of a stream that is not ready. The host has not waited for
// the work before the function.
func TestFunctionsDoNotOrderTheHost(t *testing.T) {
	b := open(t, driver.Config{})
	release := b.hold()
	p, q := b.malloc(64), b.malloc(64)
	one, two := b.stream(true), b.stream(true)
	ran := false
	b.ok(b.dev.Fill(one, p, 1, 64))
	b.ok(b.dev.LaunchHostFunc(one, func(driver.Site) { ran = true }))
	b.ok(b.dev.Execute(one, b.asum(q, 8)))
	for !ran {
		b.code(one.Query(), driver.ErrorNotReady)
	}
	b.ok(b.dev.Fill(two, p, 2, 64))
	if n := len(b.dev.Hazards()); n != 1 {
		t.Errorf("%d hazards, want 1", n)
	}
	release()
}

// TestFunctionsOfGraphs runs captured functions with the place of their capture and of the launch.
func TestFunctionsOfGraphs(t *testing.T) {
	b := open(t, driver.Config{})
	s := b.stream(true)
	var sites []string
	b.at = 1
	b.ok(b.dev.BeginCapture(s, driver.CaptureGlobal))
	b.ok(b.dev.LaunchHostFunc(s, func(at driver.Site) { sites = append(sites, at.String()) }))
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	if nodes, err := g.Nodes(); err != nil || len(nodes) != 1 || nodes[0].Type != driver.NodeHost {
		t.Errorf("nodes %v, %v", nodes, err)
	}
	exec, err := g.Instantiate()
	b.ok(err)
	b.at = 2
	b.ok(exec.Launch(s, nil))
	b.ok(s.Synchronize())
	if want := "[call at 1, launched at 2]"; fmt.Sprint(sites) != want {
		t.Errorf("sites %q, want %s", sites, want)
	}
}

// TestEndOfTheHost lets streams continue without functions when the runtime is closed or its device abandoned, and does
// not abandon it after a function that took the rest of the time.
func TestEndOfTheHost(t *testing.T) {
	b := open(t, driver.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	b.rt.SetContext(ctx)
	ran := 0
	b.ok(b.dev.LaunchHostFunc(b.dev.null, func(driver.Site) { ran++; cancel() }))
	b.ok(b.dev.LaunchHostFunc(b.dev.null, func(driver.Site) { ran++ }))
	b.code(b.dev.Synchronize(), driver.ErrorLaunchTimeOut)
	b.rt.SetContext(t.Context())
	b.ok(b.dev.Synchronize())
	if ran != 2 {
		t.Errorf("%d functions have run", ran)
	}
	b.ok(b.dev.LaunchHostFunc(b.dev.null, func(driver.Site) { t.Error("it runs after the end") }))
	b.ok(b.rt.Close())

	abandoned, err := Driver{}.Open(driver.Config{})
	b.ok(err)
	b.rt = abandoned.(*runtime)
	b.dev = b.rt.devices[0]
	never := make(chan struct{})
	b.dev.null.Enqueue(driver.Site{}, func() error { <-never; return nil })
	b.ok(b.dev.LaunchHostFunc(b.dev.null, func(driver.Site) { t.Error("it runs on an abandoned device") }))
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	b.rt.SetContext(ctx)
	b.code(b.dev.Synchronize(), driver.ErrorLaunchTimeOut)
	if !b.rt.host.Abandoned() || b.rt.host.Functions() != 0 {
		t.Error("the device is not abandoned")
	}
	close(never)
	b.code(b.rt.Close(), driver.ErrorLaunchTimeOut)
}
