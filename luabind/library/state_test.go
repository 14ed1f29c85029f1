package library

import "testing"

// TestHeldBytesOfHandles counts the memory of handles and allocations.
func TestHeldBytesOfHandles(t *testing.T) {
	s := &State{created: make([]*handleBox, 3), allocations: make([]*allocationBox, 4)}
	if have, want := s.HeldBytes(), uint64(3*handleBytes+4*allocationBytes); have != want {
		t.Errorf("3 handles and 4 allocations: %d bytes, want %d", have, want)
	}
	s.opened = append(s.opened, nil, nil)
	if have, want := s.HeldBytes(), uint64(5*handleBytes+4*allocationBytes); have != want {
		t.Errorf("5 handles and 4 allocations: %d bytes, want %d", have, want)
	}
}
