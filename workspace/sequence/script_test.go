package sequence_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// TestScriptAfterSolver checks that a script reads the pointer mode only where a routine of rocSOLVER may have left
// device pointer mode, and that scalars are 1 in both forms of the call.
func TestScriptAfterSolver(t *testing.T) {
	call := func(name string) *sequence.Operation {
		r, ok := routine.Lookup(name)
		if !ok {
			t.Fatal("no routine", name)
		}
		c := sequence.SquareCall(r, 4)
		for s := range c.Scalars {
			c.Scalars[s] = 3
		}
		return &sequence.Operation{Call: c}
	}
	mode := func(m uint64) *sequence.Operation { return &sequence.Operation{Name: "set_pointer_mode", Size: m} }
	script := sequence.Script([]*sequence.Operation{
		sequence.CreateHandle(nil), mode(routine.PointerModeDevice), call("rocblas_dscal"), call("rocsolver_dpotrf"),
		call("rocsolver_dgetrf"), call("rocblas_dscal"), mode(routine.PointerModeHost), call("rocblas_dscal"),
		sequence.DestroyHandle()})
	var have []string
	for line := range strings.Lines(script) {
		if strings.Contains(line, "dscal") {
			have = append(have, strings.TrimSpace(line))
		}
	}
	form := func(alpha string) string { return "rocblas.try.dscal(handle, 4, " + alpha + ", arrays + 17301504, 1)" }
	want := []string{"print(" + form("scalars + 16") + ")",
		"print(by_mode(handle, function() return " + form("scalars + 16") + " end, function() return " + form("1") +
			" end))", "print(" + form("3") + ")"}
	if !slices.Equal(have, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}
