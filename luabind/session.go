package luabind

import (
	"context"

	"roclua/luabind/record"

	lua "github.com/yuin/gopher-lua"
)

// A Session runs one entry after the other in one state, as at a prompt. It belongs to one goroutine.
type Session struct{ s *state }

// NewSession makes a session in which the modules are global variables.
func NewSession(seed uint64, o Options) *Session {
	s := newState(context.Background(), seed, o)
	for _, name := range s.lib.Preloaded() {
		s.vm.State().SetGlobal(name, s.lib.Module(name))
	}
	return &Session{s}
}

// OpenHandle opens a handle under a scheme as the global variable handle. The session closes it.
func (ss *Session) OpenHandle(scheme string) error {
	s := ss.s
	return s.vm.Call(s.vm.Function("opening the handle", func(l *lua.LState) int {
		s.vm.State().SetGlobal("handle", s.handles.openUnder(l, scheme, 0))
		return 0
	}))
}

// Eval runs an entry and returns its values as text for people. The session can be used further after any error, also
// after ctx has ended.
func (ss *Session) Eval(ctx context.Context, entry *Script) ([]string, error) {
	ss.revive()
	defer ss.s.vm.Interrupt(ctx)()
	values, err := ss.s.vm.Run(entry.Script, lua.MultRet)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, presenter{ss.s}.text(v))
	}
	return texts, ss.s.vm.Ended()
}

// revive lets scripts run again after an entry that was stopped.
func (ss *Session) revive() {
	if ss.s.vm.Context().Err() != nil {
		ss.s.vm.Revive()
		ss.s.bindRuntime()
	}
}

// Holders lists what holds device memory for the script.
func (ss *Session) Holders() []Holder { return ss.s.handles.holders() }

// Close closes what the entries left open and reports it in a record. The runtime stays open.
func (ss *Session) Close() *record.Record {
	record := &record.Record{}
	ss.revive()
	endHostFuncs(record, &ss.s.hostFuncs)
	ss.s.handles.close(record)
	inspect(record, ss.s.opts.Runtime)
	ss.s.close()
	return record
}
