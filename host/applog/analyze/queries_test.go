package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/host/applog/analyze"
)

// TestQueriesOfHipSOLVER compares the commands and the traces that rocSOLVER logged for a program with hipSOLVER. In a
// trace, queries have no arguments: calls in the trace were executed, and the rest must be marked.
func TestQueriesOfHipSOLVER(t *testing.T) {
	for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
		executed := map[string]int64{}
		trace := read(t, release, string(unzip(t, "testdata/"+release+"/hipsolver.trace.log.gz")))
		for _, c := range trace.Calls {
			executed[summaryOf(c)] += c.Times
		}
		commands := read(t, release, string(unzip(t, "testdata/"+release+"/hipsolver.bench.log.gz")))
		logged := map[string]int64{} // gesvd is queried with other leading dimensions than it is called
		for _, c := range commands.Calls {
			logged[summaryOf(c)] += c.Times
		}
		for _, c := range commands.Calls {
			name := summaryOf(c)
			switch {
			case executed[name] == 0 && !c.MayBeQuery && c.Needs[0].Status == "":
				t.Errorf("%s: %s was not executed, and is not marked", release, name)
			case logged[name] < executed[name]:
				t.Errorf("%s: %s counts %d times, was executed %d times", release, name, logged[name], executed[name])
			case executed[name] > 0 && c.MayBeQuery && c.Times != 1:
				t.Errorf("%s: %s is marked, and counts %d times", release, name, c.Times)
			}
		}
		for name := range executed {
			if logged[name] == 0 {
				t.Errorf("%s: the commands lack %s", release, name)
			}
		}
		if trace.Targets[0].Bytes != commands.Targets[0].Bytes {
			t.Errorf("%s: the trace needs %d bytes, the commands %d", release, trace.Targets[0].Bytes,
				commands.Targets[0].Bytes)
		}
		if n := countOf(trace.Empty); n < 25 {
			t.Errorf("%s: %d empty trees", release, n)
		}
		if want := fmt.Sprint(noteOf(commands, analyze.SizeQueries)); !strings.HasPrefix(want, "12 commands") {
			t.Errorf("%s: %s", release, want)
		}
	}
}

// summaryOf names a call by its sizes; traces and commands do not have the same options.
func summaryOf(c *analyze.Call) string {
	var list []string
	for i := range c.Routine.Params {
		if p := &c.Routine.Params[i]; slices.Contains([]string{"m", "n", "k", "nrhs"}, p.Name) {
			list = append(list, fmt.Sprint(c.Args().Int(p.Slot)))
		}
	}
	return c.Routine.Name + " " + strings.Join(list, " ")
}

func countOf(list []analyze.Function) (n int64) {
	for _, f := range list {
		n += f.Count
	}
	return n
}

func noteOf(a *analyze.Answer, code string) string {
	for _, n := range a.Notes {
		if n.Code == code {
			return n.Text
		}
	}
	return ""
}

// solverCommand is a command of rocSOLVER.
func solverCommand(text string) string { return "./rocsolver-bench -f " + text + "\n" }

// jobs is the command of gesvd for pair i of options.
func jobs(i int) string {
	return solverCommand(fmt.Sprintf("gesvd -r d --left_svect %c --right_svect %c -m 600 -n 500 --lda 600 --ldu 600 "+
		"--ldv 500 --fast_alg O", "NASO"[i/4], "NASO"[i%4]))
}

