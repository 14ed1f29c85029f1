//go:build linux

package tests

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"
)

var mostCases = flag.Int("cases", 1000, "number of cases of the largest plan of TestCases, a power of ten")

// TestCases runs plans with increasing numbers of cases, each with a size query, in worker processes and in the program
// itself, and compares the time per case and the memory. A run of one case per processor measures the startup of the
// program and its workers. "make cases" does this with up to 1,000,000 cases.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, with which -short is used, multiplies the time and the memory")
	}
	for _, isolation := range []string{"worker", "case"} {
		fewest := runtime.NumCPU()
		start := usageOfCases(t, isolation, 1, fewest)
		for range 4 {
			u := usageOfCases(t, isolation, 1, fewest)
			start.processors = min(start.processors, u.processors)
		}
		t.Logf("isolation %s, %7d cases: %5.1f ms of processors", isolation, fewest, start.processors.Seconds()*1e3)
		var first usage
		for n := 100; n <= *mostCases; n *= 10 {
			u := usageOfCases(t, isolation, n/100, 100)
			further := u
			further.processors -= start.processors
			t.Logf("isolation %s, %7d cases: %7.2f s, %5.0f us of processors a case, %5.0f without the start, %4d MB",
				isolation, n, u.wall.Seconds(), perCase(u, n), perCase(further, n-fewest), u.memory/1e6)
			if n == 100 {
				first = u
			}
			if u.memory > first.memory+100e6 {
				t.Errorf("%d cases take %d MB of memory, 100 take %d MB", n, u.memory/1e6, first.memory/1e6)
			}
		}
	}
	writeReports(t, *mostCases)
}

// usageOfCases runs the cases of a matrix with m rows and n columns.
func usageOfCases(t *testing.T, isolation string, m, n int) usage {
	t.Helper()
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript,
		"c.toml": fmt.Sprintf("isolation = %q\n"+scaleConfig, isolation, m*n, m, n)})
	return usageOf(t, folder, "run", "c.toml", "--quiet")
}

// writeReports compares a run that writes reports with one that does not.
func writeReports(t *testing.T, n int) {
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript,
		"c.toml": fmt.Sprintf(scaleConfig, n, n/100, 100)})
	without := usageOf(t, folder, "run", "c.toml", "--quiet")
	for _, format := range []string{"json", "junit", "html"} {
		u := usageOf(t, folder, "run", "c.toml", "--quiet", "--out", format+"=report")
		t.Logf("with %-5s %7d cases: %7.2f s, %5.0f us of processors a case, %4d MB", format, n, u.wall.Seconds(),
			perCase(u, n), u.memory/1e6)
		if u.processors > 2*without.processors+time.Second {
			t.Errorf("a run with %s takes %s of processors, without %s", format, u.processors, without.processors)
		}
	}
}

// perCase returns the processor time of a case in microseconds.
func perCase(u usage, cases int) float64 { return u.processors.Seconds() * 1e6 / float64(cases) }
