package luabind_test

import (
	"testing"
	"time"

	"roclua/luabind"
	"roclua/luabind/record"
)

// TestLuaProfile finds the line that runs at most readings of the clock: one that the interpreter executes, one that
// waits in a function of the host, and one in a coroutine.
func TestLuaProfile(t *testing.T) {
	for name, test := range map[string]struct {
		source  string
		line    int
		host    string
		defined int // of the function of the line
	}{
		"loop": {source: `
			local function slow(n)
				local s = 0
				for i = 1, n do s = s + i % 7 end
			end
			slow(100000)
			slow(10)`, line: 4, defined: 2},
		"call of the host": {source: `
			local a = array.random("d", 100, 100)
			for i = 1, 10 do local b = i end
			for i = 1, 20 do array.random("d", 200, 200) end
			return nil`, line: 4, host: "array.random"},
		"coroutine": {source: `
			local co = coroutine.wrap(function()
				for i = 1, 100000 do local x = i % 7 end
			end)
			co()`, line: 3, defined: 2},
		"protected call": {source: `
			pcall(function() for i = 1, 100000 do local x = i % 7 end error("x") end)`, line: 2, defined: 2},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			rec := runLimited(t, "local array = require 'array' "+test.source, record.Limits{},
				luabind.Options{LuaProfile: true})
			elapsed := time.Since(start)
			if rec.End != nil {
				t.Fatal(rec.End)
			}
			p := rec.LuaProfile
			var all, here, inHost, took, tookHere int64 // the first three are numbers of readings
			for _, s := range p.Samples {
				all, took = all+s.Count, took+s.Nanoseconds
				leaf := p.Places[s.Stack[0]]
				host := leaf.Host
				if host != "" {
					leaf = p.Places[s.Stack[1]]
				}
				if leaf.Line == test.line && leaf.Defined == test.defined {
					here, tookHere = here+s.Count, tookHere+s.Nanoseconds
					if host == test.host {
						inHost += s.Count
					}
				}
				if outermost := p.Places[s.Stack[len(s.Stack)-1]]; outermost.Defined != 0 {
					t.Errorf("a stack begins in %+v", outermost)
				}
			}
			if here < all/2 || inHost < here/2 || tookHere == 0 || took > elapsed.Nanoseconds() {
				t.Errorf("line %d ran at %d of %d readings, %d of them in %q, for %d of %d ns; the run took %s",
					test.line, here, all, inHost, test.host, tookHere, took, elapsed)
			}
		})
	}
	rec := runLimited(t, `for i = 1, 10 do end`, record.Limits{}, luabind.Options{})
	if rec.LuaProfile != nil {
		t.Error("a run that is not profiled has a profile")
	}
}
