package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// TestArchitecture compares what is different on the architecture of the device, if the table has it. With
// -conformance.record it adds the library's results to a file.
func TestArchitecture(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	on, ok := arch.Find(library.Runtime.Device().Properties().Arch)
	if !ok {
		t.Skip("the architecture is not in the table")
	}
	begin(t, library, model)
	defer end(t, library, model)
	describe := func(s *sequence.Side) string {
		line, err := Architecture(s.Handle, func(r *routine.Routine, given map[routine.Slot]int64) (uint64, error) {
			bytes, _, err := needs(s, complete(r, given))
			return bytes, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	have, want := describe(model), describe(library)
	if have != want {
		t.Errorf("%s\nthe model:   %s\nthe library: %s", on, have, want)
	}
	if *record == "" {
		return
	}
	path := filepath.Join(*record, library.Profile.Name, "architectures.txt")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(on.Name + " " + want + "\n"); err != nil {
		t.Fatal(err)
	}
}
