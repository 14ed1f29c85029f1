package randomcall

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// placed holds the addresses on a device of the blocks of a call.
type placed struct {
	blocks []*Block
	bases  []driver.Ptr
}

// address translates an address of the call into one of the device; an address outside of every block stays.
func (p *placed) address(at uint64) uint64 {
	for i, b := range p.blocks {
		if at >= b.At && at < b.At+uint64(max(b.Size, 1)) {
			return uint64(p.bases[i]) + Guard + at - b.At
		}
	}
	return at
}

// RunOn computes the call on a device: it copies all memory there, poison included, and back.
func (c *Call) RunOn(dev *hip.Device, s *hip.Stream) error {
	return c.RunBy(dev, s, func(l *driver.Launch) error { return dev.Execute(s, l) })
}

// ErrNotCaptured is the error of a call that invalidated the capture.
var ErrNotCaptured = errors.New("the capture is invalidated")

// RunCapturedOn is RunOn, but the call is captured, and the graph is launched. It returns the nodes of the graph.
func (c *Call) RunCapturedOn(dev *hip.Device, s *hip.Stream) (nodes []driver.Node, err error) {
	err = c.RunBy(dev, s, func(l *driver.Launch) error {
		if err := s.BeginCapture(driver.CaptureGlobal); err != nil {
			return err
		}
		failed := dev.Execute(s, l)
		g, err := s.EndCapture()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNotCaptured, cmp.Or(failed, err))
		}
		defer g.Destroy()
		if failed != nil {
			return failed
		}
		if nodes, err = g.Nodes(); err != nil {
			return err
		}
		return launch(g, s)
	})
	return nodes, err
}

// launch launches a graph and waits for it.
func launch(g *hip.Graph, s *hip.Stream) error {
	e, err := g.Instantiate()
	if err != nil {
		return err
	}
	defer e.Destroy()
	if err := e.Launch(s); err != nil {
		return err
	}
	return s.Synchronize()
}

// RunBy copies the memory to the device, calls queue with the launch that has addresses there, and copies it back.
func (c *Call) RunBy(dev *hip.Device, s *hip.Stream, queue func(*driver.Launch) error) error {
	p := &placed{blocks: c.Memory.Blocks}
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
	if err := queue(c.translated(p)); err != nil {
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

// image returns the content of a block on the device, where pointers are device addresses.
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

// translated returns the launch with device addresses.
func (c *Call) translated(p *placed) *driver.Launch {
	l, a := *c.Launch, *c.Args
	l.Args, l.Work = &a, nil
	for i := range a.Routine.Params {
		if q := &a.Routine.Params[i]; q.Kind.IsPointer() && a.Ptr(q.Slot) > routine.Host {
			a.SetPtr(q.Slot, p.address(a.Ptr(q.Slot)))
		}
	}
	for _, w := range c.Launch.Work {
		w.Ptr = driver.Ptr(p.address(uint64(w.Ptr)))
		l.Work = append(l.Work, w)
	}
	l.Result = driver.Ptr(p.address(uint64(l.Result)))
	return &l
}
