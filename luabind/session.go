package luabind

import (
	"context"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/library"
	"roclua/luabind/record"
)

// A Session runs entries one after the other, as at a prompt. It belongs to one goroutine.
type Session struct{ s *state }

// NewSession makes a session with the modules as global variables.
func NewSession(seed uint64, o Options) *Session {
	s := newState(context.Background(), seed, o)
	for _, name := range s.Lib.Preloaded() {
		s.VM.State().SetGlobal(name, s.Lib.Module(name))
	}
	return &Session{s}
}

// OpenHandle opens a handle under a scheme as the global variable handle. The session closes it.
func (ss *Session) OpenHandle(scheme string) error {
	s := ss.s
	return s.VM.Call(s.VM.Function("opening the handle", func(l *lua.LState) int {
		s.VM.State().SetGlobal("handle", s.library.OpenUnder(l, scheme, 0))
		return 0
	}))
}

// Eval runs an entry and returns its values as text for people. The session remains usable after any error, even if ctx
// has ended.
func (ss *Session) Eval(ctx context.Context, entry *Script) ([]string, error) {
	ss.revive()
	defer ss.s.VM.Interrupt(ctx)()
	values, err := ss.s.VM.Run(entry.Script, lua.MultRet)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, presenter{ss.s}.text(v, 0))
	}
	return texts, ss.s.VM.Ended()
}

// revive lets scripts run again after an entry that was stopped.
func (ss *Session) revive() {
	if ss.s.VM.Context().Err() != nil {
		ss.s.VM.Revive()
		ss.s.BindRuntime()
	}
}

// Holders lists the handles and allocations that hold device memory for the script.
func (ss *Session) Holders() []library.Holder { return ss.s.library.Holders() }

// Close closes the objects that the entries left open and reports them in a record. The runtime stays open.
func (ss *Session) Close() *record.Record {
	record := &record.Record{}
	ss.revive()
	endHostFuncs(record, ss.s.HostFuncs)
	ss.s.library.Close(record)
	inspect(record, ss.s.Runtime)
	ss.s.close()
	return record
}
