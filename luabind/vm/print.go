package vm

import (
	"io"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/escape"
	"roclua/luabind/vm/internal/convert"
)

// Print prints the arguments of the Go function that l runs, as Lua's print does.
func (m *Machine) Print(l *lua.LState) {
	var line strings.Builder
	for i := 1; i <= l.GetTop(); i++ {
		if i > 1 {
			line.WriteByte('\t')
		}
		if text := convert.String(l, l.Get(i)); line.Len()+len(text) < LargeAllocation {
			line.WriteString(text)
		} else { // do not make copies of long texts
			m.Write(l, line.String())
			m.Write(l, text)
			line.Reset()
		}
	}
	m.Write(l, line.String()+"\n")
}

// Write prints text as reports have it, up to the limit of output.
func (m *Machine) Write(l *lua.LState, text string) {
	most := m.meter.remainingOutput(text)
	shown := escape.Text(most)
	io.WriteString(m.opts.Output, m.meter.remainingOutput(shown))
	m.meter.Charge(l, uint64(len(text)-len(most)), shown)
}
