package cpu

import (
	"encoding/binary"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestUncomputedOutputs runs a routine without a kernel. Its result has no values, inputs stay as they are, and reading
// the result, or a copy of it, names the routine.
func TestUncomputedOutputs(t *testing.T) {
	b := open(t, driver.Config{})
	const f32 = routine.DatatypeF32
	l := b.launch("rocblas_gemm_ex3", map[routine.Slot]int64{routine.TransA: routine.OperationNone,
		routine.TransB: routine.OperationNone, routine.M: 2, routine.N: 3, routine.K: 4, routine.AType: f32,
		routine.BType: f32, routine.CType: f32, routine.DType: f32})
	b.layOut(l)
	a, d := driver.Ptr(l.Args.Ptr(routine.A)), driver.Ptr(l.Args.Ptr(routine.D))
	for s, size := range map[routine.Slot]int{routine.A: 56, routine.B: 64, routine.C: 40, routine.D: 40} {
		b.write(driver.Ptr(l.Args.Ptr(s)), make([]byte, size))
	}
	b.ok(b.dev.Execute(b.dev.null, l))
	if have := binary.NativeEndian.Uint32(b.read(a, 4)); have != 0 {
		t.Errorf("an input becomes %#x", have)
	}
	if list := b.dev.UnwrittenReads(); len(list) > 0 {
		t.Errorf("unwritten reads before the result is read: %v", list)
	}
	other := b.malloc(24)
	b.ok(b.dev.Copy(b.dev.null, other, d, driver.Row(24)))
	for _, p := range []driver.Ptr{d, other} {
		if have := binary.NativeEndian.Uint32(b.read(p, 4)); have != 0x7ff47ff4 {
			t.Errorf("the result is %#x, want the pattern of unwritten memory", have)
		}
		list := b.dev.UnwrittenReads()
		if len(list) != 1 || !strings.Contains(list[0].String(), "because gemm_ex3 is not computed on cpu") {
			t.Errorf("reads of the result: %v, want one that names gemm_ex3", list)
		}
	}
}
