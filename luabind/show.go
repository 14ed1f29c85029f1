package luabind

import (
	"sort"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Bounds of a value in a report. A table may hold itself, and few tables may stand for more values than there is paper.
const (
	maxShownDepth = 16
	maxShownBytes = 64 << 10
)

// show writes a value the way a check reports it.
func (s *State) show(v lua.LValue) string {
	room := maxShownBytes
	return s.showWithin(v, 0, &room)
}

// showWithin writes a value at a depth; room is what is left of the bytes that all of it may take.
func (s *State) showWithin(v lua.LValue, depth int, room *int) (text string) {
	defer func() { *room -= len(text) }()
	switch v := v.(type) {
	case lua.LNumber:
		if f := float64(v); f == float64(int64(f)) && f < maxExact && f > -maxExact {
			return strconv.FormatInt(int64(f), 10)
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case lua.LString:
		if len(v) > *room {
			return strconv.Quote(string(v[:max(*room, 0)])) + "..."
		}
		return strconv.Quote(string(v))
	case *lua.LTable:
		return s.showTable(v, depth+1, room)
	}
	return s.current.ToStringMeta(v).String()
}

func (s *State) showTable(t *lua.LTable, depth int, room *int) string {
	if depth > maxShownDepth {
		return "{...}"
	}
	var items, fields []string
	for i := 1; i <= t.Len(); i++ {
		if *room <= 0 {
			items = append(items, "...")
			break
		}
		items = append(items, s.showWithin(t.RawGetInt(i), depth, room))
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil && *room > 0; k, v = t.Next(k) {
		if k.Type() != lua.LTNumber {
			fields = append(fields, k.String()+" = "+s.showWithin(v, depth, room))
		}
	}
	sort.Strings(fields)
	return "{" + strings.Join(append(items, fields...), ", ") + "}"
}

// same compares two values as a check does: tables item by item, everything else as Lua's ==.
func (s *State) same(a, b lua.LValue) bool {
	c := &comparison{s: s, tick: s.every(s.current, 1<<10), held: map[[2]*lua.LTable]bool{}}
	return c.same(a, b, 0)
}

// comparison holds the pairs of tables that were met: they are the same, unless what is compared already shows otherwise.
type comparison struct {
	s    *State
	tick func()
	held map[[2]*lua.LTable]bool
}

// maxComparedDepth bounds how deep tables may stand in each other that are compared.
const maxComparedDepth = 10_000

func (c *comparison) same(a, b lua.LValue, depth int) bool {
	c.tick()
	ta, ok1 := a.(*lua.LTable)
	tb, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 {
		return c.s.current.Equal(a, b)
	}
	if c.held[[2]*lua.LTable{ta, tb}] {
		return true
	}
	if depth > maxComparedDepth {
		c.s.usage(c.s.current, "tables that are compared are nested more than %d deep", maxComparedDepth)
	}
	c.held[[2]*lua.LTable{ta, tb}] = true
	equal := true
	ta.ForEach(func(k, v lua.LValue) { equal = equal && c.same(v, tb.RawGet(k), depth+1) })
	tb.ForEach(func(k, _ lua.LValue) { equal = equal && ta.RawGet(k).Type() != lua.LTNil })
	return equal
}
