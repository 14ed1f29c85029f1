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
	other lua.LValue  // what it returned
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
	table, other, err := s.load(sc)
	list, err := sc.declared(s, loaded{table, other, err})
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
	table, other, err := top.table, top.other, top.err
	switch {
	case s.DeviceUsed:
		return []*record.Scenario{{Plain: true}}, nil
	case err != nil:
		return nil, err
	case table == nil && other == lua.LNil:
		return []*record.Scenario{{Plain: true}}, nil
	case table == nil:
		return []*record.Scenario{{Plain: true, Returned: vm.Describe(other)}}, nil
	}
	declarations, err := sc.declarations(table)
	var list []*record.Scenario
	for _, d := range declarations {
		list = append(list, d.Scenario)
	}
	return list, err
}

// load runs the top level of a file and returns its result, as a table or as another value.
func (s *state) load(sc *Script) (table *lua.LTable, other lua.LValue, err error) {
	results, err := s.VM.Run(sc.Script, 1)
	if err != nil {
		return nil, nil, err
	}
	table, _ = results[0].(*lua.LTable)
	if table != nil {
		s.VM.Keep(table)
	}
	return table, results[0], nil
}
