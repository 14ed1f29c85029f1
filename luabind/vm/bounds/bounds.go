// Package bounds names the limits and the sandbox levels of a run, and has its profile.
// It is plain data, for the machine that enforces the bounds and for the reports that show them.
package bounds

import (
	"fmt"
	"strings"
	"time"

	"roclua/internal/units"
)

// Levels of the sandbox.
const (
	SandboxStrict  = "strict"  // preloaded modules, and Lua files in the script's own folder by require
	SandboxProject = "project" // also Lua files in the library folders, and dofile and loadfile for all these files
	SandboxFull    = "full"    // Lua's whole library: files, processes, debug
)

// Sandboxes lists the levels of the sandbox. The first allows least.
var Sandboxes = []string{SandboxStrict, SandboxProject, SandboxFull}

// DefaultSandbox is the level if none is chosen.
const DefaultSandbox = SandboxProject

// Names of the limits of a machine. A host may use other names for its own limits.
const (
	Timeout      = "timeout"
	Instructions = "instructions"
	Heap         = "heap"
	Output       = "output"
)

// LimitUse is a limit that a run reached.
type LimitUse struct {
	Name string `json:"name"` // key of the configuration below limits
	Max  uint64 `json:"max"`  // limit: nanoseconds, instructions or bytes
	Used uint64 `json:"used"` // amount that was used or requested
}

// String describes the use and the limit.
func (u LimitUse) String() string {
	used, limit := units.FormatBytes(u.Used), units.FormatBytes(u.Max)
	switch u.Name {
	case Timeout:
		return fmt.Sprintf("ran longer than its limit of %s (limits.timeout)", time.Duration(u.Max))
	case Instructions:
		return fmt.Sprintf("executed %d instructions; the limit is %d (limits.instructions)", u.Used, u.Max)
	case Heap:
		return fmt.Sprintf("needs %s of memory for Lua values; the limit is %s (limits.heap)", used, limit)
	case Output:
		return fmt.Sprintf("produced %s of output; the limit is %s (limits.output)", used, limit)
	}
	return fmt.Sprintf("used %s of %s; the limit is %s (limits.%s)",
		used, strings.ReplaceAll(u.Name, "_", " "), limit, u.Name)
}

// Profile is where a run spent its time.
type Profile struct {
	Places  []Place
	Samples []Sample
}

// Place is a line of a script, or a function of the host.
type Place struct {
	File    string
	Line    int
	Defined int    // the line on which the function of the line begins; 0 for the main chunk of the file
	Host    string // the name of a function of the host, which has no file; "" for a line
}

// Sample is the time that was spent in one place, called from others.
type Sample struct {
	Stack       []int // indexes of Places, the innermost first
	Nanoseconds int64
	Count       int64 // how often the time was measured
}
