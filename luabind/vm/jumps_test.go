package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind/vm"
	"roclua/luabind/vm/script"
)

// TestJumpsCloseVariables jumps out of a block. The closure of the block gets its own copy of the variables of the
// block. The variables of the function stay shared with the other closure.
func TestJumpsCloseVariables(t *testing.T) {
	const body = `
		local get, kept
		local a = 1
		get = function() a = a + 1 return a end
		do
			local b = 10
			kept = function() b = b + 1 return b end
			if yes() then goto done end
			a = 1000
		end
		::done::
		a = a + 1
		local c, d = 50, 60
		result = (result or "") .. get() .. " " .. a .. " " .. kept() .. " " .. kept() .. " " .. c .. " " .. d .. ";"`
	const want = "3 3 11 12 50 60;"
	for around, times := range map[string]int{
		"%s": 1, "do %s end": 1, "local x, y do local z %s end": 1, "if yes() then %s end": 1,
		"if not yes() then else %s end": 1, "for i = 1, 3 do %s end": 3, "for k, v, w in pairs({ 1, 2 }) do %s end": 2,
		"local n = 0 while n < 2 do n = n + 1 %s end": 2, "local n = 0 repeat n = n + 1 %s until n == 2": 2,
		"local function f(first, second) %s end f() f(1, 2, 3)": 2, "local function f(...) %s end f(1, 2)": 1,
		"function f(first, ...) %s end f() f(1, 2, 3)": 2, "(function(first, ...) %s end)(1, 2)": 1,
		"local t = {} function t:method(x) %s end t:method(1)":   1,
		"local t = {} function t.plain(x) %s end t.plain(1)":     1,
		"local t = { f = function(x, y, z) %s end } t.f() t.f()": 2,
	} {
		source := "function yes() return true end " + fmt.Sprintf(around, body) + " print(result)"
		out, err := run(t, source, vm.Options{})
		if err != nil || out != strings.Repeat(want, times)+"\n" {
			t.Errorf("%s: %q, %v", around, out, err)
		}
	}
}

// TestBreaks leaves loops from inner blocks, with closures of variables in the loop.
func TestBreaks(t *testing.T) {
	for around, want := range map[string]string{
		"for i = 1, 5 do n = i %s end":                                                "2,11 3,21 3,12 4,22",
		"for _, v in ipairs { 1, 2, 3 } do n = v %s end":                              "2,11 3,21 3,12 4,22",
		"while true do n = n + 1 %s end":                                              "2,11 3,21 3,12 4,22",
		"repeat n = n + 1 %s until false":                                             "2,11 3,21 3,12 4,22",
		"for i = 1, 1 do for j = 1, 5 do n = j %s end if n == 2 then break end end":   "2,11 3,21 3,12 4,22",
		"while true do repeat n = n + 1 %s until n == 9 if n == 2 then break end end": "2,11 3,21 3,12 4,22",
	} {
		body := `local x = n do local y = n * 10
			fs[#fs + 1] = function() x = x + 1 y = y + 1 return x .. "," .. y end
			if n == 2 then break end end`
		out, err := run(t, `local fs, n, p = {}, 0 `+fmt.Sprintf(around, body)+`
			local a, b, c, d = 9, 9, 9, 9
			print(fs[1](), fs[2](), fs[1](), fs[2]())`, vm.Options{})
		if err != nil || out != strings.ReplaceAll(want, " ", "\t")+"\n" {
			t.Errorf("%s: %q, %v", around, out, err)
		}
	}
}

// TestLinesOfJumps ends runs while they execute the last of several goto statements, and after it.
func TestLinesOfJumps(t *testing.T) {
	const before = "local i = 0\ngoto a\n::a::\nfor k = 1, 3 do\nif k == 2 then\nbreak\nend\nend\n"
	_, err := run(t, before+"::again::\ngoto again", vm.Options{Limits: vm.Limits{Instructions: 1000}})
	if end := endOf(t, err); end.Where != "test.lua:10" {
		t.Errorf("ended at %s", end.Where)
	}
	_, err = run(t, before+"::again::\ni = i + 1\nif i < 3 then goto again end\nlocal x = nil + 1", vm.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "test.lua:12:") {
		t.Errorf("got %v", err)
	}
	_, err = script.Compile("test.lua", []byte(before+"goto nowhere"))
	if err == nil || !strings.Contains(err.Error(), "at line 9") {
		t.Errorf("got %v", err)
	}
}
