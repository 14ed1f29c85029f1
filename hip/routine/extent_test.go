package routine

import "testing"

// TestExtentsOfArrays compares the rows and columns of arrays whose extents depend on enumerations or on several sizes.
// Vectors have rows only.
func TestExtentsOfArrays(t *testing.T) {
	sizes := map[Slot]int64{M: 7, N: 5, K: 3}
	for _, test := range []struct {
		routine    string
		array      Slot
		options    map[Slot]int64
		rows, cols int64
	}{
		{"rocsolver_dlarft", MatV, map[Slot]int64{Storev: StorevColumns}, 5, 3},
		{"rocsolver_dlarft", MatV, map[Slot]int64{Storev: StorevRows}, 3, 5},
		{"rocsolver_dlarfb", MatV, map[Slot]int64{Storev: StorevColumns, Side: SideLeft}, 7, 3},
		{"rocsolver_dlarfb", MatV, map[Slot]int64{Storev: StorevColumns, Side: SideRight}, 5, 3},
		{"rocsolver_dlarfb", MatV, map[Slot]int64{Storev: StorevRows, Side: SideLeft}, 3, 7},
		{"rocsolver_dlarfb", MatV, map[Slot]int64{Storev: StorevRows, Side: SideRight}, 3, 5},
		{"rocsolver_dormbr", A, map[Slot]int64{Storev: StorevColumns, Side: SideLeft}, 7, 3},
		{"rocsolver_dormbr", A, map[Slot]int64{Storev: StorevRows, Side: SideLeft}, 3, 7},
		{"rocsolver_dormbr", A, map[Slot]int64{Storev: StorevRows, Side: SideRight}, 3, 5},
		{"rocsolver_dormbr", A, map[Slot]int64{Storev: StorevRows, Side: SideRight, K: 9}, 5, 5},
		{"rocsolver_dormbr", Ipiv, map[Slot]int64{Storev: StorevRows, Side: SideRight}, 3, 0},
		{"rocsolver_dorgbr", Ipiv, map[Slot]int64{Storev: StorevColumns, K: 6}, 6, 0},
		{"rocsolver_dorgbr", Ipiv, map[Slot]int64{Storev: StorevRows, K: 6}, 5, 0},
		{"rocsolver_dormtr", A, map[Slot]int64{Side: SideLeft}, 7, 7},
		{"rocsolver_dormtr", A, map[Slot]int64{Side: SideRight}, 5, 5},
		{"rocsolver_dormtr", Ipiv, map[Slot]int64{Side: SideLeft}, 6, 0},
		{"rocsolver_dormtr", Ipiv, map[Slot]int64{Side: SideRight}, 4, 0},
		{"rocsolver_dormqr", A, map[Slot]int64{Side: SideRight}, 5, 3},
		{"rocsolver_dormlq", A, map[Slot]int64{Side: SideRight}, 3, 5},
		{"rocsolver_dgebrd", VecD, nil, 5, 0},
		{"rocsolver_dgebrd", VecE, nil, 4, 0},
		{"rocsolver_dgebrd", VecE, map[Slot]int64{M: 3}, 2, 0},
		{"rocsolver_dsytrd", VecE, nil, 4, 0},
		{"rocsolver_dlarfg", X, nil, 4, 0},
	} {
		a := arguments(t, test.routine, sizes)
		for s, v := range test.options {
			a.SetInt(s, v)
		}
		p, ok := a.Routine.ParamAt(test.array)
		if !ok {
			t.Fatalf("%s has no array %s", test.routine, slotName(test.array))
		}
		if rows, cols := p.Rows.Of(a), p.Cols.Of(a); rows != test.rows || cols != test.cols {
			t.Errorf("%s of %s with %v: %d x %d, want %d x %d", p.Name, test.routine, test.options, rows, cols,
				test.rows, test.cols)
		}
	}
}

// TestEmpty checks which sizes of 0 leave a routine nothing to compute.
func TestEmpty(t *testing.T) {
	for _, test := range []struct {
		routine string
		zero    Slot
		want    bool
	}{
		{"rocsolver_dgetrf", M, true}, {"rocsolver_dgetrf", N, true}, {"rocsolver_dgetrf_batched", BatchCount, true},
		{"rocsolver_dgetrs", NRHS, true}, {"rocsolver_dormqr", K, true}, {"rocsolver_dlatrd", K, true},
		{"rocsolver_dlarft", K, false}, // the factor of no reflections
		{"rocsolver_dgetrf", K, false}, // a size that it does not have
		{"rocblas_dgemm", M, false},    // only routines of rocSOLVER
	} {
		a := arguments(t, test.routine, map[Slot]int64{M: 7, N: 5, K: 3, NRHS: 2, BatchCount: 4})
		if a.Empty() {
			t.Errorf("%s is empty", test.routine)
		}
		a.SetInt(test.zero, 0)
		if have := a.Empty(); have != test.want {
			t.Errorf("%s with %s = 0 is empty: %v", test.routine, slotName(test.zero), have)
		}
	}
}

// TestLaunchesNothing checks which empty calls do not set info.
func TestLaunchesNothing(t *testing.T) {
	for _, test := range []struct {
		routine string
		zero    Slot
		want    bool
	}{
		{"rocsolver_dgetrf", N, false}, {"rocsolver_dgetrf_batched", BatchCount, true},
		{"rocsolver_dormqr", K, true}, // it has no info
		{"rocsolver_dgesvd", M, true}, {"rocsolver_dgesvdj", M, false}, {"rocsolver_dbdsqr", N, true},
		{"rocsolver_dgeblttrf_npvt", NBlocks, true}, {"rocsolver_dgesvd", LDA, false},
	} {
		a := arguments(t, test.routine, map[Slot]int64{M: 7, N: 5, K: 3, NB: 2, NBlocks: 2, BatchCount: 4})
		a.SetInt(test.zero, 0)
		if have := a.LaunchesNothing(); have != test.want {
			t.Errorf("%s with %s = 0 launches nothing: %v", test.routine, slotName(test.zero), have)
		}
	}
}

// TestNoRotations checks that rotations of one row, or of one column, have nothing to compute.
func TestNoRotations(t *testing.T) {
	for _, test := range []struct {
		side, m, n int64
		want       bool
	}{
		{SideLeft, 1, 5, true}, {SideLeft, 2, 1, false}, {SideRight, 5, 1, true}, {SideRight, 1, 2, false},
	} {
		a := arguments(t, "rocsolver_slasr", map[Slot]int64{Side: test.side, M: test.m, N: test.n})
		if have := a.Empty(); have != test.want {
			t.Errorf("%+v: empty is %v", test, have)
		}
	}
}

// arguments returns a routine call with the given integers.
func arguments(t *testing.T, cName string, values map[Slot]int64) *Args {
	t.Helper()
	r, ok := Lookup(cName)
	if !ok {
		t.Fatalf("no routine %s", cName)
	}
	a := r.New()
	for s, v := range values {
		a.SetInt(s, v)
	}
	return a
}
