package argcheck

import (
	"encoding/binary"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// FuzzCheck checks calls with any arguments. No check panics, and a call that ends has a reason.
func FuzzCheck(f *testing.F) {
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
		Fetches(a, mode)
		st, effect, done := Check(a, mode)
		why := Explain(a, mode)
		switch {
		case done && why == "":
			t.Errorf("%s ends with %s without a reason", r.CName(), st)
		case !done && st != status.Success:
			t.Errorf("%s continues with %s", r.CName(), st)
		case effect == Crash && st != status.InvalidPointer:
			t.Errorf("%s crashes with %s", r.CName(), st)
		}
		if !done && effect == None && !mode.Query {
			if _, refused := Limits(a); refused != (why != "") {
				t.Errorf("%s: refused %v, explained as %q", r.CName(), refused, why)
			}
		}
	})
}
