package engine

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Statuses are userdata, one for each value, so that == compares them.

const statusType = "roclua.status"

// StatusCode is a rocblas_status or a hipError_t.
type StatusCode interface {
	number() int
	Name() string
	ok() bool
}

// StatusText returns what rocblas_status_to_string returns for a status, and the C name of a hipError_t.
func StatusText(st StatusCode) string {
	if s, ok := st.(rocblasStatus); ok {
		return status.Status(s).ToString()
	}
	return st.Name()
}

type rocblasStatus status.Status

// Describe implements vm.Describer.
func (s rocblasStatus) Describe() string { return "the status " + s.Name() }

func (s rocblasStatus) number() int  { return int(s) }
func (s rocblasStatus) Name() string { return status.Status(s).String() }
func (s rocblasStatus) ok() bool     { return status.Status(s).OK() }

type hipStatus driver.Error

// Describe implements vm.Describer.
func (s hipStatus) Describe() string { return "the status " + s.Name() }

func (s hipStatus) number() int  { return int(s) }
func (s hipStatus) Name() string { return driver.Error(s).Error() }
func (s hipStatus) ok() bool     { return driver.Error(s) == driver.Success }

// layerStatus is a status of a library above rocBLAS and rocSOLVER.
type layerStatus struct{ status.Layer }

// Describe implements vm.Describer.
func (s layerStatus) Describe() string { return "the status " + s.Name() }

func (s layerStatus) number() int { return s.Number() }
func (s layerStatus) ok() bool    { return s.OK() }

// Statuses makes the Lua values of statuses.
type Statuses struct {
	m        *vm.Machine
	rocblas  []*lua.LUserData // by number; nil for a status that no function has returned
	hipCodes map[driver.Error]*lua.LUserData
	layers   map[status.Layer]*lua.LUserData
}

func newStatuses(m *vm.Machine) *Statuses {
	return &Statuses{m: m, rocblas: make([]*lua.LUserData, len(status.All())),
		hipCodes: map[driver.Error]*lua.LUserData{}, layers: map[status.Layer]*lua.LUserData{}}
}

func (sc *Statuses) open() {
	sc.m.NewType(statusType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			return vm.Push(l, lua.LString(vm.Receiver[StatusCode](sc.m, l).Name()))
		},
		"__index": func(l *lua.LState) int {
			c := vm.Receiver[StatusCode](sc.m, l)
			switch l.CheckString(2) {
			case "code":
				l.Push(lua.LNumber(c.number()))
			case "ok":
				l.Push(lua.LBool(c.ok()))
			case "name":
				l.Push(lua.LString(c.Name()))
			default:
				name := l.CheckString(2)
				sc.m.Raisef(l, "a status has no field %q%s", name, nearest.DidYouMean(name, FieldsOf("status")))
			}
			return 1
		},
	})
}

// Value returns the userdata of a rocblas_status.
func (sc *Statuses) Value(st status.Status) lua.LValue {
	known := st >= 0 && int(st) < len(sc.rocblas)
	if known && sc.rocblas[st] != nil {
		return sc.rocblas[st]
	}
	ud := sc.m.Object(statusType, rocblasStatus(st))
	if known {
		sc.rocblas[st] = ud
	}
	return ud
}

// Layer returns the userdata of a status of a library above rocBLAS and rocSOLVER.
func (sc *Statuses) Layer(st status.Layer) lua.LValue {
	ud, ok := sc.layers[st]
	if !ok {
		ud = sc.m.Object(statusType, layerStatus{st})
		sc.layers[st] = ud
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
		return sc.Layer(layer.Status)
	case errors.As(err, &refused):
		return sc.Value(refused.Status)
	case errors.As(err, &code):
		return sc.HIP(code)
	}
	return nil
}

// HIP returns the userdata of a hipError_t.
func (sc *Statuses) HIP(e driver.Error) lua.LValue {
	ud, ok := sc.hipCodes[e]
	if !ok {
		ud = sc.m.Object(statusType, hipStatus(e))
		sc.hipCodes[e] = ud
	}
	return ud
}
