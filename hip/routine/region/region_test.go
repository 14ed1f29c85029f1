package region

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/routine"
	"roclua/internal/randomtest"
)

type values = map[routine.Slot]int64

// arguments returns a routine call with every pointer set to base and integers by slot.
func arguments(t *testing.T, cName string, ints values) *routine.Args {
	t.Helper()
	r, ok := routine.Lookup(cName)
	if !ok {
		t.Fatalf("no routine %s", cName)
	}
	a := r.New()
	for s, v := range ints {
		a.SetInt(s, v)
	}
	return a
}

// shape has the compared properties of a region.
type shape struct {
	Name                             string
	Access                           routine.Access
	Base, Rows, Cols, Pitch          uint64
	Count, Stride, Elem, Low, Extent uint64
	Shape                            Shape
	Indirect                         bool
}

func shapes(list []Region) []shape {
	var out []shape
	for _, r := range list {
		low, n := r.Bounds()
		out = append(out, shape{r.Param.Name, r.Access, r.Base, r.Rows, r.Cols, r.Pitch, r.Count, r.Stride, r.Elem,
			low, n, r.Shape, r.Indirect})
	}
	return out
}

func TestOf(t *testing.T) {
	tests := []struct {
		name  string
		cName string
		ints  values
		alpha complex128
		want  []shape
	}{
		{"matrix with a pitch and a contiguous one", "rocblas_dgemm",
			values{routine.TransA: routine.OperationTranspose, routine.TransB: routine.OperationNone, routine.M: 2,
				routine.N: 3, routine.K: 4,
				routine.A: 1000, routine.LDA: 5, routine.B: 2000, routine.LDB: 4, routine.C: 3000, routine.LDC: 8,
				routine.Beta: 5000}, 1,
			[]shape{
				{"A", routine.In, 1000, 4, 2, 40, 1, 0, 8, 1000, 72, Full, false},
				{"B", routine.In, 2000, 12, 1, 0, 1, 0, 8, 2000, 96, Full, false},
				{"beta", routine.In, 5000, 1, 1, 0, 1, 0, 8, 5000, 8, Full, false},
				{"C", routine.InOut, 3000, 2, 3, 64, 1, 0, 8, 3000, 144, Full, false}}},
		{"factors are not read when alpha is zero", "rocblas_dgemm",
			values{routine.TransA: routine.OperationNone, routine.TransB: routine.OperationNone, routine.M: 2,
				routine.N: 1, routine.K: 4,
				routine.A: 1000, routine.LDA: 5, routine.B: 2000, routine.LDB: 4, routine.C: 3000, routine.LDC: 8}, 0,
			[]shape{{"C", routine.InOut, 3000, 2, 1, 0, 1, 0, 8, 3000, 16, Full, false}}},
		{"factors without elements", "rocblas_dgemm",
			values{routine.TransA: routine.OperationNone, routine.TransB: routine.OperationNone, routine.M: 2,
				routine.N: 1, routine.K: 0,
				routine.A: 1000, routine.LDA: 5, routine.B: 2000, routine.LDB: 4, routine.C: 3000, routine.LDC: 8}, 1,
			[]shape{{"C", routine.InOut, 3000, 2, 1, 0, 1, 0, 8, 3000, 16, Full, false}}},
		{"triangle, negative increment", "rocblas_ztrmv",
			values{routine.Uplo: routine.FillLower, routine.TransA: routine.OperationNone, routine.N: 3,
				routine.A: 1000, routine.LDA: 4, routine.X: 3000, routine.IncX: -2}, 0,
			[]shape{
				{"A", routine.In, 1000, 3, 3, 64, 1, 0, 16, 1000, 176, LowerTriangle, false},
				{"x", routine.InOut, 3000, 1, 3, 32, 1, 0, 16, 3000, 80, Full, false}}},
		{"packed and band", "rocblas_stpmv", values{routine.Uplo: routine.FillUpper, routine.N: 3, routine.A: 1000,
			routine.X: 3000, routine.IncX: 1}, 0,
			[]shape{
				{"A", routine.In, 1000, 6, 1, 0, 1, 0, 4, 1000, 24, Full, false},
				{"x", routine.InOut, 3000, 3, 1, 0, 1, 0, 4, 3000, 12, Full, false}}},
		{"band", "rocblas_stbmv", values{routine.Uplo: routine.FillUpper, routine.N: 3, routine.K: 1,
			routine.A: 1000, routine.LDA: 4, routine.X: 3000, routine.IncX: 1}, 0,
			[]shape{
				{"A", routine.In, 1000, 2, 3, 16, 1, 0, 4, 1000, 40, Full, false},
				{"x", routine.InOut, 3000, 3, 1, 0, 1, 0, 4, 3000, 12, Full, false}}},
		{"batch by strides, one of them negative", "rocsolver_dgetrf_strided_batched",
			values{routine.M: 2, routine.N: 2, routine.A: 1000, routine.LDA: 2, routine.StrideA: -10,
				routine.Ipiv: 5000, routine.StrideP: 2, routine.Info: 6000,
				routine.BatchCount: 3}, 0,
			[]shape{
				{"A", routine.InOut, 840, 4, 1, 0, 3, 80, 8, 840, 192, Full, false},
				{"ipiv", routine.Out, 5000, 6, 1, 0, 1, 0, 4, 5000, 24, Full, false},
				{"info", routine.Out, 6000, 3, 1, 0, 1, 0, 4, 6000, 12, Full, false}}},
		{"batch by pointers", "rocsolver_dgetrf_batched",
			values{routine.M: 2, routine.N: 2, routine.A: 1000, routine.LDA: 2, routine.Ipiv: 5000,
				routine.StrideP: 5, routine.Info: 6000, routine.BatchCount: 3}, 0,
			[]shape{
				{"A", routine.In, 1000, 3, 1, 0, 1, 0, 8, 1000, 24, Full, false},
				{"A", routine.InOut, 1000, 2, 2, 16, 3, 0, 8, 1000, 32, Full, true},
				{"ipiv", routine.Out, 5000, 2, 1, 0, 3, 20, 4, 5000, 48, Full, false},
				{"info", routine.Out, 6000, 3, 1, 0, 1, 0, 4, 6000, 12, Full, false}}},
		{"a solver without right-hand sides", "rocsolver_dgesv_strided_batched",
			values{routine.N: 2, routine.A: 1000, routine.LDA: 2, routine.Ipiv: 5000, routine.B: 7000,
				routine.LDB: 2, routine.Info: 6000, routine.BatchCount: 3}, 0,
			[]shape{{"info", routine.Out, 6000, 3, 1, 0, 1, 0, 4, 6000, 12, Full, false}}},
		{"results in device pointer mode", "rocblas_idamax_strided_batched_64",
			values{routine.N: 2, routine.X: 1000, routine.IncX: 1, routine.StrideX: 2, routine.BatchCount: 2,
				routine.Result: 7000}, 0,
			[]shape{
				{"x", routine.In, 1000, 4, 1, 0, 1, 0, 8, 1000, 32, Full, false},
				{"result", routine.Out, 7000, 2, 1, 0, 1, 0, 8, 7000, 16, Full, false}}},
		{"result on the host, nothing to do", "rocblas_dasum",
			values{routine.N: 0, routine.X: 1000, routine.IncX: 1, routine.Result: routine.Host}, 0, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := arguments(t, test.cName, test.ints)
			if a.Routine.Has(routine.Alpha) {
				a.SetScalar(routine.Alpha, test.alpha)
			}
			if diff := cmp.Diff(test.want, shapes(Of(a))); diff != "" {
				t.Errorf("regions (-want +have):\n%s", diff)
			}
		})
	}
}

