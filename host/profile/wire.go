package profile

import "encoding/binary"

// Wire types used by profiles.
const (
	wireNumber = 0
	wireBytes  = 2
)

// message is an encoded protocol buffer message. RATIONALE.md explains why no package is used.
type message []byte

// number appends a field that is a number.
func (m *message) number(field int, n uint64) {
	*m = binary.AppendUvarint(*m, uint64(field<<3|wireNumber))
	*m = binary.AppendUvarint(*m, n)
}

// numbers appends a field that is a list of numbers, packed.
func (m *message) numbers(field int, list []uint64) {
	var packed message
	for _, n := range list {
		packed = binary.AppendUvarint(packed, n)
	}
	m.bytes(field, packed)
}

// bytes appends a field that is a message.
func (m *message) bytes(field int, data []byte) {
	*m = binary.AppendUvarint(*m, uint64(field<<3|wireBytes))
	*m = append(binary.AppendUvarint(*m, uint64(len(data))), data...)
}

// text appends a field that is a string.
func (m *message) text(field int, s string) { m.bytes(field, []byte(s)) }

// value is a decoded field of a message.
type value struct {
	field  int
	number uint64
	data   []byte // of a string, a message or a list; nil for a number
}

// next reads the first field of a message, and returns the rest of the message.
func (m message) next() (v value, rest message, ok bool) {
	tag, n := binary.Uvarint(m)
	if n <= 0 || tag>>3 == 0 || tag>>3 >= 1<<29 {
		return v, nil, false
	}
	v.field = int(tag >> 3)
	size, k := binary.Uvarint(m[n:])
	if rest = m[n+max(k, 0):]; k <= 0 {
		return v, nil, false
	}
	switch tag & 7 {
	case wireNumber:
		v.number = size
		return v, rest, true
	case wireBytes:
		if size > uint64(len(rest)) {
			return v, nil, false
		}
		v.data = rest[:size:size]
		return v, rest[size:], true
	}
	return v, nil, false
}

// unpack returns the numbers of a list.
func unpack(data []byte) (list []uint64, ok bool) {
	for len(data) > 0 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, false
		}
		list, data = append(list, v), data[n:]
	}
	return list, true
}
