package library

import (
	"maps"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// State is what the modules of the libraries keep for the scripts of an engine.
type State struct {
	e            *engine.Engine
	created      []*handleBox // by the script, in order
	allocations  []*allocationBox
	opened       []*workspace.Opened  // under a scheme; the case closes them
	defaultBytes uint64               // first memory of the next handle, as the script set it; 0 for the default
	library      *workspace.Libraries // nil before a function of it is called
	args         routine.Args         // of the current call of a routine
	namedValues  []lua.LValue         // of the named arguments of that call; reused
}

// NewState returns the state of an engine whose scripts have made no handles.
func NewState(e *engine.Engine) *State { return &State{e: e} }

func of(c *engine.Call) *State { return engine.Part[*State](c.Engine) }

// config returns the configuration of new handles.
func (ls *State) config() workspace.Config {
	return workspace.Config{Profile: ls.e.Profile, Environment: maps.Clone(ls.e.VM.Env()),
		DefaultBytes: &ls.defaultBytes}
}

// functions returns the functions of the libraries that belong to no handle.
func (ls *State) functions() *workspace.Libraries {
	if ls.library == nil {
		ls.library = workspace.NewLibraries(ls.e.Device(), ls.e.Profile)
	}
	return ls.library
}

// OpenUnder creates a handle under a scheme. The case closes it.
func (ls *State) OpenUnder(l *lua.LState, scheme string, bytes uint64) lua.LValue {
	opened, err := workspace.Open(ls.e.Device(), ls.config(), scheme, bytes)
	if err != nil {
		ls.e.Raise(l, err)
	}
	ls.opened = append(ls.opened, opened)
	ls.e.CheckDevice(l)
	return ls.e.VM.Object(handleType, &handleBox{handle: opened.Handle, made: ls.e.VM.Where(l)})
}

func (ls *State) CloseFunctions() {
	if ls.library != nil {
		ls.library.Close()
	}
}
