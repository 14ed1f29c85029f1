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

// text describes a value, within a limited size. It shows more of arrays, pointers and tables than tostring.
func (p presenter) text(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return strconv.Quote(string(v))
	case *lua.LTable:
		return p.table(v)
	case *lua.LUserData:
		switch x := v.Value.(type) {
		case *array.Array:
			x.BeforeUse("the prompt")
			return x.Present()
		case engine.DevicePtr:
			return p.pointer(v, driver.Ptr(x))
		}
	}
	return p.brief(v, 0)
}

// brief writes a value on one line.
func (p presenter) brief(v lua.LValue, depth int) string {
	switch v := v.(type) {
	case lua.LString:
		if len(v) > shownString {
			return strconv.Quote(string(v[:shownString])) + "..."
		}
		return strconv.Quote(string(v))
	case lua.LNumber:
		return p.s.VM.Show(v)
	case *lua.LTable:
		if name := p.nameOf(v); name != "" {
			return name
		}
		if depth >= shownDepth && hasItems(v) {
			return "{...}"
		}
		return "{" + strings.Join(p.items(v, depth+1), ", ") + "}"
	case *lua.LFunction:
		if v.IsG {
			return "function of roclua"
		}
		return "function made at " + vm.WhereDefined(v)
	case *lua.LState:
		return "coroutine"
	}
	return p.s.VM.State().ToStringMeta(v).String()
}

func hasItems(t *lua.LTable) bool {
	k, _ := t.Next(lua.LNil)
	return k != lua.LNil
}

// table writes a table on one line, or one item on each line.
func (p presenter) table(t *lua.LTable) string {
	text := p.brief(t, 0)
	if len(text) <= shownWidth || p.nameOf(t) != "" {
		return text
	}
	return "{\n  " + strings.Join(p.items(t, 1), ",\n  ") + "\n}"
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
		list = append(list, p.brief(t.RawGetInt(i), depth))
	}
	var keys []lua.LValue
	t.ForEach(func(k, _ lua.LValue) {
		if i, ok := k.(lua.LNumber); !ok || float64(i) != float64(int(i)) || i < 1 || int(i) > n {
			keys = append(keys, k)
		}
	})
	slices.SortFunc(keys, func(a, b lua.LValue) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys[:min(len(keys), max(shownItems-len(list), 0))] {
		fields = append(fields, p.key(k)+" = "+p.brief(t.RawGet(k), depth))
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
	return "[" + p.brief(k, shownDepth) + "]"
}

// pointer describes an address and the allocation that contains it.
func (p presenter) pointer(v lua.LValue, address driver.Ptr) string {
	text := p.s.VM.State().ToStringMeta(v).String()
	base, bytes, ok := p.s.Runtime.Device().Allocation(address)
	switch {
	case !ok:
		return text + ", in no live block"
	case base != address:
		return fmt.Sprintf("%s, byte %d of a block of %s", text, address-base, units.FormatBytes(bytes))
	}
	return text + ", a block of " + units.FormatBytes(bytes)
}
