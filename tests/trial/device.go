package trial

import (
	"encoding/binary"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// placed is where the blocks of a trial lie on a device.
type placed struct {
	blocks []*Block
	bases  []driver.Ptr
}

// address translates an address of the trial into one of the device; what lies in no block stays.
func (p *placed) address(at uint64) uint64 {
	for i, b := range p.blocks {
		if at >= b.At && at < b.At+uint64(max(b.Size, 1)) {
			return uint64(p.bases[i]) + Guard + at - b.At
		}
	}
	return at
}

// RunOn computes the call on a device: its memory goes there, poison included, and comes back.
func (tr *Trial) RunOn(dev *hip.Device, s *hip.Stream) error {
	p := &placed{blocks: tr.Memory.Blocks}
	for _, b := range p.blocks {
		base, err := dev.Malloc(uint64(len(b.Raw)))
		if err != nil {
			return err
		}
		defer dev.Free(base)
		p.bases = append(p.bases, base)
	}
	for i, b := range p.blocks {
		if err := dev.Write(p.bases[i], p.image(b)); err != nil {
			return err
		}
	}
	if err := dev.Execute(s, tr.translated(p)); err != nil {
		return err
	}
	if err := s.Synchronize(); err != nil {
		return err
	}
	for i, b := range p.blocks {
		if b.Pointers != nil {
			continue
		}
		if err := dev.Read(b.Raw, p.bases[i]); err != nil {
			return err
		}
	}
	return nil
}

// image is what a block holds on the device: pointers there are the device's.
func (p *placed) image(b *Block) []byte {
	if b.Pointers == nil {
		return b.Raw
	}
	raw := append([]byte(nil), b.Raw...)
	for i, at := range b.Pointers {
		binary.NativeEndian.PutUint64(raw[Guard+8*i:], p.address(at))
	}
	return raw
}

// translated is the launch with the device's addresses.
func (tr *Trial) translated(p *placed) *driver.Launch {
	l, a := *tr.Launch, *tr.Args
	l.Args, l.Work = &a, nil
	for i := range a.Routine.Params {
		if q := &a.Routine.Params[i]; q.Kind.IsPointer() && a.Ptr(q.Slot) > routine.Host {
			a.SetPtr(q.Slot, p.address(a.Ptr(q.Slot)))
		}
	}
	for _, w := range tr.Launch.Work {
		l.Work = append(l.Work, driver.Span{Ptr: driver.Ptr(p.address(uint64(w.Ptr))), Bytes: w.Bytes})
	}
	l.Result = driver.Ptr(p.address(uint64(l.Result)))
	return &l
}
