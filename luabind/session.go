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
	for _, name := range s.vm.Preloaded() {
		s.vm.State().SetGlobal(name, s.vm.Module(name))
	}
	return &Session{s}
}

// OpenHandle opens a handle under a scheme as the global variable handle. The session closes it.
func (ss *Session) OpenHandle(scheme string) error {
	s := ss.s
	return s.vm.Call(s.vm.Function("opening the handle", func(l *lua.LState) int {
		s.vm.State().SetGlobal("handle", s.openHandle(l, scheme, 0))
		return 0
	}))
}

// Eval runs an entry and returns its values as text for people. Whatever ended the entry, also the end of the context, the
// session goes on.
func (ss *Session) Eval(ctx context.Context, entry *Script) ([]string, error) {
	s := ss.s
	s.revive()
	defer s.vm.Interrupt(ctx)()
	values, err := s.vm.Run(entry.Script, lua.MultRet)
	if err != nil {
		return nil, err
	}
	var shown []string
	for _, v := range values {
		shown = append(shown, s.present(v))
	}
	return shown, s.vm.Ended()
}

// revive lets the session continue after an entry that was stopped.
func (s *State) revive() {
	if s.vm.Context().Err() != nil {
		s.vm.Revive()
		s.bindContext()
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
	for _, box := range ss.s.allocations {
		if !box.Released() {
			list = append(list, Holder{"allocation of " + workspace.FormatBytes(box.Bytes()), box.made})
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
