package lualib_test

import (
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// TestBounds looks at both sides of the bounds of functions. Each source returns true below its bound, and an error
// beyond.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		name, source  string
		within, above float64
	}{
		{"unpack", `return select("#", unpack({}, 1, N)) == N`, 1 << 19, 1<<19 + 1},
		{"byte", `return select("#", ("x"):rep(N):byte(1, -1)) == N`, 1 << 19, 1<<19 + 1},
		{"next", `return next({}, N) == nil`, 67108863, 67108864},
		{"date", `return os.date("!%Y", N) == "9999"`, 253402300799, 253402300800},
		{"early date", `return #os.date("!%Y", N) > 0`, -253402300799, -253402300800},
		{"day", `return os.time { year = 2000, month = 1, day = N } > 0`, 1e9 - 1, 1e9},
		{"early day", `return os.time { year = 2000, month = 1, day = N } < 0`, 1 - 1e9, -1e9},
		{"position of insert", `local t = {} table.insert(t, N, 1) return t[N] == 1`, -65536, -65537},
		{"coroutines", `local function nest(n)
				return n == 0 or coroutine.wrap(nest)(n - 1)
			end return nest(N)`, 190, 191},
		{"protected calls", `local function nest(n)
				if n == 0 then return true end
				local ok, result = pcall(nest, n - 1)
				if not ok then error(result, 0) end
				return result
			end return nest(N)`, 199, 200},
		{"base", `return tonumber("1", N) == 1`, 36, 37},
		{"small base", `return tonumber("1", N) == 1`, 2, 1},
		{"width of a format", `return #("%" .. N .. "d"):format(1) == N`, 99, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, n := range []float64{test.within, test.above} {
				m, _ := newMachine(t, options{})
				defer m.Close()
				m.State().SetGlobal("N", lua.LNumber(n))
				values, err := m.Run(compile(t, test.source), 1)
				if within := n == test.within; within != (err == nil) || within && values[0] != lua.LTrue {
					t.Errorf("%.0f: %v, %v", n, values, err)
				}
			}
		})
	}
}

// TestIntegerArguments passes numbers beyond the integers.
func TestIntegerArguments(t *testing.T) {
	out, err := run(t, `
		print(("abc"):sub(1, 2^63), ("abc"):sub(-2^63, 2), ("abc"):sub(2^62, 2^63), ("abc"):sub(0/0, 1))
		print(select("#", ("abc"):byte(-1e300, 1e300)), (pcall(string.char, -1)))`,
		options{})
	if err != nil || out != "abc\tab\t\ta\n3\tfalse\n" {
		t.Errorf("%q, %v", out, err)
	}
	_, err = run(t, "string.char(65, 256)", options{})
	if err == nil || !strings.Contains(err.Error(), "#2") {
		t.Errorf("got %v", err)
	}
}

// TestLoadReadsItAll loads sources that a function returns in two pieces.
func TestLoadReadsItAll(t *testing.T) {
	for size, want := range map[int]string{1 << 10: "nil\t2", 1<<20 - 8: "nil\t2", 1 << 20: "a script may have"} {
		out, err := run(t, fmt.Sprintf(`
			local pieces = { (" "):rep(%d), "return 2" }
			local f, message = load(function() return table.remove(pieces, 1) end)
			print(message, f and f())`, size), options{})
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%d bytes: %q, %v", size, out, err)
		}
	}
}
