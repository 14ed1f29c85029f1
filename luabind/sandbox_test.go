package luabind_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// attempts lets a script report that it got out.
const attempts = `local print, pcall, tostring, type = print, pcall, tostring, type
local function escaped(what) print("ESCAPED: " .. tostring(what)) end
local function attempt(f, ...)
	if type(f) ~= "function" then return end
	local ok, v = pcall(f, ...)
	if ok and v and v ~= "" then escaped(v) end
end
`

// tidy is the case after an escape. It looks for traces.
const tidy = `
assert(("x"):rep(2) == "xx" and ("%d"):format(3) == "3" and table.concat({ 1, 2 }) == "12" and math.floor(1.5) == 1)
assert(coroutine.wrap and getmetatable("") == "string" and not polluted and not stolen and _G._G == _G)
local rocblas, hip, array = require "rocblas", require "hip", require "array"
assert(not rawget(array, "polluted") and not rawget(hip, "polluted") and rocblas.status_success.code == 0)
local h = rocblas.create_handle() hip.free(hip.malloc(8)) rocblas.destroy_handle(h)
print("tidy")`

// TestEscapes runs every escape at both levels of the sandbox. None may get out, end the process, hang, panic, or leave
// traces in the next case.
func TestEscapes(t *testing.T) {
	limits := record.Limits{Instructions: 20_000_000, Heap: 256 << 20, Output: 1 << 20}
	levels := []string{bounds.SandboxProject, bounds.SandboxStrict}
	if raced {
		levels = levels[:1] // the same code, ten times as slow
	}
	t.Logf("%d escapes at %d levels", len(escapes), len(levels))
	for _, level := range levels {
		for _, e := range escapes {
			t.Run(level+"/"+e.group+"/"+e.name, func(t *testing.T) {
				source := fmt.Sprintf("%s\nreturn { run = function(t)\n%s\nprint('END') end }", attempts, e.body)
				o := luabind.Options{Sandbox: level}
				rec := runLimited(t, source, limits, o)
				inspectEscape(t, rec)
				after := runLimited(t, tidy, limits, o)
				if after.End != nil || after.Log != "tidy\n" {
					t.Errorf("the next case: %v %q", after.End, after.Log)
				}
			})
		}
	}
}

// inspectEscape looks for what an escape left behind.
func inspectEscape(t *testing.T, r *record.Record) {
	t.Helper()
	switch {
	case r.End != nil && r.End.Kind == record.EndInternal:
		t.Errorf("a panic: %v\n%s", r.End, r.End.Traceback)
	case r.End != nil && r.End.Limit != nil: // one of the ways to be stopped
	case !strings.HasSuffix(r.Log, "END\n"):
		t.Errorf("did not finish: %v, log %q", r.End, r.Log)
	}
	if strings.Contains(r.Log, "ESCAPED") {
		t.Errorf("got out: %q", r.Log)
	}
}
