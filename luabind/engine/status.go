package engine

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/status"
)

const statusType = "roclua.status"

// StatusCode is a status in Lua.
type StatusCode struct {
	Status any // a status.Status, status.Layer or driver.Error
	Name   string
	number int
	ok     bool
}

// Describe implements vm.Describer.
func (s StatusCode) Describe() string { return "the status " + s.Name }

// statusOf returns the status of a class with a number; nil for another class. The number of every success is 0.
func statusOf(class api.StatusClass, number int64) any {
	switch class {
	case api.RocBLASStatus:
		return status.Status(number)
	case api.HIPStatus:
		return driver.Error(number)
	case api.HipBLASStatus:
		return status.HipBLAS(number)
	case api.HipSOLVERStatus:
		return status.HipSOLVER(number)
	}
	return nil
}

// codeOf describes a status.Status, status.Layer or driver.Error.
func codeOf(st any) StatusCode {
	switch st := st.(type) {
	case status.Status:
		return StatusCode{st, st.String(), int(st), st.OK()}
	case driver.Error:
		return StatusCode{st, st.Error(), int(st), st == driver.Success}
	case status.Layer:
		return StatusCode{st, st.Name(), st.Number(), st.OK()}
	}
	panic(fmt.Sprintf("a %T is no status", st))
}

// Statuses makes the userdata of statuses, one for each, so that == compares them.
type Statuses struct {
	m    *vm.Machine
	made map[any]*lua.LUserData
}

func newStatuses(m *vm.Machine) *Statuses { return &Statuses{m, map[any]*lua.LUserData{}} }

func (sc *Statuses) open() {
	sc.m.NewType(statusType, map[string]lua.LGFunction{
		"__tostring": Text(sc.m, func(s StatusCode) string { return s.Name }),
		"__index": func(l *lua.LState) int {
			c := vm.Receiver[StatusCode](sc.m, l)
			switch l.CheckString(2) {
			case "code":
				l.Push(lua.LNumber(c.number))
			case "ok":
				l.Push(lua.LBool(c.ok))
			case "name":
				l.Push(lua.LString(c.Name))
			default:
				name := l.CheckString(2)
				sc.m.Raisef(l, "a status has no field %q%s", name, nearest.DidYouMean(name, FieldsOf("status")))
			}
			return 1
		},
	})
}

// Value returns the userdata of a status.Status, status.Layer or driver.Error.
func (sc *Statuses) Value(st any) lua.LValue {
	ud, ok := sc.made[st]
	if !ok {
		ud = sc.m.Object(statusType, codeOf(st))
		sc.made[st] = ud
	}
	return ud
}

// ofError returns the userdata of the status of an error; nil if the error is not a status.
func (sc *Statuses) ofError(err error) lua.LValue {
	var layer *workspace.LayerError
	var refused *workspace.Error
	var code driver.Error
	switch {
	case errors.As(err, &layer):
		return sc.Value(layer.Status)
	case errors.As(err, &refused):
		return sc.Value(refused.Status)
	case errors.As(err, &code):
		return sc.Value(code)
	}
	return nil
}
