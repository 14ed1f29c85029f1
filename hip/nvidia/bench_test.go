//go:build linux || darwin || freebsd

package nvidia

import (
	"fmt"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// hostCalls are calls that take the host as long as the device, or longer.
var hostCalls = []call{
	{"rocblas_dgemm", nil, false},
	{"rocsolver_dgetrf", slots{routine.M: 90, routine.N: 90}, false},
	{"rocsolver_dgetrf", slots{routine.M: 91, routine.N: 91}, false},
	{"rocsolver_dgetrs", nil, false},
}

// executor returns a function that makes a call of quiet libraries, with the size of its workspace before it.
func executor(t testing.TB, c call) func() {
	f := newFake(t)
	a := f.arguments(c.routine, c.changes)
	if _, err := f.execute(a, c.onDevice); err != nil {
		t.Fatal(err)
	}
	f.call("testQuiet", 1)
	l := &driver.Launch{Args: a, OnDevice: c.onDevice, Result: driver.Ptr(f.memory + 1024)}
	return func() {
		n, err := f.Needs(a)
		l.Work = l.Work[:0]
		for _, b := range n.Buffers {
			span := driver.Span{Ptr: driver.Ptr(f.memory + 2048), Bytes: b.Bytes}
			l.Work = append(l.Work, driver.Work{ID: b.ID, Span: span})
		}
		if err == nil {
			err = f.Execute(f.NullStream(), l)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkExecute measures the host time of calls without the time of the libraries.
func BenchmarkExecute(b *testing.B) {
	for _, c := range hostCalls {
		b.Run(fmt.Sprint(c.routine, c.changes), func(b *testing.B) {
			execute := executor(b, c)
			b.ReportAllocs()
			for b.Loop() {
				execute()
			}
		})
	}
}

// TestExecuteDoesNotAllocate counts the allocations of calls. The needs of solvers are lists that depend on the call.
func TestExecuteDoesNotAllocate(t *testing.T) {
	for _, c := range hostCalls {
		most := 2.0
		if c.routine == "rocblas_dgemm" {
			most = 0
		}
		execute := executor(t, c)
		if n := testing.AllocsPerRun(1000, execute); n > most+raced {
			t.Errorf("%s %v: %g allocations, want at most %g", c.routine, c.changes, n, most)
		}
	}
}
