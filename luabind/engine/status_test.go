package engine

import (
	"io"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/workspace/status"
)

// TestUnknownStatus makes the userdata of a status that this program does not have, as a later library may return one.
func TestUnknownStatus(t *testing.T) {
	m := vm.New(t.Context(), vm.Options{Output: io.Discard})
	defer m.Close()
	statuses := newStatuses(m)
	m.NewType(statusType, nil)
	for _, st := range []status.Status{-1, 0, status.Status(len(status.All())), 1000} {
		ud, ok := statuses.Value(st).(*lua.LUserData)
		if !ok || ud.Value != codeOf(st) {
			t.Errorf("status %d is %v", st, ud)
		}
	}
}
