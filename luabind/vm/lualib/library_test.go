package lualib_test

import (
	"strings"
	"testing"

	"roclua/luabind/vm/lualib"
)

// TestRandomIntegers draws every number between bounds, and no other.
func TestRandomIntegers(t *testing.T) {
	for call, want := range map[string]string{
		"math.random(3)": "1 2 3", "math.random(-2, 1)": "-2 -1 0 1", "math.random(5, 5)": "5", "math.random(1)": "1",
	} {
		out, err := run(t, `local seen, list = {}, {}
			for i = 1, 300 do seen[`+call+`] = true end
			for n = -9, 9 do if seen[n] then list[#list + 1] = n seen[n] = nil end end
			print(table.concat(list, " ") .. (next(seen) and " others" or ""))`,
			options{library: lualib.Options{Seed: 1}})
		if err != nil || out != want+"\n" {
			t.Errorf("%s: %q, %v", call, out, err)
		}
	}
}

// TestPrintOfLongTexts prints texts that are written piece by piece.
func TestPrintOfLongTexts(t *testing.T) {
	out, err := run(t, `local x, y = ("x"):rep(2^20 - 2), ("y"):rep(2^20) print("a", x, y, "b", x) print(x)`,
		options{})
	x, y := strings.Repeat("x", 1<<20-2), strings.Repeat("y", 1<<20)
	if want := "a\t" + x + "\t" + y + "\tb\t" + x + "\n" + x + "\n"; err != nil || out != want {
		t.Errorf("%d bytes of %d, %v", len(out), len(want), err)
	}
}

// TestGmatchAfterTheEnd calls the function that gmatch returns again after its last match.
func TestGmatchAfterTheEnd(t *testing.T) {
	out, err := run(t, `local f = ("ab"):gmatch(".") print(f(), f(), f(), f())
		local g = ("a"):gmatch("b*") print(g(), g(), g(), g())`, options{})
	if err != nil || out != "a\tb\tnil\tnil\n\t\tnil\tnil\n" {
		t.Errorf("%q, %v", out, err)
	}
}
