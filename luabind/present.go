package luabind

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/internal/units"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
)

// How much of a value a prompt shows.
const (
	shownItems  = 20  // of a table
	shownDepth  = 2   // tables within each other
	shownWidth  = 100 // characters of a table on one line
	shownString = 60  // characters of a string in a table
)

// presenter describes values at a prompt.
type presenter struct{ s *state }

// text describes a value, within a limited size. It shows more of arrays, pointers and tables than tostring, and less
// of a value within a table, whose depth is above 0.
func (p presenter) text(v lua.LValue, depth int) string {
	switch v := v.(type) {
	case lua.LString:
		if depth > 0 && len(v) > shownString {
			return strconv.Quote(string(v[:shownString])) + "..."
		}
		return strconv.Quote(string(v))
	case lua.LNumber:
		return p.s.VM.Show(v)
	case *lua.LTable:
		return p.table(v, depth)
	case *lua.LFunction:
		if v.IsG {
			return "function of roclua"
		}
		return "function made at " + vm.WhereDefined(v)
	case *lua.LState:
		return "coroutine"
	}
	text := p.s.VM.State().ToStringMeta(v).String()
	ud, ok := v.(*lua.LUserData)
	if !ok || depth > 0 {
		return text
	}
	switch x := ud.Value.(type) {
	case *array.Array:
		x.BeforeUse("the prompt")
		return x.Present()
	case engine.DevicePtr:
		return text + p.allocation(driver.Ptr(x))
	}
	return text
}

// table writes a table on one line, or, if it is not within another one, one item on each line.
func (p presenter) table(t *lua.LTable, depth int) string {
	if name := p.nameOf(t); name != "" {
		return name
	}
	if first, _ := t.Next(lua.LNil); depth >= shownDepth && first != lua.LNil {
		return "{...}"
	}
	items := p.items(t, depth+1)
	line := "{" + strings.Join(items, ", ") + "}"
	if depth > 0 || len(line) <= shownWidth {
		return line
	}
	return "{\n  " + strings.Join(items, ",\n  ") + "\n}"
}

// nameOf returns the name of a module, or the text of a table's __tostring; "" for other tables.
func (p presenter) nameOf(t *lua.LTable) string {
	for _, name := range p.s.Lib.Preloaded() {
		if p.s.Lib.Module(name) == t {
			return "module " + name
		}
	}
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return ""
	}
	if name, ok := meta.RawGetString("__metatable").(lua.LString); ok {
		return string(name)
	}
	if fn, ok := meta.RawGetString("__tostring").(*lua.LFunction); ok {
		if err := p.s.VM.Protect(p.s.VM.State(), fn, 1, t); err != nil {
			return "a table whose __tostring fails"
		}
		text := p.s.VM.State().Get(-1).String()
		p.s.VM.State().Pop(1)
		return text
	}
	return ""
}

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
})

// items writes the items of a table: the list, then the fields by name.
func (p presenter) items(t *lua.LTable, depth int) []string {
	var list, fields []string
	n := t.Len()
	for i := 1; i <= min(n, shownItems); i++ {
		list = append(list, p.text(t.RawGetInt(i), depth))
	}
	var keys []lua.LValue
	t.ForEach(func(k, _ lua.LValue) {
		if i, ok := k.(lua.LNumber); !ok || float64(i) != float64(int(i)) || i < 1 || int(i) > n {
			keys = append(keys, k)
		}
	})
	slices.SortFunc(keys, func(a, b lua.LValue) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys[:min(len(keys), max(shownItems-len(list), 0))] {
		fields = append(fields, p.key(k)+" = "+p.text(t.RawGet(k), depth))
	}
	list = append(list, fields...)
	if more := n + len(keys) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("... %d more", more))
	}
	return list
}

// key writes the key of a field.
func (p presenter) key(k lua.LValue) string {
	if name, ok := k.(lua.LString); ok && identifier().MatchString(string(name)) {
		return string(name)
	}
	return "[" + p.text(k, shownDepth) + "]"
}

// allocation describes the allocation that contains an address.
func (p presenter) allocation(address driver.Ptr) string {
	base, bytes, ok := p.s.Runtime.Device().Allocation(address)
	switch {
	case !ok:
		return ", in no live block"
	case base != address:
		return fmt.Sprintf(", byte %d of a block of %s", address-base, units.FormatBytes(bytes))
	}
	return ", a block of " + units.FormatBytes(bytes)
}