// TestQueries reads commands that are, or may be, of size queries.
func TestQueries(t *testing.T) {
	lu := func(family string, n int) string {
		return solverCommand(fmt.Sprintf("%s -r d -m %d -n %d --lda %d", family, n, n, n))
	}
	solve := solverCommand("gesv -r d -n 9 --nrhs 1 --lda 9 --ldb 9")
	outOfPlace := solverCommand("gesv_outofplace -r d -n 9 --nrhs 1 --lda 9 --ldb 9 --ldx 9")
	var pairs string
	for i := range 15 {
		pairs += jobs(i)
	}
	for _, test := range []struct {
		about, text string
		want        string // calls with their counts, ? marks those that may be queries
		queries     string
	}{
		{"a query and its call", lu("getrf", 500) + lu("getrf_npvt", 500) + lu("getrf", 500), "dgetrf 500 500 x1", "2"},
		{"a query without a call", lu("getrf", 500) + lu("getrf_npvt", 500) + lu("potrf --uplo L", 9), "dpotrf 9 x1?",
			"2"},
		{"one call", lu("getrf", 500), "dgetrf 500 500 x1?", ""},
		{"two equal calls", lu("getrf", 500) + lu("getrf", 500), "dgetrf 500 500 x2", ""},
		{"calls of other sizes", lu("getrf", 500) + lu("getrf_npvt", 400), "dgetrf 500 500 x1? dgetrf_npvt 400 400 x1?",
			""},
		{"a call between", lu("getrf", 500) + created + lu("getrf_npvt", 500),
			"dgetrf 500 500 x1? dgetrf_npvt 500 500 x1?", ""},
		{"all pairs of options", pairs + jobs(5), "dgesvd 600 500 x1", "15"},
		{"fewer pairs", pairs[:strings.LastIndex(pairs, "./")] + lu("getrf", 9), "dgesvd 600 500 x1? (14 sizes) " +
			"dgetrf 9 9 x1?", ""},
		{"a query out of place", outOfPlace + solve + outOfPlace, "dgesv_outofplace 9 1 x1", "2"},
		{"queries, and a call in place", outOfPlace + solve + outOfPlace + solve + solve, "dgesv 9 1 x1", "4"},
	} {
		a := read(t, "rocm-7.2", test.text)
		var have []string
		for _, c := range a.Calls {
			mark := map[bool]string{true: "?"}[c.MayBeQuery]
			have = append(have, fmt.Sprintf("%s x%d%s", summaryOf(c), c.Times, mark))
		}
		slices.Sort(have)
		if n := len(have); n > 10 {
			have = []string{have[0] + fmt.Sprintf(" (%d sizes)", n-1), have[n-1]}
		}
		if test.queries != "" && a.Targets[0].Managed.Exact {
			t.Errorf("%s: the growths are exact", test.about)
		}
		text := strings.Join(have, " ")
		queries, _, _ := strings.Cut(noteOf(a, analyze.SizeQueries), " ")
		if text != test.want || queries != test.queries {
			t.Errorf("%s: %q, %s queries; want %q, %s", test.about, text, queries, test.want, test.queries)
		}
	}
}

// TestDecidedByQuery checks the need of calls that are certainly executed, next to a larger one of a query.
func TestDecidedByQuery(t *testing.T) {
	a := read(t, "rocm-7.2", solverCommand("syevd -r d --evect V --uplo L -n 4000 --lda 4000")+
		strings.Repeat(solverCommand("getrf -r d -m 500 -n 500 --lda 500"), 2))
	target := &a.Targets[0]
	if target.Decides == nil || target.Decides.Routine.Name != "dsyevd" || !target.Decides.MayBeQuery ||
		target.ExecutedDecides == nil || target.ExecutedDecides.Routine.Name != "dgetrf" ||
		target.ExecutedBytes != 2514304 || target.Bytes < 100e6 || target.Managed.Exact {
		t.Errorf("%+v", target)
	}
}

// TestMissing checks which calls a log lacks.
func TestMissing(t *testing.T) {
	unset := "rocblas_get_stream,0,atomics_not_allowed\n"
	const solver, perhaps = "the rocSOLVER calls", "the rocSOLVER calls, if there are any"
	bench := "./rocblas-bench -f scal -r f64_r -n 5 --alpha 2 --incx 1 \n"
	for _, test := range []struct{ about, text, want string }{
		{"a trace", created + large, ""},
		{"a burst", created + large + unset + unset, solver},
		{"a single line that a rocSOLVER call may have left", created + large + unset + large, perhaps},
		{"only commands of rocBLAS", bench, perhaps},
		{"commands and a trace", created + large + bench, ""},
		{"both libraries", created + large + unset + unset + solverCall, ""},
		{"a profile", profileLine, perhaps},
		{"a truncated log", created + large + destroyed + destroyed, "the calls before the last handle"},
		{"a cut line", created + large + large[:30] + "\n", "1 call that cannot be read"},
		{"other functions", created + large + strings.Repeat("rocblas_new,1,atomics_not_allowed\n", 2),
			"2 calls of functions that are not modelled"},
	} {
		if have := strings.Join(read(t, "rocm-7.2", test.text).Targets[0].Missing, "; "); have != test.want {
			t.Errorf("%s: %q, want %q", test.about, have, test.want)
		}
	}
}