// TestRegionsOfSmallestArguments lays every routine of the table out as tightly as it allows: no array may then reach
// beyond the room of its smallest stride, nor overflow for the largest sizes.
func TestRegionsOfSmallestArguments(t *testing.T) {
	for _, r := range routine.All() {
		for _, size := range []int64{1, 7, 1<<31 - 1} {
			a := r.New()
			for i := range r.Params {
				switch p := &r.Params[i]; {
				case p.Kind.IsPointer():
					a.SetPtr(p.Slot, 1<<50)
				case p.Slot == routine.BatchCount:
					a.SetInt(p.Slot, 1)
				case p.Kind == routine.Datatype:
					a.SetInt(p.Slot, routine.DatatypeBF16)
				case p.Kind.IsInteger():
					a.SetInt(p.Slot, size)
				}
			}
			a.SetInt(routine.Uplo, routine.FillUpper)
			for i := range r.Params {
				if p := &r.Params[i]; p.Of != 0 {
					a.SetInt(p.Slot, routine.Smallest(a, p))
				}
			}
			for _, region := range Of(a) {
				low, n := region.Bounds()
				if region.Indirect || region.Param.Kind == routine.ArrayOfArrays {
					continue
				}
				most := product(uint64(max(1, elements(a, region.Param))), region.Elem)
				if low != 1<<50 || n == 0 || n > most {
					t.Errorf("%s of size %d: %s spans %d bytes at %#x, its smallest stride is %d bytes",
						r.Name, size, region.Param.Name, n, low, most)
				}
			}
		}
	}
}

