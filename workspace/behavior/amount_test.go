package behavior

import (
	"math"
	"testing"
)

// TestAmounts checks the numbers and the flag of arithmetic at 2^64, in 64 bits as in the library.
func TestAmounts(t *testing.T) {
	const half = 1 << 32
	of := func(n uint64) amount { return amount{n: n} }
	beyond := func(n uint64) amount { return amount{n, true} }
	for _, test := range []struct {
		name       string
		have, want amount
	}{
		{"nothing", product(), of(1)},
		{"a product", product(3, 5, 7), of(105)},
		{"a factor of 0", product(3, 0), of(0)},
		{"the largest product", product(half-1, half+1), of(math.MaxUint64)},
		{"2^64", product(half, half), beyond(0)},
		{"2^64 times 0", product(half, half, 0), beyond(0)},
		{"2^64 times 1", product(half, half, 1), beyond(0)},
		{"-1", product(-1), beyond(math.MaxUint64)},
		{"-1 times 2", product(2, -1), beyond(math.MaxUint64 - 1)},
		{"0 times -1", product(0, -1), of(0)},
		{"a sum", of(3).plus(of(4)), of(7)},
		{"the largest sum", of(math.MaxUint64).plus(of(0)), of(math.MaxUint64)},
		{"a sum of 2^64", of(math.MaxUint64).plus(of(1)), beyond(0)},
		{"a sum with an overflow before", of(3).plus(beyond(4)), beyond(7)},
		{"a sum with an overflow after", beyond(3).plus(of(4)), beyond(7)},
		{"the larger one, first", larger(of(5), of(4)), of(5)},
		{"the larger one, second", larger(of(5), beyond(6)), beyond(6)},
		{"the first of equal ones", larger(of(5), beyond(5)), of(5)},
	} {
		if test.have != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, test.have, test.want)
		}
	}
}
