package verify

import "roclua/workspace/sequence"

// same reports whether two results are equal. After a new handle whose memory differs, memory and allocations differ in
// every operation: loose compares only statuses and values, so that this difference hides no other.
func same(want, have sequence.Result, loose bool) bool {
	if loose {
		return want.Status == have.Status && want.Value == have.Value
	}
	return want.Same(have)
}

// sameButMemory reports whether the results of two handles being created differ only in the memory of the handle.
func sameButMemory(want, have sequence.Result) bool {
	other := have
	other.Held, other.Calls = want.Held, want.Calls
	return want.Status == "success" && !want.Same(have) && want.Same(other)
}

// firstDifference returns the index of the first operation with different results, or -1.
func firstDifference(want, have []sequence.Result, loose bool) int {
	for i := range want {
		if !same(want[i], have[i], loose) {
			return i
		}
	}
	return -1
}

// newHandle is the subject of differences of the memory of new handles.
const newHandle = "a new handle"
