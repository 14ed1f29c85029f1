// Package codec turns plain data into bytes and back, in a compact form that has each string once. It does not use
// reflection: a type says which parts it has in a function, which encodes and decodes.
//
//	func (p *Point) Code(c *codec.Coder) {
//		c.Values(&p.Name, &p.X, &p.Y)
//	}
//
// The bytes have no description of the types. They are for processes of the same program.
package codec

import (
	"encoding/binary"
	"errors"
	"math"
)

// Coder encodes or decodes values in the order of its calls. When a value cannot be decoded, it and all later values
// stay unchanged. The zero value is ready to use, by one goroutine at a time.
type Coder struct {
	out     []byte            // encoded values
	indices map[string]uint64 // of the strings that were encoded
	in      string            // values to decode
	at      int               // where the next one is; a place costs less than the rest as a string, which is a pointer
	texts   []string          // decoded strings
	decodes bool
	failed  bool
}

// Encode returns the values that code passes to the coder as bytes, which are valid until it is used again. It does not
// write to the values.
func (c *Coder) Encode(code func(*Coder)) ([]byte, error) {
	if c.indices == nil {
		c.indices = map[string]uint64{}
	}
	clear(c.indices)
	c.out, c.failed, c.decodes = c.out[:0], false, false
	if code(c); c.failed {
		return nil, errors.New("a value of this kind cannot be encoded")
	}
	return c.out, nil
}

// Decode sets the values that code passes to the coder to the encoded ones. Decoded strings share memory with data.
// Decode returns an error for bytes that Encode does not return for these values.
func (c *Coder) Decode(data string, code func(*Coder)) error {
	c.in, c.at, c.failed, c.decodes = data, 0, false, true
	c.texts = c.texts[:0]
	code(c)
	whole := !c.failed && c.rest() == 0
	clear(c.texts)
	if c.in, c.at = "", 0; !whole {
		return errors.New("the data are damaged")
	}
	return nil
}

// Cap returns how many bytes the coder has for encoded values.
func (c *Coder) Cap() int { return cap(c.out) }

// Decodes reports whether values are decoded.
func (c *Coder) Decodes() bool { return c.decodes }

// Fail reports that a value cannot be encoded or decoded, which ends decoding.
func (c *Coder) Fail() { c.failed, c.at = true, len(c.in) }

// rest returns the number of bytes that are not decoded yet.
func (c *Coder) rest() int { return len(c.in) - c.at }