// elements returns the elements of an array without gaps between its problems.
func elements(a *routine.Args, p *routine.Param) int64 {
	rows := p.Rows.Of(a)
	switch p.Layout {
	case routine.Vector:
		inc, _ := companion(a, p, routine.Increment)
		return rows * max(inc, -inc)
	case routine.Packed:
		return rows * (rows + 1) / 2
	case routine.Contiguous:
		return rows
	}
	ld, _ := companion(a, p, routine.LeadingDimension)
	return ld * p.Cols.Of(a)
}

func TestThroughJoinsEqualDistances(t *testing.T) {
	r := Region{Access: routine.InOut, Elem: 8, Rows: 2, Cols: 2, Pitch: 24, Count: 5, Indirect: true}
	have := r.Through([]uint64{1000, 1100, 1200, 5000, 4000, 9000})
	want := []Region{
		{Access: routine.InOut, Elem: 8, Rows: 2, Cols: 2, Pitch: 24, Base: 1000, Count: 3, Stride: 100},
		{Access: routine.InOut, Elem: 8, Rows: 2, Cols: 2, Pitch: 24, Base: 4000, Count: 2, Stride: 1000},
		{Access: routine.InOut, Elem: 8, Rows: 2, Cols: 2, Pitch: 24, Base: 9000, Count: 1},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("regions (-want +have):\n%s", diff)
	}
}

// touched lists the bytes of a region one by one: the definition that Overlap must agree with.
func touched(r Region) map[uint64]bool {
	set := map[uint64]bool{}
	for b := range r.Count {
		for j := range r.Cols {
			for i := range r.Rows {
				if r.Shape == UpperTriangle && i > j || r.Shape == LowerTriangle && i < j {
					continue
				}
				for e := range r.Elem {
					set[r.Base+b*r.Stride+j*r.Pitch+i*r.Elem+e] = true
				}
			}
		}
	}
	return set
}

// randomRegion returns a region with up to most rows, columns and problems.
func randomRegion(rng *rand.Rand, most int) Region {
	elem := uint64(1) << rng.IntN(3)
	n := func(limit int) uint64 { return uint64(min(most, 1+rng.IntN(limit))) }
	r := Region{Elem: elem, Rows: n(5), Cols: n(5), Count: n(3), Base: 500 + uint64(rng.IntN(200)),
		Shape: Shape(rng.IntN(3))}
	if r.Shape != Full {
		r.Cols = r.Rows
	}
	r.Pitch = (r.Rows + uint64(rng.IntN(4))) * elem
	if rng.IntN(2) == 0 {
		r.Pitch = 16 // a pitch that others have too
	}
	if r.Shape != Full {
		r.Pitch = max(r.Pitch, r.Rows*elem)
	}
	r.spread(int64(rng.IntN(200)) - 100)
	r.normalize()
	return r
}

func TestOverlapAgainstBytes(t *testing.T) {
	both := [2]int{}
	randomtest.Each(t, 20000, 5, func(t *testing.T, rng *rand.Rand, length int) {
		r, o := randomRegion(rng, length), randomRegion(rng, length)
		want := false
		have, others := touched(r), touched(o)
		for b := range have {
			want = want || others[b]
		}
		at, n, ok := r.Overlap(&o)
		if ok != want {
			t.Fatalf("%+v and %+v: overlap %v, want %v", r, o, ok, want)
		}
		for b := at; b < at+n; b++ {
			if !have[b] || !others[b] {
				t.Fatalf("%+v and %+v: byte %d of [%d, %d) is not common", r, o, b, at, at+n)
			}
		}
		if r.Covers(&o) {
			for b := range others {
				if !have[b] {
					t.Fatalf("%+v is said to cover %+v, but not byte %d", r, o, b)
				}
			}
		}
		if ok {
			both[1]++
		} else {
			both[0]++
		}
	})
	if both[0] < 1000 || both[1] < 1000 {
		t.Errorf("the draw is one-sided: %d apart, %d overlapping", both[0], both[1])
	}
}

