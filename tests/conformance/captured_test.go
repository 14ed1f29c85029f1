package conformance

import (
	"errors"
	"math/rand/v2"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/difftest"
)

// capturedOrders are orders of problems around which the libraries choose other algorithms.
var capturedOrders = []int64{1, 2, 3, 8, 17, 32, 33, 59, 64, 65, 96, 129, 200, 257}

// situation is the state of the handle's stream, and the pointer mode, of a call.
type situation struct {
	state    driver.CaptureStatus
	onDevice bool
}

// TestCapturedCalls compares square calls of every routine, with random constants, in a stream that is not captured, or
// whose capture is active or was invalidated, in both pointer modes.
func TestCapturedCalls(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer func() { closeBoth() }()
	r := rand.New(rand.NewPCG(*seed, 3))
	routines, _ := admitted()
	compared := 0
	for _, rt := range routines {
		for _, n := range capturedOrders {
			for i := range 6 {
				where := situation{driver.CaptureStatus(i / 2), i%2 == 1}
				call := squareCall(r, rt, n)
				if !where.onDevice && inHostMemory(rt) {
					continue
				}
				err := where.compare(library, model, call)
				switch {
				case errors.Is(err, difftest.ErrNotComparable) || errors.Is(err, errLacksMemory):
				case err != nil:
					t.Errorf("seed %d, %s, %+v:\n%v", *seed, call.Lua(), where, err)
				default:
					compared++
				}
				var abort *workspace.Abort
				if err != nil && !errors.As(err, &abort) {
					closeBoth()
					library, model, closeBoth = pair(t, 64<<30)
				}
			}
		}
	}
	t.Logf("%d calls agree", compared)
}

// inHostMemory reports whether a routine has arrays that are in host memory in host pointer mode.
func inHostMemory(rt *routine.Routine) bool {
	return rt.Family.ID == routine.Rotg || rt.Family.ID == routine.Rotm || rt.Family.ID == routine.Rotmg
}

// squareCall returns a valid call of a routine whose sizes are all n, with random constants.
func squareCall(r *rand.Rand, rt *routine.Routine, n int64) *difftest.Call {
	call := difftest.SquareCall(rt, n)
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Kind.IsEnum() && p.Kind != routine.Datatype {
			legal := p.Legal()
			call.Ints[p.Slot] = legal[r.IntN(len(legal))]
		}
	}
	call.Ints[routine.SolutionIndex], call.Ints[routine.Flags] = 0, 0
	return call
}

// compare makes a call with a new handle.
func (s situation) compare(library, model *difftest.Side, call *difftest.Call) (first error) {
	const captured, other = 2, 3
	mode := uint64(routine.PointerModeHost)
	if s.onDevice {
		mode = routine.PointerModeDevice
	}
	ops := []*difftest.Operation{difftest.CreateHandle(nil), difftest.SetStream(captured),
		{Name: "set_pointer_mode", Size: mode}}
	if s.state != driver.CaptureNone {
		ops = append(ops, difftest.BeginCapture(captured, driver.CaptureGlobal))
	}
	if s.state == driver.CaptureInvalidated { // by a wait for work that is not captured
		ops = append(ops, difftest.Order(other, captured, 0)...)
	}
	ops = append(ops, &difftest.Operation{Call: call})
	if s.state != driver.CaptureNone {
		ops = append(ops, difftest.EndCapture(captured))
	}
	for _, op := range append(ops, difftest.DestroyHandle()) {
		if err := compareOperation(library, model, op); err != nil && first == nil {
			first = err
		}
	}
	return first
}
