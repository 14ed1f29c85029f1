package library

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/units"
	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/workspace"
)

// State is the data of the modules of the libraries for one engine.
type State struct {
	e            *engine.Engine
	created      []*handleBox // by the script, in order
	allocations  []*allocationBox
	opened       []*workspace.Opened  // under a scheme; the case closes them
	defaultBytes uint64               // first memory of the next handle, as the script set it; 0 for the default
	library      *workspace.Libraries // nil before its first function is called
	args         routine.Args         // of the current routine call
	defects      record.Defects       // that concern calls
	namedValues  []lua.LValue         // of the named arguments of that call; reused
}

// NewState returns the data of an engine whose scripts have not run.
func NewState(e *engine.Engine) *State { return &State{e: e} }

func of(c *engine.Call) *State { return c.LibraryState.(*State) }

// config returns the configuration of new handles.
func (ls *State) config() workspace.Config {
	return workspace.Config{Profile: ls.e.Profile, Environment: maps.Clone(ls.e.Env),
		DefaultBytes: &ls.defaultBytes, Tuning: ls.e.Tuning, Found: ls.defects.Count}
}

// functions returns the functions of the libraries that take no handle.
func (ls *State) functions() *workspace.Libraries {
	if ls.library == nil {
		ls.library = workspace.NewLibraries(ls.e.Device(), ls.e.Profile)
	}
	return ls.library
}

// OpenUnder creates a handle under a scheme, which Close destroys.
func (ls *State) OpenUnder(l *lua.LState, scheme string, bytes uint64) lua.LValue {
	var opened *workspace.Opened
	ls.e.During(func() {
		var err error
		opened, err = workspace.Open(ls.e.Device(), ls.config(), scheme, bytes)
		if err != nil {
			ls.e.Raise(l, err)
		}
		ls.opened = append(ls.opened, opened)
		ls.e.CheckDevice(l)
	})
	return ls.e.VM.Object(handleType, &handleBox{handle: opened.Handle, made: ls.e.VM.Where(l)})
}

// ReleaseStreams lets the script destroy the streams of the handles that OpenUnder made, which it no longer uses.
func (ls *State) ReleaseStreams() {
	for _, o := range ls.opened {
		o.ReleaseStream()
	}
}

func (ls *State) CloseFunctions() {
	if ls.library != nil {
		ls.library.Close()
	}
}

// Approximate sizes of objects outside of Lua, in bytes.
const (
	handleBytes     = 1024
	allocationBytes = 256
)

// HeldBytes returns the host memory of handles and allocations.
func (ls *State) HeldBytes() uint64 {
	return uint64(len(ls.created)+len(ls.opened))*handleBytes + uint64(len(ls.allocations))*allocationBytes
}

// Close releases allocations in reverse order, then destroys the handles that the script created and did not destroy,
// then the handles that were opened for it. Objects that the script should have released are problems of the record.
func (ls *State) Close(r *record.Record) {
	r.Defects.Add(ls.defects...)
	var unreleased, undestroyed []string
	for _, a := range slices.Backward(ls.allocations) {
		if !a.Released() {
			unreleased = append(unreleased, "an allocation made at "+a.made+" was not released")
			a.Release()
		}
	}
	for _, box := range slices.Backward(ls.created) {
		if box.destroyed == "" {
			text := "leak: the handle made at " + box.made + " was not destroyed"
			if err := box.handle.Destroy(); err != nil {
				text += "; destroying it failed: " + err.Error()
			}
			undestroyed = append(undestroyed, text)
		}
	}
	r.AddProblems(len(unreleased), func(i int) string { return unreleased[i] },
		"%d more allocations were not released; %d in all")
	r.AddProblems(len(undestroyed), func(i int) string { return undestroyed[i] },
		"leak: %d more; %d handles in all")
	var failed record.Failures
	for _, o := range slices.Backward(ls.opened) {
		failed.Add(o.Close())
	}
	r.AddFailures("closing the scenario's handle failed", failed)
}

// DefectIDs returns the ids of the known defects that concern calls so far, each once.
func (ls *State) DefectIDs() []string { return ls.defects.IDs() }

// Holder is an open handle, or an allocation that was not released.
type Holder struct {
	Text string // such as "rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))"
	Made string // line of the script that made it; "" if the session did
}

// Holders lists the holders of device memory: opened handles, created handles, then allocations.
func (ls *State) Holders() []Holder {
	var list []Holder
	for _, o := range ls.opened {
		if !o.Destroyed() {
			list = append(list, Holder{Text: o.String()})
		}
	}
	for _, box := range ls.created {
		if box.destroyed == "" {
			list = append(list, Holder{box.handle.String(), box.made})
		}
	}
	for _, a := range ls.allocations {
		if !a.Released() {
			list = append(list, Holder{"allocation of " + units.FormatBytes(a.Bytes()), a.made})
		}
	}
	return list
}
