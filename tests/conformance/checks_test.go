package conformance

import (
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// TestChecksOfSolves compares how often the solves of a routine check numbers while the handle's stream is captured:
// solves that are large enough for rocBLAS, made once and twice, in a capture that is valid and in one that is not.
func TestChecksOfSolves(t *testing.T) {
	const order = 512
	_, all := admitted()
	compared := 0
	for _, rt := range all {
		switch rt.Family.ID {
		case routine.Potrs, routine.Getrs, routine.Gels, routine.Getri, routine.GeblttrsNpvt, routine.Trsm:
		default:
			continue
		}
		for i := range 8 {
			c := sequence.SquareCall(rt, order)
			if _, ok := rt.ParamAt(routine.NBlocks); ok {
				c.Ints[routine.NBlocks] = 3
			}
			if _, ok := rt.ParamAt(routine.TransA); ok && i&1 != 0 {
				c.Ints[routine.TransA] = routine.OperationTranspose
			}
			ops := []*sequence.Operation{sequence.CreateHandle(map[string]string{workspace.EnvCheckNumerics: "4"}),
				sequence.SetStream(2), sequence.BeginCapture(2, driver.CaptureRelaxed)}
			if i&2 != 0 { // a wait for work that is not captured invalidates the capture
				ops = append(ops, sequence.Order(3, 2, 0)...)
			}
			if i&4 != 0 {
				ops = append(ops, &sequence.Operation{Call: c, Direct: true})
			}
			ops = append(ops, &sequence.Operation{Call: c}, sequence.EndCapture(2), sequence.DestroyHandle())
			compareSequence(t, i, ops, conditions{capacity: 64 << 30})
			compared++
		}
	}
	t.Logf("%d sequences agree", compared)
}
