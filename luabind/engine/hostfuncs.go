package engine

import (
	"fmt"
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
)

// HostFuncs are the Lua functions passed to hip.launch_host_func. A script has one thread, so such a function runs
// during a later call that waits for its stream.
type HostFuncs struct {
	e       *Engine
	next    int
	held    *lua.LTable    // functions that may still run, with their data, so that their memory counts; nil before
	waiting map[int]string // the lines that queued functions which have not run; without captured ones
	running *hip.HostRun   // the function that runs; nil if none does
	failed  error          // of the first function that failed during the current call
	over    bool           // the script has ended: functions no longer run
}

// NewHostFuncs returns the functions of an engine whose scripts have queued none.
func NewHostFuncs(e *Engine) *HostFuncs { return &HostFuncs{e: e} }

// hostFuncError is an error in a function, with the lines that queued it and that ran it.
type hostFuncError struct {
	err error
	run hip.HostRun
}

func (e *hostFuncError) Error() string {
	return fmt.Sprintf("the function of %s failed: %s (it ran in %s)", e.run.Queued, e.err, e.run.Ran)
}

func (e *hostFuncError) Unwrap() error { return e.err }

// Launch queues a function.
func (h *HostFuncs) Launch(c *Call, stream *hip.Stream, fn *lua.LFunction, data lua.LValue) error {
	if h.held == nil {
		h.held, h.waiting = c.L.NewTable(), map[int]string{}
		h.e.VM.Keep(h.held)
	}
	h.next++
	id, captured := h.next, stream.Captured() != 0
	h.hold(id, fn, data)
	if !captured {
		h.waiting[id] = h.e.Where(c.L)
	}
	err := h.e.Device().LaunchHostFunc(stream, func(run hip.HostRun) {
		if !captured {
			h.drop(id)
		}
		h.run(fn, data, run)
	})
	if err != nil {
		h.drop(id)
	}
	return err
}

func (h *HostFuncs) hold(id int, fn, data lua.LValue) {
	h.held.RawSetInt(2*id-1, fn)
	h.held.RawSetInt(2*id, data)
}

func (h *HostFuncs) drop(id int) {
	h.hold(id, lua.LNil, lua.LNil)
	delete(h.waiting, id)
}

// run calls a function. Its error is raised by the call that waits for it.
func (h *HostFuncs) run(fn *lua.LFunction, data lua.LValue, run hip.HostRun) {
	if h.over {
		return
	}
	h.running = &run
	defer func() { h.running = nil }()
	var err error
	h.e.Outside(func() { err = h.e.VM.Protect(h.e.VM.Current(), fn, 0, data) })
	switch {
	case err == nil || h.failed != nil:
	case h.e.VM.Ended() != nil:
		h.failed = err
	default:
		h.failed = &hostFuncError{h.e.VM.ErrorOf(err), run}
	}
}

// forbidden returns the error of a function that calls HIP or a library.
func (h *HostFuncs) forbidden() error {
	return driver.Faultf(driver.ErrorNotPermitted, "the function of %s cannot call HIP or its libraries",
		h.running.Queued)
}

// Used reports whether the script has queued functions.
func (h *HostFuncs) Used() bool { return h.held != nil }

// TakeError returns the error of the functions that ran in the current call.
func (h *HostFuncs) TakeError() error {
	err := h.failed
	h.failed = nil
	return err
}

// End prevents functions from running, and returns the lines that queued functions which have not run.
func (h *HostFuncs) End() []string {
	h.over = true
	var list []string
	for _, id := range slices.Sorted(maps.Keys(h.waiting)) {
		list = append(list, h.waiting[id])
	}
	return list
}
