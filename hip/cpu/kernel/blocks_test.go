package kernel_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

type values = map[routine.Slot]int64

// newOf returns a call with the workspace that the library needs.
func newOf(t *testing.T, r *routine.Routine, given values) *randomcall.Call {
	t.Helper()
	buffers := randomcall.BySizeRules(release.Default())
	return randomcall.NewOf(t, r, randomtest.New(t), false, buffers, given)
}

// ofEach checks calls to every routine of a family, with the elements of one buffer that a test gives, or with the
// elements that the library needs.
func ofEach(
	t *testing.T, family routine.FamilyID, given values, share func(a *routine.Args) (buffer.ID, int64),
	check func(name string, c *randomcall.Call),
) {
	t.Helper()
	seed := randomtest.Seed(t)
	for i, rt := range routine.All() {
		if rt.Family.ID != family || !kernel.Has(rt) {
			continue
		}
		buffers := randomcall.BySizeRules(release.Default())
		if share != nil {
			buffers = func(a *routine.Args, _ bool) ([]driver.Buffer, bool) {
				id, n := share(a)
				p, _ := a.Routine.ParamAt(routine.A)
				return []driver.Buffer{{ID: id, Bytes: uint64(n * a.ElementBytes(p))}}, false
			}
		}
		c := randomcall.NewOf(t, rt, rand.New(rand.NewPCG(seed, uint64(i))), false, buffers, given)
		check(rt.CName(), c)
		if t.Failed() {
			return
		}
	}
}

// compute runs a call and compares each problem with the definition.
func compute(t *testing.T, given values) func(name string, c *randomcall.Call) {
	return func(name string, c *randomcall.Call) {
		t.Helper()
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Errorf("%s with %v: %v", name, given, err)
			return
		}
		c.Memory.CheckGuards(t)
		for b := range c.Args.Batch() {
			if err := c.Verify(b); err != nil {
				t.Errorf("%s with %v, problem %d: %v", name, given, b, err)
			}
		}
	}
}

// TestVectorsAtTheBoundsOfBlocks computes reductions of vectors that fill their blocks exactly, or have one element
// more.
func TestVectorsAtTheBoundsOfBlocks(t *testing.T) {
	families := []routine.FamilyID{routine.Asum, routine.Nrm2, routine.Dot, routine.Dotu, routine.Dotc, routine.Iamax,
		routine.Iamin, routine.DotEx, routine.DotcEx, routine.Nrm2Ex}
	sizes := []int64{511, 512, 513, 1024, 1025, 2049, 4097}
	if testing.Short() {
		sizes = []int64{513}
	}
	for _, n := range sizes {
		for _, family := range families {
			given := values{routine.N: n, routine.BatchCount: 2}
			ofEach(t, family, given, nil, compute(t, given))
		}
	}
}

// TestMatricesAtTheBoundsOfBlocks does the same for GEMMs and vectors.
func TestMatricesAtTheBoundsOfBlocks(t *testing.T) {
	for _, given := range []values{
		{routine.M: 1023, routine.N: 3}, {routine.M: 1024, routine.N: 2}, {routine.M: 1025, routine.N: 3},
		{routine.M: 2049, routine.N: 2},
	} {
		given[routine.TransA], given[routine.BatchCount] = routine.OperationConjugateTranspose, 2
		ofEach(t, routine.Gemv, given, columnSums, func(name string, c *randomcall.Call) {
			compute(t, given)(name, c)
			if c.Args.Scalar(routine.Alpha) != 0 && strings.Contains(workspace(t, c), strings.Repeat("\xff", 8)) {
				t.Errorf("%s with %v leaves a part of its workspace unused", name, given)
			}
		})
	}
	orders := []int64{62, 63, 64, 65, 128, 129}
	if testing.Short() {
		orders = orders[2:4]
	}
	for _, n := range orders {
		given := values{routine.N: n, routine.BatchCount: 2}
		ofEach(t, routine.Symv, given, nil, compute(t, given))
		ofEach(t, routine.Hemv, given, nil, compute(t, given))
	}
}

// TestSolvesByPanels gives trsm a workspace for some columns or rows of the solution.
func TestSolvesByPanels(t *testing.T) {
	for _, side := range []int64{routine.SideLeft, routine.SideRight} {
		for _, width := range []int64{0, 1, 2, 7, 9} {
			given := values{routine.Side: side, routine.M: 7, routine.N: 7, routine.BatchCount: 3}
			share := func(a *routine.Args) (buffer.ID, int64) { return buffer.Solution, width * 7 * a.Batch() }
			ofEach(t, routine.Trsm, given, share, compute(t, given))
		}
	}
}

// TestInversesInWorkspace gives getri a workspace for a copy of each matrix.
func TestInversesInWorkspace(t *testing.T) {
	given := values{routine.N: 5, routine.BatchCount: 3}
	share := func(a *routine.Args) (buffer.ID, int64) { return buffer.MatrixCopy, 25 * a.Batch() }
	ofEach(t, routine.Getri, given, share, compute(t, given))
}

