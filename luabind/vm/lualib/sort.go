package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/memory"
)

// sort sorts a copy of the list and copies it back, so that a comparison function that changes the table does no harm.
func (lib *Library) sort(l *lua.LState) int {
	table := l.CheckTable(1)
	n := table.Len()
	lib.m.Meter().Reserve(l, uint64(n)*memory.ValueBytes)
	s := &sorter{l: l, values: make([]lua.LValue, n), before: l.LessThan, step: lib.m.Meter().Every(l, 1<<13)}
	for i := range s.values {
		s.values[i] = table.RawGetInt(i + 1)
	}
	if l.Get(2) != lua.LNil {
		fn := l.CheckFunction(2)
		s.before = func(a, b lua.LValue) bool {
			l.Push(fn)
			l.Push(a)
			l.Push(b)
			l.Call(2, 1)
			before := l.ToBool(-1)
			l.Pop(1)
			return before
		}
	}
	s.sort(0, n-1)
	for i, v := range s.values {
		table.RawSetInt(i+1, v)
	}
	return 0
}

// sorter sorts with the steps of Lua 5.1, so that equal values end up in the same order and the comparison function is
// called for the same pairs.
type sorter struct {
	l      *lua.LState
	values []lua.LValue
	before func(a, b lua.LValue) bool
	step   func()
}

// at returns a value, or nil beyond the list, where an invalid comparison function leads.
func (s *sorter) at(i int) lua.LValue {
	if i < 0 || i >= len(s.values) {
		return lua.LNil
	}
	return s.values[i]
}

func (s *sorter) swap(i, j int) { s.values[i], s.values[j] = s.values[j], s.values[i] }

func (s *sorter) less(a, b lua.LValue) bool {
	s.step()
	return s.before(a, b)
}

// order swaps two values if the second belongs before the first, and reports whether it did.
func (s *sorter) order(i, j int) bool {
	if !s.less(s.at(j), s.at(i)) {
		return false
	}
	s.swap(i, j)
	return true
}

// sort sorts the values from low to high.
func (s *sorter) sort(low, high int) {
	for low < high {
		s.order(low, high)
		if high-low == 1 {
			return
		}
		middle := (low+high+2)/2 - 1 // Lua counts from 1
		if !s.order(low, middle) {
			s.order(middle, high)
		}
		if high-low == 2 {
			return
		}
		middle = s.partition(low, high, middle)
		if middle-low < high-middle { // the smaller part first, so that calls are not nested deep
			s.sort(low, middle-1)
			low = middle + 1
		} else {
			s.sort(middle+1, high)
			high = middle - 1
		}
	}
}

// partition moves smaller values to the left of the value at middle, and the rest to its right. It returns the new
// index of that value.
func (s *sorter) partition(low, high, middle int) int {
	pivot := s.at(middle)
	s.swap(middle, high-1)
	i, j := low, high-1
	for {
		for i++; s.less(s.at(i), pivot); i++ {
			s.check(i <= high)
		}
		for j--; s.less(pivot, s.at(j)); j-- {
			s.check(j >= low)
		}
		if j < i {
			s.swap(high-1, i)
			return i
		}
		s.swap(i, j)
	}
}

func (s *sorter) check(inside bool) {
	if !inside {
		s.l.RaiseError("invalid order function for sorting")
	}
}
