package luabind

import (
	"context"
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/load"
	"roclua/luabind/record"
	"roclua/workspace"
)

// open makes a client and calls the function client. Its goroutine calls it.
func (w *loading) open(id int) (load.Client, error) {
	thread := w.t.s.Runtime.NewThread()
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &client{of: w, id: id + 1, thread: thread, cancel: cancel}
	t := &test{script: w.t.script, c: w.t.c, scope: scope{record: &record.Record{}}, bytes: lua.LNil, client: c}
	c.test = t
	t.c.Seed = seedOf(w.t.c.Seed, id)
	o := w.t.s.opts
	o.Env, o.Output, o.Seen, o.Over, o.LuaProfile = w.environment, w.output, nil, nil, false
	thread.Enter()
	t.s = newState(ctx, t.c.Seed, o)
	thread.Leave()
	t.s.client = true
	t.s.VM.Join(w.budget)
	t.object = t.s.VM.Object(clientType, t)
	c.args = []lua.LValue{t.object}
	if err := c.begin(); err != nil {
		c.leave = nil
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// seedOf returns the seed of a client.
func seedOf(seed uint64, id int) uint64 {
	x := seed + (uint64(id)+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	return (x ^ x>>27) >> 11
}

// begin loads the file, whose functions belong to the machine of the client, and calls the function client.
func (c *client) begin() error {
	top := c.s.load(c.script)
	if top.err != nil {
		return top.err
	}
	declared, err := c.script.declaration(top.table, c.c.Scenario)
	if err != nil {
		return err
	}
	c.events, c.leave = declared.workload.events, declared.workload.leave
	c.setBytes(declared)
	sharing := sharing{to: c.s.Engine, guards: c.of.guards}
	if c.shared, err = sharing.copy("the result of setup", c.of.shared, 0); err != nil {
		return err
	}
	c.s.VM.Keep(c.shared)
	if declared.workload.client == nil {
		return nil
	}
	return c.s.VM.Call(declared.workload.client, c.object)
}

// Event implements load.Client.
func (c *client) Event(kind int) error {
	err := c.s.VM.Call(c.events[kind], c.args...)
	if c.s.HostFuncs.Used() {
		c.s.During(func() { err = errors.Join(err, c.thread.RunHostFuncs()) })
		if failed := c.s.HostFuncs.TakeError(); err == nil {
			err = failed
		}
	}
	if err == nil || c.s.VM.Ended() != nil {
		return err
	}
	if status := statusOf(err); status != "" {
		return &load.Failed{Status: status, Err: err}
	}
	return err
}

// statusOf returns the status behind an error of a script: "memory_error", "hipErrorOutOfMemory"; "" for none.
func statusOf(err error) string {
	var detail *workspace.Error
	var code driver.Error
	switch {
	case errors.As(err, &detail):
		return detail.Status.Short()
	case errors.As(err, &code):
		return code.Error()
	}
	return ""
}

// Cancel implements load.Client.
func (c *client) Cancel(cause error) { c.cancel(cause) }

// Close implements load.Client: it calls leave and the deferred functions, and closes the client's objects.
func (c *client) Close() error {
	c.s.allowTeardown()
	var err error
	if c.leave != nil {
		err = c.s.VM.Call(c.leave, c.object)
	}
	c.callDeferred()
	if err == nil {
		err = c.s.HostFuncs.TakeError()
	}
	c.record.AddFailures("a deferred function failed", c.failed)
	c.s.During(func() {
		endHostFuncs(c.record, c.s.HostFuncs)
		c.s.library.Close(c.record)
		if c.stream != nil && !c.stream.Destroyed() {
			addProblem(c.record, "destroying the stream of a client failed", c.stream.Destroy())
		}
	})
	c.s.close()
	c.cancel(nil)
	c.thread.Close()
	c.of.closed(c)
	return err
}

// closed adds the record of a client that is closed.
func (w *loading) closed(c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.t.record
	r.Checks = append(r.Checks, c.record.Checks...)
	r.Problems = append(r.Problems, c.record.Problems...)
	r.Defects.Add(c.record.Defects...)
	if more := c.failing - checksKept; more > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf("client %d: %d more checks failed", c.id, more))
	}
	w.t.s.StatusCounts.Add(c.s.StatusCounts)
}
