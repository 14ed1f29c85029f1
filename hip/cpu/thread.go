package cpu

import (
	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// thread is a thread of the host.
type thread struct {
	*order.Thread
	rt      *runtime
	capture capture.Thread
	node    *driver.Site // the captured call that a launch of the thread makes again; nil for none
}

// Thread implements driver.Threader.
func (rt *runtime) Thread() driver.Thread { return rt.thread }

// NewThread implements driver.Threader.
func (rt *runtime) NewThread(pause func(wait func())) driver.Thread {
	if pause == nil {
		return &thread{rt: rt, Thread: rt.host.Thread}
	}
	return &thread{rt: rt, Thread: rt.host.NewThread(pause)}
}

// Enter implements driver.Thread.
func (t *thread) Enter() {
	t.rt.thread, t.rt.captures.Thread = t, &t.capture
	t.rt.host.Use(t.Thread)
}

// RunHostFuncs implements driver.Thread.
func (t *thread) RunHostFuncs() error { return t.rt.host.RunFunctions() }

// Moment implements driver.Thread.
func (t *thread) Moment() driver.Moment { return t.rt.host.Moment() }

// Follows implements driver.Thread.
func (t *thread) Follows(m driver.Moment) bool { return t.rt.host.Follows(m) }

// Close implements driver.Thread.
func (t *thread) Close() {
	for _, d := range t.rt.devices {
		if s := d.perThread[t]; s != nil {
			s.branch.Leave()
			s.Close()
			delete(d.perThread, t)
		}
	}
	t.capture.Ended = true
	t.rt.host.End(t.Thread)
}