// Uint encodes or decodes a number, a small one in few bytes.
func (c *Coder) Uint(v *uint64) {
	if !c.decodes {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	var n uint64
	for i := 0; i < c.rest() && i < binary.MaxVarintLen64; i++ {
		b := c.in[c.at+i]
		if n |= uint64(b&0x7f) << (7 * i); b < 0x80 {
			*v = n
			c.at += i + 1
			return
		}
	}
	c.Fail()
}

// Int encodes or decodes a number, a small one in few bytes.
func (c *Coder) Int(v *int) {
	n := int64(*v)
	if c.Int64(&n); c.decodes {
		*v = int(n)
	}
}

// Int64 encodes or decodes a number, a small one in few bytes.
func (c *Coder) Int64(v *int64) {
	n := uint64(*v<<1) ^ uint64(*v>>63) // so that small negative numbers are small
	if c.Uint(&n); c.decodes {
		*v = int64(n>>1) ^ -int64(n&1)
	}
}

// Float encodes or decodes a number in eight bytes.
func (c *Coder) Float(v *float64) {
	if !c.decodes {
		c.out = binary.LittleEndian.AppendUint64(c.out, math.Float64bits(*v))
		return
	}
	if c.rest() < 8 {
		c.Fail()
		return
	}
	var bits uint64
	for i := range 8 {
		bits |= uint64(c.in[c.at+i]) << (8 * i)
	}
	*v = math.Float64frombits(bits)
	c.at += 8
}

// Flags encodes or decodes up to 64 values together.
func (c *Coder) Flags(list ...*bool) {
	var bits uint64
	for i, v := range list {
		if *v {
			bits |= 1 << i
		}
	}
	if c.Uint(&bits); !c.decodes {
		return
	}
	for i, v := range list {
		*v = bits>>i&1 == 1
	}
}

// Text encodes or decodes a string that may occur several times.
func (c *Coder) Text(v *string) {
	if c.decodes {
		c.knownText(v)
		return
	}
	i, known := c.indices[*v]
	if !known {
		i = uint64(len(c.indices))
		c.indices[*v] = i
	}
	if c.Uint(&i); !known {
		c.Once(v)
	}
}

// knownText decodes a string by its index among those before it. The string itself follows the first time.
func (c *Coder) knownText(v *string) {
	var i uint64
	c.Uint(&i)
	switch known := uint64(len(c.texts)); {
	case c.failed:
	case i < known:
		*v = c.texts[i]
	case i == known:
		c.Once(v)
		c.texts = append(c.texts, *v)
	default:
		c.Fail()
	}
}

// Once encodes or decodes a string that occurs once, such as the output of a script.
func (c *Coder) Once(v *string) {
	n := uint64(len(*v))
	c.Uint(&n)
	switch {
	case !c.decodes:
		c.out = append(c.out, *v...)
	case n > uint64(c.rest()):
		c.Fail()
	case !c.failed:
		*v = c.in[c.at:][:n]
		c.at += int(n)
	}
}

// List encodes or decodes the entries of a list with code. A list without entries is decoded as nil.
func List[T any](c *Coder, list *[]T, code func(*T)) {
	n := uint64(len(*list))
	c.Uint(&n)
	if !c.decodes {
		for i := range *list {
			code(&(*list)[i])
		}
		return
	}
	var decoded []T
	if !c.failed && n > 0 {
		decoded = make([]T, 0, min(n, uint64(c.rest()/expectedEntry+1)))
	}
	for ; n > 0 && !c.failed; n-- { // an entry of damaged data ends this: each has at least one byte
		decoded = append(decoded, *new(T))
		code(&decoded[len(decoded)-1])
	}
	*list = decoded
}

// expectedEntry is the expected number of bytes of an entry of a list. Damaged data do not make a large list.
const expectedEntry = 8

// Map encodes or decodes the values of a map with code. A map without entries is decoded as nil.
func Map[T any](c *Coder, entries *map[string]T, code func(*T)) {
	n := uint64(len(*entries))
	c.Uint(&n)
	if !c.decodes {
		for name, value := range *entries {
			c.Text(&name)
			code(&value)
		}
		return
	}
	var decoded map[string]T
	if !c.failed && n > 0 {
		decoded = make(map[string]T, min(n, uint64(c.rest()/2)))
	}
	var name string
	var value, empty T
	for ; n > 0 && !c.failed; n-- {
		name, value = "", empty
		c.Text(&name)
		code(&value)
		decoded[name] = value
	}
	*entries = decoded
}

// Pointer encodes or decodes the target of a pointer with code, or that the pointer is nil.
func Pointer[T any](c *Coder, p **T, code func(*T)) {
	there := *p != nil
	c.Flags(&there)
	if !there || c.failed {
		*p = nil
		return
	}
	if c.decodes {
		*p = new(T)
	}
	code(*p)
}

// Values encodes or decodes strings that may occur several times and numbers, by their addresses.
func (c *Coder) Values(list ...any) {
	for _, v := range list {
		switch v := v.(type) {
		case *string:
			c.Text(v)
		case *int:
			c.Int(v)
		case *int64:
			c.Int64(v)
		case *uint64:
			c.Uint(v)
		case *float64:
			c.Float(v)
		default:
			c.Fail()
		}
	}
}

// Any encodes or decodes nil, an int64, a float64, a string or a bool.
func (c *Coder) Any(v *any) {
	kind := kindOf(*v)
	if c.Uint(&kind); c.failed {
		return
	}
	switch kind {
	case kindNil:
		*v = nil
	case kindInt:
		anyOf(v, c.Int64)
	case kindFloat:
		anyOf(v, c.Float)
	case kindString:
		anyOf(v, c.Text)
	case kindBool:
		anyOf(v, func(b *bool) { c.Flags(b) })
	default:
		c.Fail()
	}
}

const (
	kindNil uint64 = iota
	kindInt
	kindFloat
	kindString
	kindBool
	kindOther
)

func kindOf(v any) uint64 {
	switch v.(type) {
	case nil:
		return kindNil
	case int64:
		return kindInt
	case float64:
		return kindFloat
	case string:
		return kindString
	case bool:
		return kindBool
	}
	return kindOther
}

// anyOf encodes or decodes a value of one type.
func anyOf[T any](v *any, code func(*T)) {
	one, _ := (*v).(T)
	code(&one)
	*v = one
}
