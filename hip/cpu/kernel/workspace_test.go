package kernel_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

// workspace returns the bytes of a call's only buffer.
func workspace(t *testing.T, c *randomcall.Call) string {
	t.Helper()
	data, err := c.Memory.Bytes(uint64(c.Launch.Work[0].Ptr), int64(c.Launch.Work[0].Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// columnSums is the workspace of a gemv that adds the sums of parts of its columns.
func columnSums(a *routine.Args) (buffer.ID, int64) {
	return buffer.ColumnSums, ((a.Int(routine.M)-1)/1024 + 1) * a.Int(routine.N) * a.Batch()
}

// TestProblemsHaveTheirShareOfTheWorkspace finds the results that each problem of a batch, and each block, leaves in
// the workspace.
func TestProblemsHaveTheirShareOfTheWorkspace(t *testing.T) {
	for name, test := range map[string]struct {
		n     int64
		cells int64
		idle  func(cell int64) bool
	}{
		"rocblas_dasum_strided_batched": {513, 3 * 2, nil}, "rocblas_ddot_strided_batched": {1025, 3 * 2, nil},
		"rocblas_dtrmv_strided_batched": {5, 3 * 5, nil},
		// The second block has one column, and only its diagonal is in the lower triangle.
		"rocblas_dsymv_strided_batched": {65, 3 * 2 * 65, func(cell int64) bool {
			return cell/65%2 == 1 && cell%65 < 64
		}},
	} {
		r, _ := routine.Lookup(name)
		v := values{routine.N: test.n, routine.BatchCount: 3}
		if test.idle != nil {
			v[routine.Uplo] = routine.FillLower
		}
		c := newOf(t, r, v)
		c.Args.SetScalar(routine.Alpha, 1)
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		cells := workspace(t, c)
		for i := range test.cells {
			cell := cells[8*i:][:8]
			unused := cell == strings.Repeat("\xff", 8) || cell == strings.Repeat("\x00", 8)
			if unused != (test.idle != nil && test.idle(i)) {
				t.Errorf("%s: cell %d of the workspace is unused: %v", name, i, unused)
			}
		}
	}
	r, _ := routine.Lookup("rocblas_dtrsv_batched")
	c := newOf(t, r, values{routine.N: 5, routine.BatchCount: 3})
	compute(t, nil)("rocblas_dtrsv_batched", c)
	if have, want := workspace(t, c), strings.Repeat("\x05\x00\x00\x00", 3); !strings.HasPrefix(have, want) {
		t.Errorf("the workspace of trsv starts with %q, want the finished rows %q", have[:12], want)
	}
	c.Launch.Work = nil // trsv needs no workspace
	if err := kernel.Run(c.Launch, c.Memory); err != nil {
		t.Error(err)
	}
}

// TestWorkspaceOfOneCell gives a reduction of one block exactly the workspace for its partial sum.
func TestWorkspaceOfOneCell(t *testing.T) {
	for _, name := range []string{"rocblas_dasum", "rocblas_dot_ex", "rocblas_nrm2_ex"} {
		r, _ := routine.Lookup(name)
		buffers := func(a *routine.Args, _ bool) ([]driver.Buffer, bool) {
			size, ok := routine.SizeofDatatype(a.Int(routine.ExecutionType))
			if !ok {
				size = 8
			}
			return []driver.Buffer{{ID: buffer.PartialSums, Bytes: uint64(size)}}, false
		}
		compute(t, nil)(name, randomcall.NewOf(t, r, randomtest.New(t), false, buffers,
			values{routine.N: 9}))
	}
}

// TestPartialSumsOfAnyType finds the partial sums of each problem of dot_ex in the workspace.
func TestPartialSumsOfAnyType(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dot_strided_batched_ex")
	c := newOf(t, r, values{routine.N: 513, routine.BatchCount: 3})
	compute(t, nil)(r.CName(), c)
	size, _ := routine.SizeofDatatype(c.Args.Int(routine.ExecutionType))
	if have := workspace(t, c)[:6*size]; strings.Contains(have, strings.Repeat("\xff", int(size))) {
		t.Errorf("the workspace of dot_ex starts with %q", have)
	}
}

// TestWorkspaceThatIsTooSmall gives every call one byte of each buffer: kernels that need a workspace fail.
func TestWorkspaceThatIsTooSmall(t *testing.T) {
	small := func(a *routine.Args, _ bool) ([]driver.Buffer, bool) {
		var list []driver.Buffer
		for _, id := range a.Routine.Family.Buffers {
			list = append(list, driver.Buffer{ID: id, Bytes: 1})
		}
		return list, false
	}
	need := []routine.FamilyID{routine.Asum, routine.Nrm2, routine.Dot, routine.Dotu, routine.Dotc, routine.Iamax,
		routine.Iamin, routine.DotEx, routine.DotcEx, routine.Nrm2Ex, routine.Trmv, routine.Tpmv, routine.Tbmv,
		routine.Symv, routine.Hemv, routine.Gesv, routine.Posv}
	for _, family := range need {
		for _, rt := range routine.All() {
			if rt.Family.ID != family || rt.Variant != routine.Plain || !kernel.Has(rt) {
				continue
			}
			r := randomtest.New(t)
			c := randomcall.NewOf(t, rt, r, false, small, values{routine.N: 9, routine.NRHS: 2})
			c.Args.SetScalar(routine.Alpha, 1)
			c.Launch.OnDevice, c.Launch.Result = false, driver.Ptr(c.Args.Ptr(routine.A))
			err := kernel.Run(c.Launch, c.Memory)
			want := "workspace"
			if rt.Family.Level == 1 {
				want = "a reduction of 1 blocks has a workspace of 0 cells"
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", rt.CName(), err, want)
			}
		}
	}
}

// arena is one block of memory at address 0, so that the arrays of a call can overlap.
type arena []float64

func (m arena) GivenUp() bool { return false }

func (m arena) Bytes(p uint64, n int64) ([]byte, error) {
	return unsafe.Slice((*byte)(unsafe.Pointer(&m[p/8])), n), nil
}

// TestSolutionsStayInTheWorkspace solves with matrices that are apart, and that overlap. In both cases A and B are read
// before B is written, and the workspace has the solution afterwards.
func TestSolutionsStayInTheWorkspace(t *testing.T) {
	const n, work = 4, 64
	random := randomtest.New(t)
	r, _ := routine.Lookup("rocblas_dtrsm")
	for _, side := range []blas.Side{blas.Left, blas.Right} {
		for _, b := range []int{32, 16, 12, 4, 0} { // A has the elements from 0 to 15
			m := make(arena, work+n*n)
			for i := range m {
				m[i] = 1 + random.Float64()
			}
			x := slices.Clone(m[b : b+n*n])
			blas.Trsm(side, blas.Lower, blas.None, blas.NonUnit, n, n, 1,
				blas.Matrix[float64]{Data: slices.Clone(m[:n*n]), LD: n}, blas.Matrix[float64]{Data: x, LD: n})
			want := slices.Clone(m)
			copy(want[b:], x)
			copy(want[work:], x)
			a := r.New()
			given := values{routine.Side: int64(side), routine.Uplo: routine.FillLower,
				routine.TransA: routine.OperationNone, routine.Diag: routine.DiagonalNonUnit, routine.M: n,
				routine.N: n, routine.LDA: n, routine.LDB: n, routine.B: int64(8 * b)}
			for slot, value := range given {
				a.SetInt(slot, value)
			}
			a.SetScalar(routine.Alpha, 1)
			l := &driver.Launch{Args: a, Work: []driver.Work{{ID: buffer.Solution,
				Span: driver.Span{Ptr: 8 * work, Bytes: 8 * n * n}}}}
			if err := kernel.Run(l, m); err != nil || !slices.Equal(m, want) {
				t.Errorf("side %d, B from element %d: have %v, want %v (%v)", side, b, m, want, err)
			}
		}
	}
}
