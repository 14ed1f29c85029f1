package trace

import (
	"slices"
	"testing"
)

// TestEntries adds more entries than are kept and compares the list with a slice. Places must not move.
func TestEntries(t *testing.T) {
	var e entries[int]
	var all []int
	places := map[int]*int{}
	for i := range historyLimit + historyLimit/2 + 3 {
		place, dropped := e.add(i)
		all = append(all, i)[dropped:]
		if i%10007 == 0 {
			places[i] = place
		}
		if i%7 == 0 {
			e.removeLast()
			all = all[:len(all)-1]
			if place, _ := e.next(); *place != 0 {
				t.Fatalf("the place of an entry that was removed has %d", *place)
			}
			e.removeLast()
		}
		if len(all) != e.n {
			t.Fatalf("%d entries after %d were added, want %d", e.n, i+1, len(all))
		}
	}
	for _, from := range []int{0, 1, 5000, e.n - 1, e.n, e.n + 1} {
		if have, want := e.from(from), all[min(from, len(all)):]; !slices.Equal(have, want) {
			t.Errorf("from %d there are %d entries, want %d", from, len(have), len(want))
		}
	}
	for i, place := range places {
		if i%7 != 0 && *place != i {
			t.Errorf("the place of %d has %d", i, *place)
		}
	}
}
