package time

import (
	"math"
	"slices"
	"testing"

	"roclua/hip/routine"
)

// work returns the work of a routine of rocSOLVER or rocBLAS of order n.
func work(t *testing.T, name string, n int64) Work {
	t.Helper()
	r, ok := routine.Lookup(name)
	if !ok {
		t.Fatalf("no %s", name)
	}
	a := r.New()
	for _, s := range []routine.Slot{routine.M, routine.N, routine.K} {
		a.SetInt(s, n)
	}
	a.SetInt(routine.NRHS, 1)
	a.SetInt(routine.Side, routine.SideLeft)
	return WorkOf(a, float64(8*n*n))
}

// TestWork counts the work of calls of order 130: it has three blocks of 64 rows, the last one with 2.
func TestWork(t *testing.T) {
	for name, want := range map[string]Work{
		"rocblas_dscal":    {Launches: 1},
		"rocblas_dgemm":    {Launches: 2},
		"rocblas_dtrsv":    {Launches: 1, Steps: 3, Rows: 130},
		"rocblas_dtrsm":    {Launches: 3, Steps: 3, Rows: 130},
		"rocsolver_dgetrf": {Launches: 1, Steps: 130},
		"rocsolver_dgetrs": {Launches: 5, Steps: 6, Rows: 260},
		"rocsolver_dpotrs": {Launches: 5, Steps: 6, Rows: 260},
		"rocsolver_dgesv":  {Launches: 5, Steps: 136, Rows: 260},
	} {
		have := work(t, name, 130)
		have.Operations, have.Bytes, have.Datatype = 0, 0, 0
		if have != want {
			t.Errorf("%s: %+v, want %+v", name, have, want)
		}
	}
}

// TestModel adds up times by hand, with a launch of 5 us, a kernel of 4, a step of 2 and a row of 0.1.
func TestModel(t *testing.T) {
	row, _ := Of("gfx90a", Row{"f64": 1e30, "bandwidth": 1e30})
	m := row.Model()
	for _, c := range []struct {
		name   string
		n      int64
		micros float64
	}{
		{"rocblas_dscal", 8, 5},       // the host, for the device takes 4
		{"rocblas_dgemm", 8, 10},      // the host, with two launches
		{"rocsolver_dgetrs", 64, 25},  // the host, with five; the device takes 4 + 2*2 + 128*0.1 = 20.8
		{"rocsolver_dgetrs", 128, 38}, // the device: 4 + 4*2 + 256*0.1 = 37.6
		{"rocsolver_dgetrf", 128, 260},
	} {
		if have := m.Predict(work(t, c.name, c.n)) * 1e6; math.Round(have) != c.micros {
			t.Errorf("%s of order %d takes %.2f us, want %v", c.name, c.n, have, c.micros)
		}
	}
}

// pointsOf are calls of orders 16 to 4096 with the times of a row.
func pointsOf(t *testing.T, row Row) (points []Point) {
	m := row.Model()
	for _, name := range []string{"rocblas_dscal", "rocblas_dgemm", "rocsolver_dgetrf", "rocsolver_dgetrs"} {
		for n := int64(16); n <= 4096; n *= 2 {
			w := work(t, name, n)
			if name == "rocblas_dscal" {
				w.Operations, w.Bytes = float64(n*n), float64(16*n*n)
			}
			points = append(points, Point{Work: w, Seconds: m.Predict(w)})
		}
	}
	return points
}

// TestFit finds the row that points were computed from, with and without the rates of a data sheet, also if one of them
// is wrong by a factor of 30. Values that the points do not depend on stay.
func TestFit(t *testing.T) {
	row, _ := Of("gfx90a", nil)
	for _, sheet := range []bool{false, true} {
		other := Row{"launch": 9e-6, "kernel": 12e-6, "step": 1e-6, "row": 3e-7}
		if sheet {
			other["efficiency"] = 0.5
		} else {
			other["bandwidth"], other["f64"] = 9e11, 6e12
		}
		want, _ := Of("gfx90a", other)
		points := pointsOf(t, want)
		points[12].Seconds *= 30
		for i := range points {
			if sheet {
				points[i].PeakBytes, points[i].PeakFlops = row["bandwidth"], row["f64"]
			}
		}
		fit, keys := row.Fit(points)
		if len(keys) != len(other) {
			t.Errorf("fitted %v, want the keys of %v", keys, other)
		}
		for key, value := range want {
			if math.Abs(math.Log(fit[key]/value)) > 0.02 {
				t.Errorf("%s = %g, want %g", key, fit[key], value)
			}
			if fit[key] != row[key] && !slices.Contains(keys, key) {
				t.Errorf("%s changed and is not among the fitted keys", key)
			}
		}
		before, after := row.Model().Error(points), fit.Model().Error(points)
		if math.Abs(after.Median-1) > 0.01 || before.Worst > 0.2 || after.Worst > 0.05 {
			t.Errorf("before %+v, after %+v", before, after)
		}
	}
	if _, keys := row.Fit(pointsOf(t, row)[:1]); keys != nil {
		t.Errorf("one point determines %v", keys)
	}
}
