package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/vm"
)

// sharing copies the result of setup to the machine of a client, or the result of setup_all to the machine of a case.
// Within one machine it checks that there can be a copy.
type sharing struct {
	to     *engine.Engine
	guards map[*lua.LUserData]*engine.Guard // of the handles that clients share

	plain  bool   // device objects and handles are refused
	copies bool   // arrays are copied, not shared
	bytes  uint64 // of the arrays
}

// depthOfShared bounds the tables within each other that clients share.
const depthOfShared = 20

// copy returns the copy of a value. path names it in messages.
func (s *sharing) copy(path string, v lua.LValue, depth int) (lua.LValue, error) {
	switch v := v.(type) {
	case *lua.LNilType, lua.LBool, lua.LNumber, lua.LString:
		return v, nil
	case *lua.LTable:
		return s.table(path, v, depth)
	case *lua.LUserData:
		return s.object(path, v)
	}
	return nil, s.refused(path, v)
}

func (s *sharing) refused(path string, v lua.LValue) error {
	if s.plain {
		return fmt.Errorf("%s is %s, which cases do not get; they get numbers, strings, booleans, tables and arrays",
			path, vm.Describe(v))
	}
	return fmt.Errorf("%s is %s, which clients cannot share; they share numbers, strings, booleans, tables, arrays, "+
		"device pointers, streams, events, and the handles that the workload names in shared", path, vm.Describe(v))
}

func (s *sharing) table(path string, from *lua.LTable, depth int) (lua.LValue, error) {
	if depth >= depthOfShared {
		return nil, fmt.Errorf("%s: tables are nested more than %d times, or contain themselves", path, depthOfShared)
	}
	if from.Metatable != lua.LNil {
		return nil, fmt.Errorf("%s is a table with a metatable, which clients cannot share", path)
	}
	to, failed := s.to.VM.State().CreateTable(0, 0), error(nil)
	from.ForEach(func(k, v lua.LValue) {
		if failed != nil {
			return
		}
		key, err := s.copy("a key of "+path, k, depth+1)
		if err == nil {
			v, err = s.copy(fmt.Sprintf("%s.%.40s", path, k.String()), v, depth+1)
		}
		if failed = err; err == nil {
			to.RawSet(key, v)
		}
	})
	return to, failed
}

func (s *sharing) object(path string, v *lua.LUserData) (lua.LValue, error) {
	a, isArray := v.Value.(*array.Array)
	object, canShare := v.Value.(engine.Shared)
	switch {
	case isArray && a.Managed() != 0 || s.plain && !isArray:
		return nil, s.refused(path, v)
	case s.copies:
		return a.CopyTo(s.to), nil
	case isArray:
		s.bytes += uint64(len(a.Raw))
	}
	if canShare {
		return object.Share(s.to), nil
	}
	guard := s.guards[v]
	out, ok := library.Share(s.to, v, guard)
	switch {
	case !ok:
		return nil, s.refused(path, v)
	case guard == nil:
		return nil, fmt.Errorf("%s is a handle; a handle that all clients use is named in "+
			"workload = { shared = {...} }", path)
	}
	return out, nil
}

// guardsOf returns a guard for each of the handles that a workload names, which are fields of the result of setup.
func guardsOf(e *engine.Engine, names []string, result lua.LValue) (map[*lua.LUserData]*engine.Guard, error) {
	guards := map[*lua.LUserData]*engine.Guard{}
	table, _ := result.(*lua.LTable)
	for _, name := range names {
		var v lua.LValue = lua.LNil
		var fields []string
		if table != nil {
			v = table.RawGetString(name)
			fields = namesOf(table)
		}
		ud, ok := v.(*lua.LUserData)
		if ok {
			_, ok = library.Share(e, ud, nil)
		}
		if !ok {
			return nil, fmt.Errorf("workload: shared: setup returned no handle %.200q%s", name,
				nearest.DidYouMean(name, fields))
		}
		guards[ud] = &engine.Guard{}
	}
	return guards, nil
}
