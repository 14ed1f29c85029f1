package vm

import (
	"io"
	"sort"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/escape"
	"roclua/luabind/vm/internal/convert"
)

// Bounds of the text that Show returns. A table may contain itself, and a few tables that contain each other several
// times have an exponential number of items.
const (
	maxShownDepth = 16
	maxShownBytes = 64 << 10
)

// Show returns a value as text for reports: numbers exactly, strings quoted, tables with their items.
func (m *Machine) Show(v lua.LValue) string {
	p := &printer{m, maxShownBytes}
	return p.text(v, 0)
}

// printer formats one value within a number of bytes.
type printer struct {
	m         *Machine
	remaining int
}

func (p *printer) text(v lua.LValue, depth int) (text string) {
	defer func() { p.remaining -= len(text) }()
	switch v := v.(type) {
	case lua.LNumber:
		if f := float64(v); f == float64(int64(f)) && f < MaxExact && f > -MaxExact {
			return strconv.FormatInt(int64(f), 10)
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case lua.LString:
		if len(v) > p.remaining {
			return strconv.Quote(string(v[:max(p.remaining, 0)])) + "..."
		}
		return strconv.Quote(string(v))
	case *lua.LTable:
		return p.table(v, depth+1)
	}
	return p.clip(p.m.current.ToStringMeta(v).String())
}

// clip returns the beginning of text that is too long for the remaining space.
func (p *printer) clip(text string) string {
	if len(text) <= p.remaining {
		return text
	}
	return text[:max(p.remaining, 0)] + "..."
}

func (p *printer) table(t *lua.LTable, depth int) string {
	if depth > maxShownDepth {
		return "{...}"
	}
	var items, fields []string
	for i := 1; i <= t.Len(); i++ {
		if p.remaining <= 0 {
			items = append(items, "...")
			break
		}
		items = append(items, p.text(t.RawGetInt(i), depth))
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil && p.remaining > 0; k, v = t.Next(k) {
		n, isNumber := k.(lua.LNumber)
		if isNumber && n == lua.LNumber(int(n)) && 1 <= n && n <= lua.LNumber(t.Len()) {
			continue // an item
		}
		key := p.clip(k.String())
		if isNumber {
			key = "[" + key + "]"
		}
		p.remaining -= len(key)
		fields = append(fields, key+" = "+p.text(v, depth))
	}
	sort.Strings(fields)
	return "{" + strings.Join(append(items, fields...), ", ") + "}"
}

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
