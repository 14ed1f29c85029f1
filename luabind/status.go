package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/vm"
	"roclua/workspace/status"
)

// Statuses are userdata, one for each value, so that == compares them.

const statusType = "roclua.status"

// code is a rocblas_status or a hipError_t.
type code interface {
	number() int
	name() string
	ok() bool
}

type rocblasStatus status.Status

// Describe implements vm.Describer.
func (s rocblasStatus) Describe() string { return "the status " + s.name() }

func (s rocblasStatus) number() int  { return int(s) }
func (s rocblasStatus) name() string { return status.Status(s).String() }
func (s rocblasStatus) ok() bool     { return status.Status(s).OK() }

type hipStatus driver.Error

// Describe implements vm.Describer.
func (s hipStatus) Describe() string { return "the status " + s.name() }

func (s hipStatus) number() int  { return int(s) }
func (s hipStatus) name() string { return driver.Error(s).Error() }
func (s hipStatus) ok() bool     { return driver.Error(s) == driver.Success }

// statusClass makes statuses.
type statusClass struct {
	s        *state
	rocblas  []*lua.LUserData // by number; nil for those that no function has returned
	hipCodes map[driver.Error]*lua.LUserData
}

func (sc *statusClass) open() {
	sc.s.vm.NewType(statusType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(vm.Receiver[code](sc.s.vm, l).name()))
			return 1
		},
		"__index": func(l *lua.LState) int {
			c := vm.Receiver[code](sc.s.vm, l)
			switch l.CheckString(2) {
			case "code":
				l.Push(lua.LNumber(c.number()))
			case "ok":
				l.Push(lua.LBool(c.ok()))
			case "name":
				l.Push(lua.LString(c.name()))
			default:
				name := l.CheckString(2)
				sc.s.vm.Raisef(l, "a status has no field %q%s", name, nearest.DidYouMean(name, fieldsOf("status")))
			}
			return 1
		},
	})
}

// value returns the userdata of a rocblas_status.
func (sc *statusClass) value(st status.Status) lua.LValue {
	known := st >= 0 && int(st) < len(sc.rocblas)
	if known && sc.rocblas[st] != nil {
		return sc.rocblas[st]
	}
	ud := sc.s.vm.Object(statusType, rocblasStatus(st))
	if known {
		sc.rocblas[st] = ud
	}
	return ud
}

// hip returns the userdata of a hipError_t.
func (sc *statusClass) hip(e driver.Error) lua.LValue {
	ud, ok := sc.hipCodes[e]
	if !ok {
		ud = sc.s.vm.Object(statusType, hipStatus(e))
		sc.hipCodes[e] = ud
	}
	return ud
}
