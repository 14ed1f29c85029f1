package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestOwned releases what t made when the case ends, but neither what the script released, nor other memory.
func TestOwned(t *testing.T) {
	for name, test := range map[string]struct{ body, problem, err string }{
		"all": {body: `local p, q, s, e = t:malloc(64), t:upload(array.of("d", {1, 2})), t:stream(), t:event()
			hip.event_record(e, s)
			t:equal(t:malloc(0), nil)`},
		"non-blocking": {body: `t:stream(hip.stream_non_blocking)`},
		"released": {body: `hip.free(t:malloc(64)) hip.stream_destroy(t:stream()) hip.event_destroy(t:event())
			local p = t:malloc(64) hip.free_async(p) hip.device_synchronize()`},
		"other memory": {body: `local p = t:malloc(2^20) hip.free(p)
			hip.malloc(2^20)`, problem: "leak: 1048576 bytes"},
		"after an error":     {body: `t:malloc(64) t:stream() error("stop")`, err: "stop"},
		"before t:defer":     {body: `local p = t:malloc(64) t:defer(function() hip.memset(p, 0, 64) end)`},
		"more than there is": {body: `t:malloc(2^50)`, err: "hipErrorOutOfMemory"},
		"no size":            {body: `t:malloc()`, err: "t:malloc: size"},
		"no array":           {body: `t:upload({1})`, err: "t:upload: array"},
		"other flags":        {body: `t:stream(7)`, err: "t:stream: flags"},
	} {
		r := run(t, `local hip, array = require "hip", require "array"
			return { run = function(t) `+test.body+` end }`, record.Case{})
		have, problems := "", strings.Join(r.Problems, "; ")
		if r.End != nil {
			have = r.End.String()
		}
		if !strings.Contains(have, test.err) || (test.err == "") != (have == "") {
			t.Errorf("%s: ends with %q, want %q", name, have, test.err)
		}
		if !strings.Contains(problems, test.problem) || (test.problem == "") != (problems == "") {
			t.Errorf("%s: problems %q, want %q", name, problems, test.problem)
		}
		for _, c := range r.Checks {
			if !c.Passed {
				t.Errorf("%s: %s", name, c.Text)
			}
		}
	}
}
