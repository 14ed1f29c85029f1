package cpu

import (
	"bytes"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Write queues a copy from the host. It copies the data first, so the caller may reuse its slice.
func (d *device) Write(s driver.Stream, dst driver.Ptr, src []byte) error {
	n := uint64(len(src))
	return d.transfer(s, []operand{{dst, routine.Out}}, n, func() func([][]byte) {
		data := bytes.Clone(src)
		d.runtime.staged.Add(n)
		return func(memory [][]byte) {
			copy(memory[0], data)
			d.runtime.staged.Add(-n)
		}
	})
}

// Read queues a copy to the host. dst is filled when the stream reaches the copy.
func (d *device) Read(s driver.Stream, dst []byte, src driver.Ptr) error {
	n := uint64(len(dst))
	return d.transfer(s, []operand{{src, routine.In}}, n, func() func([][]byte) {
		return func(memory [][]byte) { copy(dst, memory[0]) }
	})
}

// Copy queues a copy between addresses of any devices.
func (d *device) Copy(s driver.Stream, dst, src driver.Ptr, n uint64) error {
	return d.transfer(s, []operand{{dst, routine.Out}, {src, routine.In}}, n, func() func([][]byte) {
		return func(memory [][]byte) { copy(memory[0], memory[1]) }
	})
}

// fillPart is the number of bytes that are set between two checks whether the device was abandoned.
const fillPart = 16 << 20

// Fill queues setting bytes to one value.
func (d *device) Fill(s driver.Stream, dst driver.Ptr, value byte, n uint64) error {
	return d.transfer(s, []operand{{dst, routine.Out}}, n, func() func([][]byte) {
		return func(memory [][]byte) {
			for rest := memory[0]; len(rest) > 0 && !d.runtime.givenUp.Load(); {
				part := rest[:min(len(rest), fillPart)]
				for i := range part {
					part[i] = value
				}
				rest = rest[len(part):]
			}
		}
	})
}

// operand is the source or the destination of a copy, in device memory.
type operand struct {
	p      driver.Ptr
	access routine.Access
}

// transfer queues a copy of n bytes. It checks first that all operands are in live blocks, and calls prepare after
// that.
func (d *device) transfer(s driver.Stream, operands []operand, n uint64, prepare func() func(memory [][]byte)) error {
	st, err := d.stream(s)
	if err != nil || n == 0 {
		return err
	}
	uses := make([]use, len(operands))
	for i, o := range operands {
		b, ok := d.runtime.at(uint64(o.p))
		if !ok || !b.contains(uint64(o.p), n) {
			return driver.Faultf(driver.ErrorInvalidValue, "%s of %d bytes: %s",
				d.runtime.locate().Call, n, d.runtime.describeAddress(uint64(o.p)))
		}
		uses[i] = use{b, routine.Span(uint64(o.p), n, o.access)}
	}
	do := prepare()
	st.enqueue(d.runtime.locate(), uses, d.runtime.unlessGivenUp(func() error {
		memory := make([][]byte, len(uses))
		for i, u := range uses {
			data, err := u.block.slice(u.region.Base, n)
			if err != nil {
				return err
			}
			memory[i] = data
		}
		do(memory)
		return nil
	}))
	return nil
}
