package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/routine"
	"roclua/tests/randomcall"
)

// TestPivotsOutsideOfTheMatrix runs solves and inverses with a pivot that is not a row of the matrix, as a script has
// it whose factorization failed. They must be errors, and must not write outside of the matrix.
func TestPivotsOutsideOfTheMatrix(t *testing.T) {
	const n = 40
	for _, family := range []routine.FamilyID{routine.Getrs, routine.Getri, routine.GetriOutOfPlace} {
		for _, pivot := range []int64{0, -1, n + 1, math.MaxInt32, math.MinInt32} {
			ofEach(t, family, values{routine.N: n, routine.NRHS: n}, nil, func(name string, c *randomcall.Call) {
				if c.Args.Batch() == 0 {
					return
				}
				ipiv := c.Arrays[routine.Ipiv].Data()
				if c.Args.Routine.Wide {
					binary.LittleEndian.PutUint64(ipiv[8*7:], uint64(pivot))
				} else {
					binary.LittleEndian.PutUint32(ipiv[4*7:], uint32(pivot))
				}
				err := kernel.Run(c.Launch, c.Memory)
				want := fmt.Sprintf("ipiv[7] is %d, want a row of the matrix, 1 to 40", pivot)
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, pivot %d: %v", name, pivot, err)
				}
				c.Memory.CheckGuards(t)
			})
		}
	}
}
