package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/tests/conformance"
)

// TestArchitectures compares every row of the table of architectures with recorded results of the libraries, which
// make architectures records. A row without results fails.
func TestArchitectures(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		text, err := os.ReadFile(filepath.Join("testdata", name, "architectures.txt"))
		if err != nil {
			t.Fatal(err)
		}
		recorded := map[string]string{}
		for line := range strings.Lines(string(text)) {
			row, results, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			recorded[row] = results
		}
		for _, a := range arch.Names() {
			if have := describe(t, name, a); have != recorded[a] {
				t.Errorf("%s on %s\nthe model:   %s\nthe library: %s", name, a, have, recorded[a])
			}
			delete(recorded, a)
		}
		for row := range recorded {
			t.Errorf("%s has results of %s, which is not in the table", name, row)
		}
	}
}

// describe returns the facts of an architecture that change the model.
func describe(t *testing.T, profile, name string) string {
	t.Helper()
	h := create(t, open(t, name, 1<<30), profile, nil)
	line, err := conformance.Architecture(h, func(r *routine.Routine, given map[routine.Slot]int64) (uint64, error) {
		a := conformance.WithDefaults(r, given)
		for i := range r.Params {
			switch p := &r.Params[i]; {
			case p.Kind == routine.Scalar:
				a.SetScalar(p.Slot, 1)
			case p.Kind.IsPointer():
				a.SetPtr(p.Slot, 4096)
			}
		}
		if err := h.StartQuery(); err != nil {
			return 0, err
		}
		if _, err := h.Call(a); err != nil {
			return 0, err
		}
		return h.StopQuery(false)
	})
	if err != nil {
		t.Fatal(err)
	}
	return line
}
