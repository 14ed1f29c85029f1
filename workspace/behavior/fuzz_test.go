package behavior

import (
	"encoding/binary"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// FuzzDecide checks calls with any arguments. No check panics, and a call that ends has a reason.
func FuzzDecide(f *testing.F) {
	for i, r := range routine.All() {
		if i%29 == 0 {
			f.Add(uint16(i), uint8(i), make([]byte, 8*len(r.Params)))
		}
	}
	f.Add(uint16(0), uint8(3), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x80"))
	f.Fuzz(func(t *testing.T, index uint16, bits uint8, data []byte) {
		all := routine.All()
		r := all[int(index)%len(all)]
		a := r.New()
		for i := range r.Params {
			p := &r.Params[i]
			var word [8]byte
			n := copy(word[:], data)
			data = data[n:]
			v := int64(binary.LittleEndian.Uint64(word[:]))
			if p.Kind == routine.Scalar {
				a.SetScalar(p.Slot, complex(float64(v), 0))
			}
			a.SetInt(p.Slot, v)
		}
		mode := Mode{Query: bits&1 != 0, DevicePointers: bits&2 != 0}
		if bits&4 != 0 {
			mode.Scalars = &copies{}
		}
		d := Decide(a, mode)
		st, ends, why := d.Status, d.Ends() || d.Effect == AfterAllocation, d.Reason()
		switch {
		case ends != (why != ""):
			t.Errorf("%s ends with %s: %v, explained as %q", r.CName(), st, ends, why)
		case !ends && st != status.Success:
			t.Errorf("%s continues with %s", r.CName(), st)
		case d.Effect == Crash && st != status.InvalidPointer:
			t.Errorf("%s crashes with %s", r.CName(), st)
		case d.Effect == AfterAllocation && (mode.Query || st.OK()):
			t.Errorf("%s ends with %s after its memory is allocated, %+v", r.CName(), st, mode)
		}
	})
}
