//go:build linux || darwin || freebsd

package nvidia

import (
	"os"
	"strings"
	"testing"

	"roclua/hip/routine"
)

// TestDirectFunctions checks that cuBLAS has the function of every routine that is called with the table's parameters,
// and that its arguments are of the same kinds.
func TestDirectFunctions(t *testing.T) {
	for _, r := range routine.All() {
		if forms[r.Family.ID] == nil || exceptions[r.Family.ID][r.Type] != nil {
			continue
		}
		if !forms[r.Family.ID].has(r.Variant) {
			r, _ = routine.Sibling(r, routine.Plain)
		}
		want := "p" // the handle
		for i := range r.Params {
			switch p := &r.Params[i]; {
			case p.Kind.IsPointer():
				want += "p"
			case p.Kind.IsEnum():
				want += "i"
			case r.Wide || p.Kind == routine.Int64:
				want += "l"
			default:
				want += "i"
			}
		}
		if have, ok := signatures()[symbol(r)]; have != want {
			t.Errorf("%s: %s has the arguments %q, want %q (known: %t)", r.CName(), symbol(r), have, want, ok)
		}
	}
}

// TestRecordedArguments checks the recorded calls of testdata: each has as many arguments as the function, and
// addresses and numbers where the function has pointers and numbers.
func TestRecordedArguments(t *testing.T) {
	text, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		kinds, ok := signatures()[fields[0]]
		if !ok || strings.Contains(fields[0], "Create") {
			continue
		}
		checked++
		if len(fields)-1 != len(kinds) {
			t.Errorf("%d arguments, want %q: %s", len(fields)-1, kinds, line)
			continue
		}
		for i, kind := range kinds {
			value := fields[i+1]
			address := strings.ContainsAny(value, "@*")
			small := len(value) == 1 // null, or a handle
			if kind == 'p' && !address && !small || kind != 'p' && address {
				t.Errorf("argument %d is %s, want the kind %c: %s", i+1, value, kind, line)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d calls were checked", checked)
	}
}
