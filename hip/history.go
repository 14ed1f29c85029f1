package hip

import (
	"encoding/binary"
	"errors"
	"math"

	"roclua/hip/driver"
)

// Package gob sends and stores a history in a compact form, in which each string occurs once: without reflection, a
// case of a few calls takes a tenth of the time.

// GobEncode returns the history as bytes.
func (h History) GobEncode() ([]byte, error) {
	c := &coder{out: make([]byte, 0, 64+64*(len(h.Calls)+len(h.Kernels)+len(h.Marks)+len(h.Hazards))),
		indices: map[string]uint64{}}
	c.history(&h)
	return c.out, nil
}

// GobDecode reads what GobEncode returned. It returns an error for other bytes.
func (h *History) GobDecode(data []byte) error {
	c := &coder{in: string(data), decodes: true}
	*h = History{}
	if c.history(h); c.failed || c.in != "" {
		return errors.New("the history of a case is damaged")
	}
	return nil
}

// coder encodes or decodes values in the order of its calls. A value that cannot be decoded keeps what it has.
type coder struct {
	out     []byte            // encoded values
	indices map[string]uint64 // of the strings that were encoded
	in      string            // values to decode
	texts   []string          // decoded strings
	decodes bool
	failed  bool
}

func (c *coder) history(h *History) {
	c.uint(&h.Capacity)
	entriesOf(c, &h.Calls, c.call)
	entriesOf(c, &h.Kernels, c.kernel)
	entriesOf(c, &h.Marks, c.mark)
	entriesOf(c, &h.Hazards, c.hazard)
}

func (c *coder) call(v *Call) {
	c.text(&v.Name)
	c.uint(&v.Bytes)
	c.uint((*uint64)(&v.Ptr))
	c.int(&v.Stream)
	c.int((*int)(&v.Result))
	c.float(&v.Seconds)
	c.float(&v.Duration)
	c.text(&v.Cause)
	c.text(&v.Origin)
	c.text(&v.Injected)
	c.flags(&v.HasBytes, &v.HasStream, &v.Synchronizing)
}

func (c *coder) kernel(v *Kernel) {
	c.text(&v.Name)
	c.int(&v.Stream)
	c.text(&v.Origin)
	c.float(&v.Queued)
	c.float(&v.Start)
	c.float(&v.End)
}

func (c *coder) mark(v *Mark) {
	c.int(&v.Handle)
	c.float(&v.Seconds)
	c.uint(&v.Bytes)
	c.text(&v.Text)
	c.text(&v.Origin)
}

func (c *coder) hazard(v *Hazard) {
	c.float(&v.Seconds)
	for _, u := range []*driver.Use{&v.Earlier, &v.Later} {
		c.text(&u.Call)
		c.int(&u.Stream)
		c.flags(&u.Host, &u.Write)
		c.text(&u.Origin)
		c.text(&u.Launched)
		c.text(&u.Since)
	}
}

// entriesOf encodes or decodes the entries of a list. Each has at least smallest bytes.
func entriesOf[T any](c *coder, entries *[]T, entry func(*T)) {
	const smallest = 12
	n := uint64(len(*entries))
	c.uint(&n)
	if c.decodes && n > 0 {
		if n > uint64(len(c.in)/smallest) {
			c.fail()
			return
		}
		*entries = make([]T, n)
	}
	for i := range *entries {
		entry(&(*entries)[i])
	}
}

func (c *coder) uint(v *uint64) {
	if !c.decodes {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	var n uint64
	for i := 0; i < len(c.in) && i < binary.MaxVarintLen64; i++ {
		b := c.in[i]
		if n |= uint64(b&0x7f) << (7 * i); b < 0x80 {
			*v, c.in = n, c.in[i+1:]
			return
		}
	}
	c.fail()
}

// fail ends decoding.
func (c *coder) fail() { c.failed, c.in = true, "" }

func (c *coder) int(v *int) {
	signed := int64(*v)
	n := uint64(signed<<1) ^ uint64(signed>>63) // so that small negative numbers are small
	c.uint(&n)
	*v = int(n>>1) ^ -int(n&1)
}

func (c *coder) float(v *float64) {
	if !c.decodes {
		c.out = binary.LittleEndian.AppendUint64(c.out, math.Float64bits(*v))
		return
	}
	if len(c.in) < 8 {
		c.fail()
		return
	}
	var bits uint64
	for i := range 8 {
		bits |= uint64(c.in[i]) << (8 * i)
	}
	*v, c.in = math.Float64frombits(bits), c.in[8:]
}

func (c *coder) flags(list ...*bool) {
	var bits uint64
	for i, v := range list {
		if *v {
			bits |= 1 << i
		}
	}
	c.uint(&bits)
	for i, v := range list {
		*v = bits>>i&1 == 1
	}
}

// text encodes a string as its index among those before it. The first time its length and its bytes follow.
func (c *coder) text(v *string) {
	if !c.decodes {
		i, known := c.indices[*v]
		if !known {
			i = uint64(len(c.indices))
			c.indices[*v] = i
		}
		if c.uint(&i); !known {
			n := uint64(len(*v))
			c.uint(&n)
			c.out = append(c.out, *v...)
		}
		return
	}
	var i, n uint64
	c.uint(&i)
	if i == uint64(len(c.texts)) && !c.failed {
		c.uint(&n)
		if n <= uint64(len(c.in)) {
			c.texts = append(c.texts, c.in[:n])
			c.in = c.in[n:]
		}
	}
	if i >= uint64(len(c.texts)) {
		c.fail()
		return
	}
	*v = c.texts[i]
}
