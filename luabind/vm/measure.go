package vm

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/memory"
)

// HeldBytes returns the memory that the run holds, approximately: everything that is reachable from its globals and
// registers, and the memory that the host holds for it. Its time is proportional to the number of values.
func (m *Machine) HeldBytes() uint64 {
	w := &memory.Walk{}
	g := m.lua.G
	w.Add(g.Registry)
	w.Add(g.Global)
	w.Add(m.lua) // coroutines that run are in the registers of those that resumed them
	w.Add(m.lua.GetMetatable(lua.LString("")))
	w.AddAll(m.kept)
	for name, value := range m.env {
		w.Bytes += uint64(len(name) + len(value) + memory.FieldBytes)
	}
	w.Finish()
	if m.opts.HeldBytes != nil {
		w.Bytes += m.opts.HeldBytes()
	}
	return w.Bytes + m.meter.output
}
