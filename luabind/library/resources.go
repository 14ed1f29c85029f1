package library

import (
	"fmt"
	"slices"

	"roclua/luabind/record"
	"roclua/workspace"
)

// Approximate sizes in bytes of what a script holds outside of Lua.
const (
	handleBytes     = 1024
	allocationBytes = 256
)

// HeldBytes returns the host memory of handles and allocations.
func (ls *State) HeldBytes() uint64 {
	return uint64(len(ls.created)+len(ls.opened))*handleBytes + uint64(len(ls.allocations))*allocationBytes
}

// Close releases allocations in reverse order, then destroys the handles that the script did not destroy, then those
// that were opened for it. Those that the script should have released are problems of the record.
func (ls *State) Close(r *record.Record) {
	var unreleased, undestroyed []string
	for _, a := range slices.Backward(ls.allocations) {
		if !a.Released() {
			unreleased = append(unreleased, "an allocation made at "+a.made+" was not released")
			a.Release()
		}
	}
	for _, box := range slices.Backward(ls.created) {
		if box.destroyed == "" {
			text := "leak: the handle made at " + box.made + " was not destroyed"
			if err := box.handle.Destroy(); err != nil {
				text += "; destroying it failed: " + err.Error()
			}
			undestroyed = append(undestroyed, text)
		}
	}
	r.AddProblems(len(unreleased), func(i int) string { return unreleased[i] }, func(rest int) string {
		return fmt.Sprintf("%d more allocations were not released; %d in all", rest, len(unreleased))
	})
	r.AddProblems(len(undestroyed), func(i int) string { return undestroyed[i] }, func(rest int) string {
		return fmt.Sprintf("leak: %d more; %d handles in all", rest, len(undestroyed))
	})
	var failed record.Failures
	for _, o := range slices.Backward(ls.opened) {
		failed.Add(o.Close())
	}
	r.AddFailures("closing the scenario's handle failed", failed)
}

// Holder is an open handle, or an allocation that was not released.
type Holder struct {
	Text string // such as "rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))"
	Made string // where the script made it; "" if the session did
}

// Holders lists what holds device memory: opened handles, created handles, then allocations.
func (ls *State) Holders() []Holder {
	var list []Holder
	for _, o := range ls.opened {
		if !o.Destroyed() {
			list = append(list, Holder{Text: o.String()})
		}
	}
	for _, box := range ls.created {
		if box.destroyed == "" {
			list = append(list, Holder{box.handle.String(), box.made})
		}
	}
	for _, a := range ls.allocations {
		if !a.Released() {
			list = append(list, Holder{"allocation of " + workspace.FormatBytes(a.Bytes()), a.made})
		}
	}
	return list
}
