package analyze_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
)

// enter, args and leave are the lines of trace trees.
func enter(function string) string {
	return "------- ENTER rocsolver_" + function + " trace tree -------\n"
}

func leave(function string) string {
	return "------- EXIT rocsolver_" + function + " trace tree -------\n\n"
}

const (
	smallEigen = "rocsolver_syevd_heevd_template (evect: V, uplo: U, n: 128, shiftA: 0, lda: 128, bc: 1)\n"
	largeEigen = "rocsolver_syevd_heevd_template (evect: V, uplo: L, n: 8000, shiftA: 0, lda: 8000, bc: 1)\n"
	luArgs     = "rocsolver_getrf_template (m: 400, n: 400, shiftA: 0, inca: 1, lda: 400, shiftP: 0, bc: 1)\n"
	solveArgs  = "rocsolver_gesv_template (n: 900, nrhs: 1, shiftA: 0, lda: 900, shiftB: 0, ldb: 900, bc: 1)\n"
	innerLU    = "    rocsolver_getrf_template (m: 900, n: 900, shiftA: 0, inca: 1, lda: 900, shiftP: 0, bc: 1)\n"
)

// TestMixedTrees reads the trace trees of two threads.
func TestMixedTrees(t *testing.T) {
	for _, test := range []struct {
		about, text string
		want        []string // calls: the function, n, "at most" where the function is not certain, and the count
		empty       int64
		mixed       bool
	}{
		{"one after the other", enter("dsyevd") + smallEigen + leave("dsyevd") + enter("zheevd") + largeEigen +
			leave("zheevd"), []string{"dsyevd 128 1", "zheevd 8000 1"}, 0, false},
		{"arguments that can be of both", enter("dsyevd") + enter("zheevd") + smallEigen + largeEigen +
			leave("dsyevd") + leave("zheevd"), []string{"zheevd 128 at most 1", "zheevd 8000 at most 1"}, 0, true},
		{"the first has ended", enter("dsyevd") + enter("zheevd") + leave("dsyevd") + largeEigen + leave("zheevd"),
			[]string{"zheevd 8000 1"}, 1, true},
		{"one function in two threads", enter("dgetrf") + enter("dgetrf") + luArgs + luArgs + leave("dgetrf") +
			leave("dgetrf"), []string{"dgetrf 400 2"}, 0, true},
		{"one of two is a query", enter("dgetrf") + enter("dgetrf") + luArgs + leave("dgetrf") + leave("dgetrf"),
			[]string{"dgetrf 400 1"}, 1, true},
		{"functions with different arguments", enter("dsyevd") + enter("dgetrf") + luArgs + largeEigen +
			leave("dgetrf") + leave("dsyevd"), []string{"dgetrf 400 1", "dsyevd 8000 1"}, 0, true},
		{"a function called by another", enter("dgesv") + solveArgs + enter("dgetrf") + innerLU + luArgs +
			leave("dgesv") + leave("dgetrf"), []string{"dgesv 900 1", "dgetrf 400 1"}, 0, true},
		{"indented by a page", strings.ReplaceAll("\n"+enter("dgesv")+enter("dgetrf")+luArgs+solveArgs+innerLU+
			leave("dgesv")+leave("dgetrf"), "\n", "\n    "), []string{"dgesv 900 1", "dgetrf 400 1"}, 0, true},
		{"factorizations without pivots", enter("dgetrf_npvt") + enter("dpotrf") + luArgs + leave("dpotrf") +
			leave("dgetrf_npvt"), []string{"dgetrf_npvt 400 1"}, 1, true},
		{"no ends", enter("dsyevd") + smallEigen + enter("dgetrf") + luArgs,
			[]string{"dgetrf 400 1", "dsyevd 128 1"}, 0, false},
	} {
		a := read(t, "rocm-7.2", test.text)
		var have []string
		for _, c := range a.Calls {
			atMost := ""
			if c.Needs[0].AtMost {
				atMost = " at most"
			}
			have = append(have, fmt.Sprintf("%s %d%s %d", c.Routine.Name, c.Args().Int(routine.N), atMost, c.Times))
		}
		slices.Sort(have)
		mixed := slices.ContainsFunc(a.Notes, func(n analyze.Note) bool { return n.Code == analyze.MixedTrees })
		var empty int64
		for _, f := range a.Empty {
			empty += f.Count
		}
		if !slices.Equal(have, test.want) || empty != test.empty || mixed != test.mixed || len(a.Cut) > 0 {
			t.Errorf("%s: %q, %d empty, cut %v, mixed: %t\nwant %q, %d, %t", test.about, have, empty, a.Cut, mixed,
				test.want, test.empty, test.mixed)
		}
		if test.mixed && a.Targets[0].Managed.Exact {
			t.Errorf("%s: the growths are exact", test.about)
		}
	}
}

// TestManyTrees reads trees without ends: memory does not grow with them.
func TestManyTrees(t *testing.T) {
	a := read(t, "rocm-7.2", strings.Repeat(enter("dgetrf"), 1000)+luArgs)
	if len(a.Empty) != 1 || len(a.Cut) != 1 || a.Empty[0].Count+a.Cut[0].Count != 999 || a.Cut[0].Count > 256 ||
		len(a.Calls) != 1 {
		t.Errorf("empty %v, cut %v, %d calls", a.Empty, a.Cut, len(a.Calls))
	}
}

// TestThreads reads logs that the libraries wrote for four threads, each with its own handle: thread t factors
// matrices of order n = 100 + 10 t + i, by Cholesky (of order 2 n in complex numbers in threads 0 and 2) and by LU.
func TestThreads(t *testing.T) {
	want := map[string]int64{}
	for thread := range 4 {
		for i := range 40 {
			n := 100 + 10*thread + i
			want[fmt.Sprintf("dgetrf %d", n)]++
			if thread%2 == 1 {
				want[fmt.Sprintf("dpotrf %d", n)]++
			} else {
				want[fmt.Sprintf("zpotrf %d", 2*n)]++
			}
		}
	}
	for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
		a := read(t, release, string(unzip(t, "testdata/"+release+"/solver.threads.trace.log.gz")))
		have := map[string]int64{}
		for _, c := range a.Calls {
			have[fmt.Sprintf("%s %d", c.Routine.Name, c.Args().Int(routine.N))] += c.Times
		}
		if !maps.Equal(have, want) || len(a.Empty)+len(a.Cut) > 0 {
			t.Errorf("%s: %d calls, want %d; empty %v, cut %v", release, len(have), len(want), a.Empty, a.Cut)
		}
	}
}
