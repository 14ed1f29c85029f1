//go:build linux

package hostile

import (
	"fmt"
	"strings"
)

// attack is a hostile script.
type attack struct {
	name  string
	limit string // exceeded limit: a key of [limits], or "depth" for the stack
	body  string // its code, in the function run or, at plan time, at the top level

	whole  func() string            // returns the whole script, instead of body
	fields string                   // other fields of the scenario
	files  map[string]string        // other files next to the script
	large  func() map[string]string // returns more files
	links  map[string]string        // symbolic links next to the script, by name
	fifos  []string                 // named pipes next to the script
	flags  []string                 // flags of the command
	set    map[string]string        // other limits

	planned  bool  // it also attacks at the top level, when the script is planned
	harmless bool  // it may also pass or fail a check within its limits
	sample   phase // phase of the attack in the default sample; "" for none
}

// atRunIf returns the sample phase of an attack that is in the sample only under a condition.
func atRunIf(sampled bool) phase {
	if sampled {
		return atRun
	}
	return ""
}

// prelude is the start of every script.
const prelude = `local rocblas, rocsolver = require "rocblas", require "rocsolver"
local hip, array = require "hip", require "array"
`

// script returns a script that attacks when run.
func (a attack) script() string {
	if a.whole != nil {
		return a.whole()
	}
	return prelude + "return { run = function(t)\n" + a.body + "\nend,\n" + a.fields + " }\n"
}

// plan returns a script that attacks when planned.
func (a attack) plan() string {
	return prelude + "do\n" + a.body + "\nend\nreturn { run = function(t) end }\n"
}

// nested returns n copies of open, the middle, and n copies of end.
func nested(n int, open, middle, end string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// wide returns n items written by format, each with its number.
func wide(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// attacks returns all attacks.
func attacks() []attack {
	var list []attack
	for _, part := range [][]attack{depthAttacks(), textAttacks(), timeAttacks(), memoryAttacks(), hostAttacks(),
		deviceAttacks(), declaredAttacks(), fileAttacks()} {
		list = append(list, part...)
	}
	return list
}
