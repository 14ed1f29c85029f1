package luabind

import (
	"fmt"
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
)

// hostFuncs are the Lua functions that were passed to hip.launch_host_func. A script has one thread, so a function runs
// in the middle of a later call that waits for its stream.
type hostFuncs struct {
	s       *state
	next    int
	held    *lua.LTable    // functions that may still run and their data, so that their memory counts; nil before
	waiting map[int]string // where functions that have not run were queued; without captured ones
	running *hip.HostRun   // the function that runs; nil if none does
	failed  error          // of the first function that failed during the current call
	over    bool           // the script has ended: functions no longer run
}

// hostFuncError is an error in a function, with both places.
type hostFuncError struct {
	err error
	run hip.HostRun
}

func (e *hostFuncError) Error() string {
	return fmt.Sprintf("the function of %s failed: %s (it ran in %s)", e.run.Queued, e.err, e.run.Ran)
}

func (e *hostFuncError) Unwrap() error { return e.err }

func hipLaunchHostFunc(c *call, stream *hip.Stream, fn *lua.LFunction, data lua.LValue) error {
	return c.s.hostFuncs.launch(c, stream, fn, data)
}

// launch queues a function.
func (h *hostFuncs) launch(c *call, stream *hip.Stream, fn *lua.LFunction, data lua.LValue) error {
	if h.held == nil {
		h.held, h.waiting = c.l.NewTable(), map[int]string{}
		h.s.vm.Keep(h.held)
	}
	h.next++
	id, captured := h.next, capturedBy(stream) != 0
	h.hold(id, fn, data)
	if !captured {
		h.waiting[id] = h.s.where(c.l)
	}
	err := h.s.device(c.l).LaunchHostFunc(stream, func(run hip.HostRun) {
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

func (h *hostFuncs) hold(id int, fn, data lua.LValue) {
	h.held.RawSetInt(2*id-1, fn)
	h.held.RawSetInt(2*id, data)
}

func (h *hostFuncs) drop(id int) {
	h.hold(id, lua.LNil, lua.LNil)
	delete(h.waiting, id)
}

// run calls a function. The call that waits for it raises its error.
func (h *hostFuncs) run(fn *lua.LFunction, data lua.LValue, run hip.HostRun) {
	if h.over {
		return
	}
	h.running = &run
	defer func() { h.running = nil }()
	err := h.s.vm.Protect(h.s.vm.Current(), fn, 0, data)
	switch {
	case err == nil || h.failed != nil:
	case h.s.vm.Ended() != nil:
		h.failed = err
	default:
		h.failed = &hostFuncError{h.s.vm.ErrorOf(err), run}
	}
}

// forbidden returns the error of a call of a library that a function makes.
func (h *hostFuncs) forbidden() error {
	return driver.Faultf(driver.ErrorNotPermitted, "the function of %s cannot make calls of HIP and its libraries",
		h.running.Queued)
}

// takeError returns the error of the functions that ran in the current call.
func (h *hostFuncs) takeError() error {
	err := h.failed
	h.failed = nil
	return err
}

// end lets functions no longer run, and returns where those were queued that have not run.
func (h *hostFuncs) end() []string {
	h.over = true
	var list []string
	for _, id := range slices.Sorted(maps.Keys(h.waiting)) {
		list = append(list, h.waiting[id])
	}
	return list
}
