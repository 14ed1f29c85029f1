package vm

import (
	"context"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// Context returns the context that scripts run under. It ends when the run ends.
func (m *Machine) Context() context.Context { return m.ctx }

// Stop ends the run with an error. Every further instruction of the script fails; no pcall catches this.
// If the run has been stopped before, its first error remains.
func (m *Machine) Stop(err error) {
	if m.stopped == nil {
		m.stopped = err
	}
	m.cancel(err)
	m.meter.expire()
}

// Ended returns why the run ended: the error given to Stop, a limit, or the cause of the context's end.
// It returns nil while scripts can run.
func (m *Machine) Ended() error {
	if m.stopped != nil {
		return m.stopped
	}
	return m.contextCause()
}

// contextCause returns why the context ended, or nil.
func (m *Machine) contextCause() error {
	if m.ctx.Err() == nil {
		return nil
	}
	return context.Cause(m.ctx)
}

// Grace lets scripts run again after the run ended, for cleanup. It raises each limit to the used amount plus extra;
// the limit of the heap grows by half. The limit of time starts again with extra.Timeout.
func (m *Machine) Grace(extra Limits) {
	m.stopped = nil
	m.meter.widen(extra)
	m.limitTime(context.Background(), extra.Timeout)
}

// Revive lets scripts run again if the run ended, without a time limit. Other limits do not change.
func (m *Machine) Revive() {
	if m.ctx.Err() != nil {
		m.stopped = nil
		m.setContext(context.Background())
	}
}

// Interrupt makes the end of ctx end the run, until release is called. A program with a prompt calls it for each entry:
// coroutines keep the context that they were made under, so that all entries share the machine's own.
func (m *Machine) Interrupt(ctx context.Context) (release func()) {
	cancel, done := m.cancel, make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		cancel(context.Cause(ctx))
		close(done)
	})
	return func() {
		if !stop() {
			<-done // otherwise the next entry might be canceled
		}
	}
}

// limitTime makes scripts run under ctx, at most for limit. 0 means no limit.
func (m *Machine) limitTime(ctx context.Context, limit time.Duration) {
	limited, release := WithTimeout(ctx, limit)
	m.release = append(m.release, release)
	m.setContext(limited)
}

func (m *Machine) setContext(ctx context.Context) {
	m.ctx, m.cancel = context.WithCancelCause(ctx)
	m.meter.ctx, m.meter.done = m.ctx, m.ctx.Done()
	context.AfterFunc(m.ctx, m.meter.expire)
	if m.ctx.Err() != nil {
		m.meter.expire() // AfterFunc does it in another goroutine
	}
	m.adopt(m.lua)
}

// raiseEnd raises why the run ended, if it did. Go functions call it, because only the interpreter checks by itself.
func (m *Machine) raiseEnd(l *lua.LState) {
	if err := m.Ended(); err != nil {
		l.RaiseError("%s", err.Error())
	}
}
