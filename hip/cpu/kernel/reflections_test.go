package kernel_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/routine"
	"roclua/tests/randomcall"
)

// TestReflectionsInEveryForm computes blocks of reflections in every storage, direction, side and operation.
func TestReflectionsInEveryForm(t *testing.T) {
	for _, direct := range []int64{routine.DirectForward, routine.DirectBackward} {
		for _, storev := range []int64{routine.StorevColumns, routine.StorevRows} {
			given := values{routine.Direct: direct, routine.Storev: storev, routine.M: 9, routine.N: 7, routine.K: 3}
			ofEach(t, routine.Larft, given, nil, compute(t, given))
			for _, side := range []int64{routine.SideLeft, routine.SideRight} {
				for _, op := range []int64{routine.OperationNone, routine.OperationTranspose,
					routine.OperationConjugateTranspose} {
					given[routine.Side], given[routine.TransA] = side, op
					ofEach(t, routine.Larfb, given, nil, compute(t, given))
				}
			}
		}
	}
}

// TestMoreReflectionsThanTheirOrder expects an error: the library does not check k.
func TestMoreReflectionsThanTheirOrder(t *testing.T) {
	for _, family := range []routine.FamilyID{routine.Larft, routine.Larfb} {
		given := values{routine.M: 3, routine.N: 3, routine.K: 3}
		ofEach(t, family, given, nil, func(name string, c *randomcall.Call) {
			c.Args.SetInt(routine.K, 4)
			err := kernel.Run(c.Launch, c.Memory)
			if err == nil || !strings.Contains(err.Error(), "k is 4, want at most the order of the reflections, 3") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestExchanges exchanges rows by pivots that begin behind the first one, with increments of either sign.
func TestExchanges(t *testing.T) {
	for _, test := range []struct{ first, last, inc int64 }{{1, 1, 1}, {1, 4, 1}, {3, 4, 1}, {2, 4, 2}, {2, 4, -1},
		{1, 4, -3}} {
		given := values{routine.K1: test.first, routine.K2: test.last, routine.IncX: test.inc, routine.N: 3}
		ofEach(t, routine.Laswp, given, nil, compute(t, given))
	}
	given := values{routine.K1: 2, routine.K2: 3, routine.IncX: -2, routine.N: 3}
	ofEach(t, routine.Laswp, given, nil, func(name string, c *randomcall.Call) {
		cells := c.Arrays[routine.Ipiv].Data()
		binary.LittleEndian.PutUint32(cells, 77) // not read: it comes before k1
		binary.LittleEndian.PutUint32(cells[4*2:], 88)
		c.Before[routine.Ipiv] = bytes.Clone(cells)
		compute(t, given)(name, c)
		binary.LittleEndian.PutUint32(cells[4*3:], 99)
		err := kernel.Run(c.Launch, c.Memory)
		if err == nil || !strings.Contains(err.Error(), "ipiv[3] is 99, want a row of the matrix, 1 to ") {
			t.Errorf("%s: %v", name, err)
		}
		c.Memory.CheckGuards(t)
	})
}

// TestPanelsOfIndefiniteMatrices factorizes no columns, some, and all of them.
func TestPanelsOfIndefiniteMatrices(t *testing.T) {
	for _, nb := range []int64{1, 2, 5, 8, 9} {
		given := values{routine.N: 9, routine.NB: nb}
		ofEach(t, routine.Lasyf, given, nil, compute(t, given))
	}
}
