package randomcall

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"
)

// Memory is the memory of one call: blocks with poison around them, at addresses that no host uses.
type Memory struct {
	Blocks []*Block
	next   uint64
}

// Block is one allocation with poison around it.
type Block struct {
	Name string
	At   uint64 // the address of its data
	Raw  []byte // guard, data, guard
	Size int64  // bytes of its data

	// Pointers are the elements of an array of pointers; nil for other data.
	Pointers []uint64
}

const (
	// Guard is the poison on either side, in bytes.
	Guard  = 64
	poison = 0xff // a NaN in every floating-point type
)

func newMemory() *Memory { return &Memory{next: 1 << 46} }

// alloc makes a block filled with poison.
func (d *Memory) alloc(name string, size int64) *Block {
	words := make([]uint64, (size+2*Guard+7)/8)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size+2*Guard)
	for i := range raw {
		raw[i] = poison
	}
	b := &Block{Name: name, At: d.next, Raw: raw, Size: size}
	d.next += uint64(size+4095) &^ 4095
	d.next += 4096
	d.Blocks = append(d.Blocks, b)
	return b
}

// Data returns the bytes of a block without the poison around it.
func (b *Block) Data() []byte { return b.Raw[Guard : Guard+b.Size] }

// GivenUp returns false: the test waits for the results.
func (d *Memory) GivenUp() bool { return false }

// Bytes returns exactly n bytes from an address, inside one block.
func (d *Memory) Bytes(p uint64, n int64) ([]byte, error) {
	for _, b := range d.Blocks {
		if p >= b.At && int64(p-b.At)+n <= b.Size {
			return b.Data()[p-b.At:][:n:n], nil
		}
	}
	return nil, fmt.Errorf("no block holds %d bytes at %#x", n, p)
}

// CheckGuards fails the test if a kernel wrote outside a block.
func (d *Memory) CheckGuards(t testing.TB) {
	t.Helper()
	want := bytes.Repeat([]byte{poison}, Guard)
	for _, b := range d.Blocks {
		if !bytes.Equal(b.Raw[:Guard], want) || !bytes.Equal(b.Raw[Guard+b.Size:], want) {
			t.Errorf("the kernel wrote outside %s", b.Name)
		}
	}
}

func view[E any](raw []byte) []E {
	var e E
	if len(raw) == 0 {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(&raw[0])), len(raw)/int(unsafe.Sizeof(e)))
}
