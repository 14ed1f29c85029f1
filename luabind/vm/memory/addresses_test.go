package memory

import "testing"

// TestAddresses adds addresses twice. A set that spreads them badly takes minutes.
func TestAddresses(t *testing.T) {
	const count, distance = 200_000, 48
	var set addresses
	for round := range 2 {
		for i := range uintptr(count) {
			if isNew := set.add(0xc000000000 + i*distance); isNew != (round == 0) {
				t.Fatalf("round %d: address %d is new: %t", round, i, isNew)
			}
		}
	}
	if set.count != count {
		t.Errorf("%d addresses", set.count)
	}
}