func TestBlocksOfOneMatrixAreApart(t *testing.T) {
	block := func(row, col, rows, cols uint64) *Region {
		const ld = 4096
		r := &Region{Base: 1<<50 + (col*ld+row)*8, Elem: 8, Rows: rows, Cols: cols, Pitch: ld * 8, Count: 1}
		r.normalize()
		return r
	}
	upper, lower := block(0, 0, 2048, 4096), block(2048, 0, 2048, 4096)
	if _, _, ok := upper.Overlap(lower); ok {
		t.Error("two row blocks overlap")
	}
	if at, n, ok := upper.Overlap(block(2047, 7, 2, 1)); !ok || at != 1<<50+(7*4096+2047)*8 || n != 8 {
		t.Errorf("one common element: at %#x, %d bytes, %v", at, n, ok)
	}
	if _, _, ok := block(0, 0, 4096, 2048).Overlap(block(0, 2048, 4096, 2048)); ok {
		t.Error("two column blocks overlap")
	}
}

// TestSeriesVisitsWhatMeets checks that each visits the pairs of intervals that meet and no others: for equal steps one
// pair of each shift.
func TestSeriesVisitsWhatMeets(t *testing.T) {
	draw := func(rng *rand.Rand, most int) series {
		s := series{base: int64(rng.IntN(60)), width: int64(1 + rng.IntN(6)), count: int64(min(most, 1+rng.IntN(5)))}
		if step := int64(1 + rng.IntN(8)); rng.IntN(2) == 0 || s.count > 1 {
			s.step = step
		}
		return s
	}
	randomtest.Each(t, 20000, 5, func(t *testing.T, rng *rand.Rand, length int) {
		s, o := draw(rng, length), draw(rng, length)
		shifts := s.step == o.step && s.step > 0
		want, have := map[[2]int64]bool{}, map[[2]int64]bool{}
		for i := range s.count {
			for j := range o.count {
				low, otherLow := s.base+i*s.step, o.base+j*o.step
				if low < otherLow+o.width && otherLow < low+s.width {
					if shifts {
						want[[2]int64{max(0, i-j), max(0, j-i)}] = true
					} else {
						want[[2]int64{i, j}] = true
					}
				}
			}
		}
		s.each(o, func(i, j int64) bool {
			have[[2]int64{i, j}] = true
			return true
		})
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatalf("%+v and %+v: pairs (-want +have):\n%s", s, o, diff)
		}
	})
}

func TestCovers(t *testing.T) {
	whole := Span(100, 50, routine.In)
	for _, test := range []struct {
		base, bytes uint64
		want        bool
	}{{100, 50, true}, {100, 10, true}, {140, 10, true}, {120, 1, true}, {99, 10, false}, {141, 10, false},
		{99, 52, false}} {
		part := Span(test.base, test.bytes, routine.Out)
		if have := whole.Covers(&part); have != test.want {
			t.Errorf("%d bytes at %d: %v, want %v", test.bytes, test.base, have, test.want)
		}
	}
}

// TestEmptyBatchHasNoRegions checks that a call for no problems touches no memory.
func TestEmptyBatchHasNoOf(t *testing.T) {
	a := arguments(t, "rocblas_dasum_strided_batched", values{routine.N: 2, routine.X: 1000, routine.IncX: 1,
		routine.StrideX: 2, routine.Result: 7000,
		routine.BatchCount: 0})
	if list := Of(a); len(list) > 0 {
		t.Errorf("regions %v", list)
	}
}

func TestIntervals(t *testing.T) {
	r := Region{Base: 1000, Elem: 8, Rows: 2, Cols: 2, Pitch: 32, Count: 2, Stride: 100, Shape: LowerTriangle}
	var have [][2]uint64
	r.Intervals(func(low, high uint64) bool {
		have = append(have, [2]uint64{low, high})
		return len(have) < 3
	})
	if diff := cmp.Diff([][2]uint64{{1000, 1016}, {1040, 1048}, {1100, 1116}}, have); diff != "" {
		t.Error(diff)
	}
	empty := Region{Base: 1000, Elem: 8, Rows: 1, Cols: 2, Pitch: 32, Count: 1, Shape: LowerTriangle}
	n := 0
	empty.Intervals(func(low, high uint64) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d columns have elements, want 1", n)
	}
	if have := r.String(); have != "workspace (148 bytes)" {
		t.Error(have)
	}
	r.Param = &routine.Param{Name: "A"}
	if have := r.String(); have != "A (148 bytes)" {
		t.Error(have)
	}
}
