// Package fault decides which allocations of a case fail. A Plan is data; Begin returns the function that a
// hip.Runtime calls before every allocation (Runtime.SetFaults). The choice depends only on the order of the case's own
// allocations, so that a case fails in the same way every time.
package fault

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/trace"
	"roclua/internal/nearest"
)

// Plan chooses allocations. Over, Calls, Devices, Streams and Causes select the matching allocations. Nth and Every
// choose which of these fail, by number; without both, all matching allocations fail. With the zero Plan no allocation
// fails.
type Plan struct {
	Nth     []int    // fail these matching allocations, counted from 1
	Every   int      // fail every Nth matching allocation; 0 is none
	Over    uint64   // match only allocations of more bytes; 0 matches all
	Calls   []string // match only allocations by these calls, "hipMalloc"; nil matches all
	Devices []int    // match only allocations on these devices; nil matches all
	Streams []int    // match only hipMallocAsync in these streams, numbered as in a trace; nil matches all
	Causes  []string // match only allocations with these causes, "growth"; nil matches all
}

// Calls are the calls that allocate device memory.
var Calls = []string{"hipMalloc", "hipMallocAsync"}

// Causes are the reasons for allocations: the script, or a library during a call.
var Causes = []string{trace.CauseScript, "create_handle", "set_device_memory_size", "growth", "workspace_allocation"}

// IsZero reports whether the plan makes no allocation fail.
func (p Plan) IsZero() bool {
	return len(p.Nth) == 0 && p.Every == 0 && p.Over == 0 && p.Calls == nil && p.Devices == nil && p.Streams == nil &&
		p.Causes == nil
}

// Check returns an error for an invalid plan. Its text starts with the key of the configuration.
func (p Plan) Check() error {
	for _, n := range p.Nth {
		if n < 1 {
			return fmt.Errorf("nth: %d, allocations are counted from 1", n)
		}
	}
	for _, n := range p.Streams {
		if n < 0 {
			return fmt.Errorf("streams: %d, streams are counted from 1, and 0 is the null stream", n)
		}
	}
	for _, n := range p.Devices {
		if n < 0 {
			return fmt.Errorf("devices: %d, devices are numbered from 0", n)
		}
	}
	if p.Every < 0 {
		return fmt.Errorf("every: %d, must not be negative", p.Every)
	}
	if err := known("calls", p.Calls, Calls); err != nil {
		return err
	}
	return known("causes", p.Causes, Causes)
}

func known(key string, names, all []string) error {
	if names != nil && len(names) == 0 {
		return fmt.Errorf("%s: the list is empty; omit the key to match all", key)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("%s: %q%s (have %s)", key, name, nearest.DidYouMean(name, all), strings.Join(all, ", "))
		}
	}
	return nil
}

// Begin returns a function that counts allocations from the first on, and returns for each why it fails; "" when it
// does not.
func (p Plan) Begin() func(*trace.Call) string {
	counted := 0
	return func(c *trace.Call) string {
		if p.IsZero() || !p.counts(c) {
			return ""
		}
		counted++
		switch {
		case slices.Contains(p.Nth, counted):
			return fmt.Sprintf("nth = %d%s", counted, p.selection())
		case p.Every > 0 && counted%p.Every == 0:
			return fmt.Sprintf("every = %d%s", p.Every, p.selection())
		case len(p.Nth) == 0 && p.Every == 0:
			return "all" + p.selection()
		}
		return ""
	}
}

func (p Plan) counts(c *trace.Call) bool {
	return c.Bytes > p.Over &&
		(p.Calls == nil || slices.Contains(p.Calls, c.Name)) &&
		(p.Causes == nil || slices.Contains(p.Causes, c.Cause)) &&
		(p.Devices == nil || slices.Contains(p.Devices, c.Device)) &&
		(p.Streams == nil || c.HasStream && slices.Contains(p.Streams, c.Stream))
}

// selection describes the matching allocations: " of hipMalloc, over 1024 bytes"; "" for all.
func (p Plan) selection() string {
	var parts []string
	if p.Calls != nil {
		parts = append(parts, strings.Join(p.Calls, " and "))
	}
	if p.Devices != nil {
		parts = append(parts, "devices "+strings.Trim(fmt.Sprint(p.Devices), "[]"))
	}
	if p.Streams != nil {
		parts = append(parts, "streams "+strings.Trim(fmt.Sprint(p.Streams), "[]"))
	}
	if p.Causes != nil {
		parts = append(parts, strings.Join(p.Causes, " and "))
	}
	if p.Over > 0 {
		parts = append(parts, fmt.Sprintf("over %d bytes", p.Over))
	}
	if parts == nil {
		return ""
	}
	return " of " + strings.Join(parts, ", ")
}

// String describes the fault in one line.
func (p Plan) String() string {
	var which []string
	if len(p.Nth) > 0 {
		which = append(which, "nth = "+strings.Trim(fmt.Sprint(p.Nth), "[]"))
	}
	if p.Every > 0 {
		which = append(which, fmt.Sprintf("every = %d", p.Every))
	}
	switch {
	case p.IsZero():
		return "none"
	case which == nil:
		return "all" + p.selection()
	}
	return strings.Join(which, ", ") + p.selection()
}
