package replay

import (
	"strings"
	"testing"

	"roclua/hip/function"
)

// TestEachFunctionIsFollowed makes sure that a replay follows each function of HIP that is recorded when it succeeds,
// or that the table has a reason, and not both.
func TestEachFunctionIsFollowed(t *testing.T) {
	followed := 0
	for _, f := range function.All() {
		if strings.HasPrefix(f.Name, "roc") || f.Recorded == function.Never || f.Recorded == function.Failures {
			continue
		}
		name := strings.TrimSuffix(f.Name, perThread)
		follows := runtimeCalls[name] != nil || copyOf(f) != nil
		if reason := f.Unneeded + f.Unfollowed; follows != (reason == "") {
			t.Errorf("%s is followed: %v, and the reason why not is %q", f.Name, follows, reason)
		}
		if follows {
			followed++
		}
	}
	for name := range runtimeCalls {
		if _, ok := function.Lookup(name); !ok {
			t.Errorf("%s is followed, and HIP has no such function", name)
		}
	}
	if followed < 100 {
		t.Errorf("%d functions are followed", followed)
	}
}