// TestFirstOfEqualExtrema finds the first of equal elements in several blocks.
func TestFirstOfEqualExtrema(t *testing.T) {
	for _, name := range []string{"rocblas_idamax", "rocblas_isamin", "rocblas_idamin", "rocblas_isamax"} {
		r, _ := routine.Lookup(name)
		c := newOf(t, r, values{routine.N: 3000})
		x := c.Arrays[routine.X].Data()
		copy(c.Before[routine.X], make([]byte, len(x)))
		clear(x)
		compute(t, nil)(name, c)
	}
}

// TestRankUpdatesOfRankZero scale C and read neither factors nor pointers to them.
func TestRankUpdatesOfRankZero(t *testing.T) {
	for _, op := range []int64{routine.OperationNone, routine.OperationTranspose} {
		for _, name := range []string{"rocblas_dsyrk", "rocblas_dsyrk_batched"} {
			r, _ := routine.Lookup(name)
			c := newOf(t, r, values{routine.N: 4, routine.K: 3, routine.TransA: op})
			c.Args.SetInt(routine.K, 0)
			c.Args.SetInt(routine.LDA, 4)
			c.Args.SetPtr(routine.A, 0)
			c.Args.SetScalar(routine.Alpha, 1)
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Errorf("%s with operation %d: %v", name, op, err)
			}
		}
	}
}

// TestInverseClearsTheOtherTriangle inverts a triangle into another matrix.
func TestInverseClearsTheOtherTriangle(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dtrtri")
	for _, uplo := range []int64{routine.FillUpper, routine.FillLower} {
		c := newOf(t, r, values{routine.N: 5, routine.Uplo: uplo})
		compute(t, nil)("rocblas_dtrtri", c)
		raw, ld := c.Arrays[routine.InvA].Data(), c.Args.Int(routine.LDInvA)
		for j := range int64(5) {
			for i := range int64(5) {
				zero := string(raw[8*(i+j*ld):][:8]) == string(make([]byte, 8))
				if other := i != j && (i < j) != (uplo == routine.FillUpper); zero != other {
					t.Errorf("triangle %d: element (%d, %d) is zero: %v", uplo, i, j, zero)
				}
			}
		}
	}
}

// counted is memory that counts how often a kernel checks whether it should stop, and says so from some check on.
type counted struct {
	*randomcall.Memory
	checks, stop int
}

func (m *counted) GivenUp() bool { m.checks++; return m.checks >= m.stop }

// TestLargeProductsStopBetweenPanels multiplies matrices of two panels of columns, and gives up after the first panel.
func TestLargeProductsStopBetweenPanels(t *testing.T) {
	if testing.Short() {
		t.Skip("the products take too long with the race detector")
	}
	const order, panel = 128, 4096 // 2^26 multiplications
	r, _ := routine.Lookup("rocblas_sgemm")
	for _, test := range []struct {
		opB, n   int64
		stop     int   // the check that says to stop
		computed int64 // columns
	}{
		{routine.OperationNone, panel, 100, panel}, {routine.OperationNone, panel + 3, 100, panel + 3},
		{routine.OperationTranspose, panel + 3, 100, panel + 3}, {routine.OperationNone, panel + 3, 3, panel},
	} {
		c := newOf(t, r, values{routine.TransA: routine.OperationNone, routine.TransB: test.opB, routine.M: order,
			routine.N: test.n, routine.K: order})
		c.Args.SetScalar(routine.Alpha, 1)
		c.Args.SetScalar(routine.Beta, 0)
		for j := range int64(order) {
			for i := range int64(order) {
				c.Put(c.Param(routine.A), 0, i+j*c.Args.Int(routine.LDA), 0)
			}
			c.Put(c.Param(routine.A), 0, j+j*c.Args.Int(routine.LDA), 1)
		}
		if err := kernel.Run(c.Launch, &counted{Memory: c.Memory, stop: test.stop}); err != nil {
			t.Fatal(err)
		}
		c.Memory.CheckGuards(t)
		wantCopy(t, c, order, test.n, test.computed)
	}
}

// wantCopy checks that C is op(B) in its first columns, and as before in the others.
func wantCopy(t *testing.T, c *randomcall.Call, m, n, computed int64) {
	t.Helper()
	ldb, ldc := c.Args.Int(routine.LDB), c.Args.Int(routine.LDC)
	at := func(data []byte, i int64) string { return string(data[4*i:][:4]) }
	for j := range n {
		for i := range m {
			have, want := at(c.Arrays[routine.C].Data(), i+j*ldc), at(c.Before[routine.C], i+j*ldc)
			if j < computed && c.Args.Int(routine.TransB) == routine.OperationNone {
				want = at(c.Arrays[routine.B].Data(), i+j*ldb)
			} else if j < computed {
				want = at(c.Arrays[routine.B].Data(), j+i*ldb)
			}
			if have != want {
				t.Fatalf("n %d, %d computed columns: element (%d, %d) is %v", n, computed, i, j, []byte(have))
			}
		}
	}
}

// TestHas lists the forms that have kernels.
func TestHas(t *testing.T) {
	for cName, want := range map[string]bool{"rocblas_dgemm": true, "rocblas_dgemm_64": true, "rocsolver_dgetrf": true,
		"rocsolver_dgetrf_64": true, "rocsolver_dcsrrf_solve": false} {
		r, ok := routine.Lookup(cName)
		if have := kernel.Has(r); !ok || have != want {
			t.Errorf("%s has a kernel: %v", cName, have)
		}
	}
}
