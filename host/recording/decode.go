package recording

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"roclua/hip/function"
)

// shape is shared by calls with equal arguments.
type shape struct {
	function               *Function
	handle, device, stream int
	args                   []Value
	results                int   // out-parameters
	addresses              []int // the indices of arguments whose values are in calls
}

// onDevice is the size of a scalar in device memory, whose address follows.
const onDevice = 255

// decoder reads the records of a chunk.
type decoder struct {
	version   uint32
	offset    int64 // of the chunk in the file
	thread    int   // of the next call
	data      []byte
	begin, at int    // of the record, and of the next byte to read
	clock     uint64 // end of the latest call
	took      uint64 // duration of the latest call
	functions map[uint64]*Function
	shapes    map[uint64]*shape // by their places
	damaged   bool
}

// call reads records up to the next call. It returns false at the end of the chunk and at damage.
func (d *decoder) call() (*Call, int, bool) {
	for !d.damaged && d.at < len(d.data) {
		d.begin = d.at
		kind := d.data[d.at]
		d.at++
		n := d.uint()
		if d.damaged || n > uint64(len(d.data)-d.at) {
			d.damaged = true
			break
		}
		body := decoder{version: d.version, data: d.data[:d.at+int(n)], at: d.at}
		d.at += int(n)
		switch kind {
		case FunctionRecord:
			d.function(&body)
		case ShapeRecord:
			d.shape(&body)
		case ThreadRecord:
			d.thread, d.damaged = int(body.uint()), body.damaged
		case CallRecord:
			if call, depth, ok := d.readCall(&body); ok {
				return call, depth, true
			}
		}
	}
	return nil, 0, false
}

func (d *decoder) function(body *decoder) {
	number := body.uint()
	signature, name, ok := bytes.Cut(body.data[body.at:], []byte{0})
	f := &Function{Name: string(name), Signature: string(signature)}
	if !ok || body.damaged || len(signature) == 0 || len(name) == 0 || strings.ContainsFunc(f.Params(), unknownLetter) {
		d.damaged = true
		return
	}
	d.functions[number] = f
}

// unknownLetter reports whether a letter is none of a parameter.
func unknownLetter(r rune) bool {
	k := function.Kind(r)
	return r > 'z' || !k.IsInteger() && !k.IsPointer() && k != function.Float && k != function.Double &&
		k != function.Handle
}

func (d *decoder) shape(body *decoder) {
	s := &shape{function: d.functions[body.uint()], handle: int(body.uint()), device: int(body.uint()),
		stream: int(body.uint())}
	mask := body.uint()
	if s.function == nil || body.damaged {
		d.damaged = true
		return
	}
	s.args = make([]Value, 0, len(s.function.Params()))
	for i, letter := range []byte(s.function.Params()) {
		v := Value{Letter: function.Kind(letter)}
		if v.Letter.IsPointer() {
			v.Null, mask = mask&1 != 0, mask>>1
		}
		if v.Letter.IsResult() {
			s.results++
		}
		if v.Letter == function.Address && d.version > 1 {
			s.addresses = append(s.addresses, i)
		} else {
			body.value(&v)
		}
		if v.Letter == function.Handle {
			v.Int = int64(s.handle)
		}
		s.args = append(s.args, v)
	}
	if d.damaged = body.damaged; !d.damaged {
		d.shapes[uint64(d.begin)] = s
	}
}

func (d *decoder) value(v *Value) {
	switch {
	case v.Letter.IsInteger():
		v.Int = d.int()
	case v.Letter == function.Float:
		if b := d.bytes(4); b != nil {
			v.Real = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	case v.Letter == function.Double:
		if b := d.bytes(8); b != nil {
			v.Real = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	case v.Letter == function.Scalar && !v.Null:
		if n := d.bytes(1); n != nil && n[0] == onDevice {
			v.Int = d.int()
		} else if n != nil && n[0] > 0 {
			v.Scalar = d.bytes(int(n[0]))
		}
	}
}

// readCall reads the record of a call.
func (d *decoder) readCall(body *decoder) (*Call, int, bool) {
	s := d.shapes[body.uint()]
	depth := body.uint()
	d.clock += body.uint()
	d.took = body.uint()
	status := body.int()
	if s == nil || body.damaged {
		d.damaged = true
		return nil, 0, false
	}
	body.addresses(s)
	call := &Call{Function: s.function, Thread: d.thread, Handle: s.handle, Device: s.device, Stream: s.stream,
		Args: s.args, Status: int(status)}
	if s.results > 0 {
		call.Results = make([]uint64, s.results)
		for i := range call.Results {
			call.Results[i] = body.uint()
		}
	}
	if body.at < len(body.data) {
		call.Waits, call.Copies = int(body.uint()&math.MaxUint32), int(body.uint()&math.MaxUint32)
	}
	d.damaged = body.damaged
	return call, int(min(depth, mostDepth)), !d.damaged
}

// addresses reads the addresses that are not the ones of the shape's previous call.
func (d *decoder) addresses(s *shape) {
	if len(s.addresses) == 0 {
		return
	}
	changed := d.uint()
	if changed != 0 {
		s.args = slices.Clone(s.args) // calls share the others
	}
	for i, at := range s.addresses {
		if changed>>i&1 != 0 {
			s.args[at].Int += d.int()
		}
	}
}

// uint reads a variable-length integer.
func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.data[min(d.at, len(d.data)):])
	if n <= 0 {
		d.damaged = true
		return 0
	}
	d.at += n
	return v
}

// int reads a zigzag integer.
func (d *decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1)
}

// bytes reads n bytes. It returns nil if there are fewer.
func (d *decoder) bytes(n int) []byte {
	if d.damaged || n > len(d.data)-d.at {
		d.damaged = true
		return nil
	}
	d.at += n
	return d.data[d.at-n : d.at : d.at]
}
