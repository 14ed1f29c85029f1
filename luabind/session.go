package luabind

import (
	"context"

	lua "github.com/yuin/gopher-lua"

	"roclua/workspace"
)

// Session is a state that is given one entry after the other, as at a prompt. It belongs to one goroutine.
type Session struct{ s *State }

// NewSession makes a session in which the modules are global variables.
func NewSession(seed uint64, o Options) *Session {
	s := newState(context.Background(), seed, o)
	for _, name := range builtins {
		s.loaded[name] = s.builtin(name)
		s.lua.SetGlobal(name, s.loaded[name])
	}
	return &Session{s}
}

// OpenHandle opens a handle under a scheme as the global variable handle. The session closes it.
func (ss *Session) OpenHandle(scheme string) error {
	s := ss.s
	return s.callFunction(s.function("opening the handle", func(l *lua.LState) int {
		s.lua.SetGlobal("handle", s.openHandle(l, scheme, 0))
		return 0
	}))
}

// Eval runs an entry and returns its values as text for people. Whatever ended the entry, also the end of the context, the
// session goes on.
func (ss *Session) Eval(ctx context.Context, entry *Script) ([]string, error) {
	s := ss.s
	s.revive()
	defer s.until(ctx)()
	base := s.lua.GetTop()
	defer s.lua.SetTop(base)
	s.lua.Push(s.lua.NewFunctionFromProto(entry.proto))
	if err := s.fromLua(s.lua.PCall(0, lua.MultRet, nil)); err != nil {
		return nil, err
	}
	var shown []string
	for i := base + 1; i <= s.lua.GetTop(); i++ {
		shown = append(shown, s.present(s.lua.Get(i)))
	}
	return shown, s.contextCause()
}

// revive gives the state a new context when its own has ended. One context serves many entries, for coroutines keep the one
// that they were made under.
func (s *State) revive() {
	if s.ctx.Err() != nil {
		s.stopped = nil
		s.setContext(context.Background())
	}
}

// until stops the script when a context ends, until release is called.
func (s *State) until(ctx context.Context) (release func()) {
	cancel, done := s.cancel, make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		cancel(context.Cause(ctx))
		close(done)
	})
	return func() {
		if !stop() {
			<-done // or it might stop the next entry
		}
	}
}

// Holder is an open handle or a loan that was not released.
type Holder struct {
	Text string // "rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))"
	Made string // where the script made it; "" when the session did
}

// Holders lists what holds memory for the script, in the order of its making.
func (ss *Session) Holders() []Holder {
	var list []Holder
	for _, o := range ss.s.opened {
		if !o.Destroyed() {
			list = append(list, Holder{Text: o.String()})
		}
	}
	for _, box := range ss.s.handles {
		if box.destroyed == "" {
			list = append(list, Holder{box.handle.String(), box.made})
		}
	}
	for _, box := range ss.s.loans {
		if !box.loan.Released() {
			list = append(list, Holder{"loan of " + workspace.FormatBytes(box.loan.Bytes()), box.made})
		}
	}
	return list
}

// Close closes what the entries left open and tells of it in a record. The runtime stays open.
func (ss *Session) Close() *Record {
	record := &Record{}
	ss.s.revive()
	ss.s.closeHandles(record)
	ss.s.inspect(record)
	ss.s.close()
	return record
}
