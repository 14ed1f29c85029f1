package layout_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// TestTables reads tables that a script has filled.
func TestTables(t *testing.T) {
	l := lua.NewState(lua.Options{RegistrySize: 1024})
	defer l.Close()
	err := l.DoString(`local a, b = "left", "right" kept = { 1, 2, 3, x = 1, [{}] = 2 } kept.x = nil`)
	if err != nil {
		t.Fatal(err)
	}
	kept := l.GetGlobal("kept").(*lua.LTable)
	if n := len(layout.Array(kept)); n != 3 {
		t.Errorf("an array of %d", n)
	}
	if len(layout.Keys(kept)) != 2 || len(layout.StringFields(kept)) != 0 || len(layout.OtherFields(kept)) != 1 {
		t.Errorf("keys %v, string fields %v, other fields %v",
			layout.Keys(kept), layout.StringFields(kept), layout.OtherFields(kept))
	}
	if n := len(layout.Registers(l)); n < 1024 {
		t.Errorf("%d registers", n)
	}
}
