package status

import (
	"slices"
	"testing"
)

// TestNames checks the C numbers, the names and the meanings of statuses.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		status      Status
		short, long string
		meaning     string
	}{
		{-1, "-1", "rocblas_status_-1", "not a status of the library"},
		{Success, "success", "rocblas_status_success", "the call succeeded"},
		{MemoryError, "memory_error", "rocblas_status_memory_error",
			"a call needs more workspace than the handle has or can get, or an allocation of device memory failed"},
		{15, "arch_mismatch", "rocblas_status_arch_mismatch", "the architecture does not have this function"},
		{16, "16", "rocblas_status_16", "not a status of the library"},
	} {
		if have := test.status.Short(); have != test.short {
			t.Errorf("Short of %d: %q, want %q", int(test.status), have, test.short)
		}
		if have := test.status.String(); have != test.long {
			t.Errorf("String of %d: %q, want %q", int(test.status), have, test.long)
		}
		if have := test.status.Meaning(); have != test.meaning {
			t.Errorf("Meaning of %d: %q, want %q", int(test.status), have, test.meaning)
		}
	}
}

func TestAll(t *testing.T) {
	list := All()
	if len(list) != 16 || len(names) != len(meanings) {
		t.Errorf("%d statuses, %d names, %d meanings", len(list), len(names), len(meanings))
	}
	for i, s := range list {
		if int(s) != i {
			t.Errorf("status %d is %d", i, int(s))
		}
	}
}

func TestOK(t *testing.T) {
	ok := []Status{Success, SizeIncreased, SizeUnchanged, PerfDegraded}
	for _, s := range All() {
		if s.OK() != slices.Contains(ok, s) {
			t.Errorf("OK of %s: %v", s, s.OK())
		}
	}
}
