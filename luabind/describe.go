package luabind

import (
	"context"
	"io"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/record"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// loaded is the result of the top level of a file.
type loaded struct {
	table *lua.LTable // nil if it returned another value
	other lua.LValue  // its value
	err   error
}

// Describe runs the top level of the file without a device and returns the scenarios that it declares: one, or a list.
// A file is a plain script, which is one scenario, if its top level uses a device or returns no table. Describe ignores
// the runtime, the profile and the output of the options. With an error it returns one scenario that has only the
// required files.
func (sc *Script) Describe(ctx context.Context, o Options) ([]*record.Scenario, error) {
	s := newState(ctx, 0, Options{Output: io.Discard, Profile: workspace.Profiles()[0], LibraryPaths: o.LibraryPaths,
		Sandbox: o.Sandbox, Limits: o.Limits, Args: o.Args, Env: o.Env, Virtual: o.Virtual})
	defer s.close()
	return s.described(sc.declared(s, s.load(sc)))
}

// described completes the scenarios of a file. With an error there is one, which has only the required files.
func (s *state) described(list []*record.Scenario, err error) ([]*record.Scenario, error) {
	if err != nil {
		list = []*record.Scenario{{}}
	}
	for _, scenario := range list {
		scenario.Required = s.Lib.RequiredFiles()
	}
	return list, err
}

// declared returns the scenarios that the top level of the file declared in a state without a device.
func (sc *Script) declared(s *state, top loaded) ([]*record.Scenario, error) {
	switch {
	case s.DeviceUsed:
		return []*record.Scenario{{Plain: true}}, nil
	case top.err != nil:
		return nil, top.err
	case top.table == nil && top.other == lua.LNil:
		return []*record.Scenario{{Plain: true}}, nil
	case top.table == nil:
		return []*record.Scenario{{Plain: true, Returned: vm.Describe(top.other)}}, nil
	}
	declarations, err := sc.declarations(top.table)
	var list []*record.Scenario
	for _, d := range declarations {
		list = append(list, d.Scenario)
	}
	return list, err
}

// load runs the top level of a file.
func (s *state) load(sc *Script) loaded {
	results, err := s.VM.Run(sc.Script, 1)
	if err != nil {
		return loaded{err: err}
	}
	table, _ := results[0].(*lua.LTable)
	if table != nil {
		s.VM.Keep(table)
	}
	return loaded{table: table, other: results[0]}
}
