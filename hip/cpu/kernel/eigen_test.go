package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/tests/randomcall"
)

// callOf returns a random routine call.
func callOf(t *testing.T, name string, given values) *randomcall.Call {
	t.Helper()
	r, ok := routine.Lookup(name)
	if !ok {
		t.Fatalf("no routine %s", name)
	}
	buffers := randomcall.BySizeRules(release.Default())
	return randomcall.NewOf(t, r, rand.New(rand.NewPCG(7, 8)), false, buffers, given)
}

// integers returns the elements of an array of integers.
func integers(c *randomcall.Call, s routine.Slot) []int32 {
	var list []int32
	for data := c.Arrays[s].Data(); len(data) >= 4; data = data[4:] {
		list = append(list, int32(uint32(data[0])|uint32(data[1])<<8|uint32(data[2])<<16|uint32(data[3])<<24))
	}
	return list
}

// TestOtherMatrixIsNotPositiveDefinite expects n plus the order of the minor in info, for one problem of a batch.
func TestOtherMatrixIsNotPositiveDefinite(t *testing.T) {
	for _, name := range []string{"sygv", "sygvd", "sygvj", "sygvdj", "sygvx", "sygvdx"} {
		given := values{routine.N: 5, routine.BatchCount: 3, routine.Evect: routine.EvectOriginal,
			routine.Erange: routine.ErangeAll}
		c := callOf(t, "rocsolver_d"+name+"_strided_batched", given)
		b := c.Param(routine.B)
		ld, _ := c.Args.Routine.Companion(routine.B, routine.LeadingDimension)
		c.Put(b, 1, 3*(c.Args.Int(ld.Slot)+1), -1)
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		if info := integers(c, routine.Info); info[0] != 0 || info[1] != 5+4 || info[2] != 0 {
			t.Errorf("%s: info %v", name, info)
		}
		for _, problem := range []int64{0, 2} {
			if err := c.Verify(problem); err != nil {
				t.Errorf("%s, problem %d: %v", name, problem, err)
			}
		}
	}
}

// TestValuesThatAreNotFinite gives each routine a matrix with a NaN and an infinity: it ends, and its info says so.
func TestValuesThatAreNotFinite(t *testing.T) {
	for _, name := range []string{"syev", "syevd", "syevj", "syevdj", "syevx", "syevdx", "sygvd", "sygvx", "gesvd",
		"gesdd", "gesvdj", "gesvdx"} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			c := callOf(t, "rocsolver_z"+strings.Replace(name, "sy", "he", 1), values{routine.N: 40, routine.M: 41})
			a := c.Param(routine.A)
			c.Put(a, 0, 0, complex(bad, 0))
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			info := integers(c, routine.Info)[0]
			one := slices.Contains([]string{"syevj", "syevdj", "gesvdj", "gesdd"}, name) // they do not count
			if info <= 0 || one && info != 1 {
				t.Errorf("%s of a matrix with %v: info is %d", name, bad, info)
			}
		}
	}
}

// TestBlocksOfEigenvalues gives stein blocks that are not in the matrix.
func TestBlocksOfEigenvalues(t *testing.T) {
	for _, test := range []struct {
		slot  routine.Slot
		value byte
		want  string
	}{
		{routine.Nev, 9, "nev is 9, want a number of eigenvalues, 0 to 8"},
		{routine.Iblock, 9, "iblock[0] is 9, want a block, 1 to 8"},
		{routine.Iblock, 0, "iblock[0] is 0, want a block, 1 to 8"},
		{routine.Isplit, 0, "isplit[0] is 0, want the last row of a block, 1 to 8"},
		{routine.Isplit, 9, "isplit[0] is 9, want the last row of a block, 1 to 8"},
	} {
		c := callOf(t, "rocsolver_dstein", values{routine.N: 8})
		c.Arrays[test.slot].Data()[0] = test.value
		if err := kernel.Run(c.Launch, c.Memory); err == nil || err.Error() != test.want {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// TestRangesOfValues computes the values of diagonal matrices in intervals whose ends are values.
func TestRangesOfValues(t *testing.T) {
	for _, test := range []struct {
		name        string
		count, vals routine.Slot
		job         routine.Slot
		want        float64
	}{
		{"rocsolver_dsyevx", routine.Nev, routine.VecW, routine.Erange, 3},  // (2, 3]
		{"rocsolver_dsyevdx", routine.Nev, routine.VecW, routine.Erange, 3}, // (2, 3]
		{"rocsolver_dgesvdx", routine.Nsv, routine.VecS, routine.Srange, 2}, // [2, 3)
	} {
		given := values{routine.N: 4, routine.M: 4, routine.LDA: 4, test.job: routine.ErangeValue}
		if test.job == routine.Srange {
			given[test.job] = routine.SrangeValue
		}
		c := callOf(t, test.name, given)
		ld, _ := c.Args.Routine.Companion(routine.A, routine.LeadingDimension)
		for i := range int64(4) {
			for j := range int64(4) {
				c.Put(c.Param(routine.A), 0, i+j*c.Args.Int(ld.Slot), 0)
			}
			c.Put(c.Param(routine.A), 0, i*(c.Args.Int(ld.Slot)+1), complex(float64(i+1), 0))
		}
		c.Args.SetReal(routine.LowerBound, 2)
		c.Args.SetReal(routine.UpperBound, 3)
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		bits := uint64(0)
		for i, v := range c.Arrays[test.vals].Data()[:8] {
			bits |= uint64(v) << (8 * i)
		}
		if n, v := integers(c, test.count)[0], math.Float64frombits(bits); n != 1 || math.Abs(v-test.want) > 1e-14 {
			t.Errorf("%s: %d values, the first is %v, want 1 and %v", test.name, n, v, test.want)
		}
	}
}
