package worker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"roclua/hip/fault"
	"roclua/host/config"
	"roclua/internal/codec"
	"roclua/luabind/record"
)

// message is what is sent between the program and a worker.
type message interface{ Code(*codec.Coder) }

const (
	firstByte   = 'm'     // of each message: a library that writes into the pipe is noticed
	maxMessage  = 1 << 40 // bytes; a longer one is damaged
	keptMessage = 1 << 20 // bytes that are kept for the next message; a longer one is large

	largeMessage = 64 << 20 // bytes; the message of a case with the default limit of output is smaller
)

// sender sends messages: firstByte, the length of the message in bytes, then the message.
type sender struct {
	*bufio.Writer
	coder codec.Coder
}

func newSender(w io.Writer) *sender { return &sender{Writer: bufio.NewWriter(w)} }

// send writes a message into the buffer.
func (s *sender) send(m message) error {
	if s.coder.Cap() > keptMessage {
		s.coder = codec.Coder{}
	}
	data, err := s.coder.Encode(m.Code)
	if err != nil {
		return err
	}
	s.WriteByte(firstByte)
	var length [binary.MaxVarintLen64]byte
	s.Write(length[:binary.PutUvarint(length[:], uint64(len(data)))])
	_, err = s.Write(data)
	return err
}

// receiver receives messages.
type receiver struct {
	in    *bufio.Reader
	coder codec.Coder
	large func() // called before a message of more than keptMessage bytes is read; may be nil
}

// pipeBytes is the usual capacity of a pipe.
const pipeBytes = 64 << 10

func newReceiver(r io.Reader) *receiver { return &receiver{in: bufio.NewReaderSize(r, pipeBytes)} }

// receive reads a message. The error is io.EOF when there are no more.
func (r *receiver) receive(m message) error {
	first, err := r.in.ReadByte()
	if err != nil {
		return err
	}
	if first != firstByte {
		return fmt.Errorf("a message that begins with the byte %#x", first)
	}
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return unexpectedEnd(err)
	}
	if length > maxMessage {
		return fmt.Errorf("a message of %d bytes", length)
	}
	if length > keptMessage && r.large != nil {
		r.large()
	}
	text, err := r.text(int(length))
	if err != nil {
		return unexpectedEnd(err)
	}
	return r.coder.Decode(text, m.Code)
}

// text reads bytes. A wrong length does not take more memory than a large message.
func (r *receiver) text(length int) (string, error) {
	var b strings.Builder
	b.Grow(min(length, largeMessage))
	for b.Len() < length {
		if _, err := r.in.Peek(1); err != nil {
			return "", err
		}
		part, _ := r.in.Peek(min(length-b.Len(), r.in.Buffered()))
		b.Write(part)
		r.in.Discard(len(part))
	}
	return b.String(), nil
}

// unexpectedEnd returns the error of reading a part of a message, which cannot be the end.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Code encodes or decodes the request.
func (r *request) Code(c *codec.Coder) {
	number(c, &r.Number)
	codec.Pointer(c, &r.Common, func(p *common) { p.code(c) })
	codec.Pointer(c, &r.Script, func(p *scriptPart) {
		c.Text(&p.Name)
		content(c, &p.Source)
		codec.List(c, &p.Library, c.Text)
	})
	c.Int(&r.Place)
	codec.Pointer(c, &r.Case, func(p *casePart) {
		c.Text(&p.ID)
		p.Case.Code(c)
		codeTarget(c, &p.Target)
		codeFaults(c, &p.Faults)
		codec.List(c, &p.Thresholds, func(t *record.Threshold) { c.Values(&t.Metric, &t.Is) })
	})
}

func (p *common) code(c *codec.Coder) {
	c.Values(&p.BLAS, &p.Threads)
	c.Flags(&p.Unchecked, &p.History, &p.Profile, &p.Live)
	codec.Map(c, &p.Env, c.Text)
	codec.List(c, &p.Args, c.Text)
	c.Text(&p.Sandbox)
	p.Limits.Code(c)
	c.Uint(&p.Seed)
}

func codeTarget(c *codec.Coder, t *config.Target) {
	c.Values(&t.Platform, &t.Profile, &t.Arch, (*uint64)(&t.DeviceMemory))
	c.Text(&t.Tuning)
	c.Flags(&t.NoPools)
	c.Values((*int)(&t.Devices))
	codec.List(c, &t.DeviceIDs, c.Int)
	codec.List(c, &t.DeviceArchs, c.Text)
}

func codeFaults(c *codec.Coder, p *fault.Plan) {
	codec.List(c, &p.Nth, c.Int)
	c.Values(&p.Every, &p.Over)
	codec.List(c, &p.Calls, c.Text)
	codec.List(c, &p.Devices, c.Int)
	codec.List(c, &p.Streams, c.Int)
	codec.List(c, &p.Causes, c.Text)
}

// Code encodes or decodes the reply.
func (r *reply) Code(c *codec.Coder) {
	number(c, &r.Number)
	codec.Pointer(c, &r.Record, func(p *record.Record) { p.Code(c) })
	c.Flags(&r.Lost)
	codec.Pointer(c, &r.Description, func(d *Description) {
		codec.List(c, &d.Scenarios, func(s **record.Scenario) {
			codec.Pointer(c, s, func(s *record.Scenario) { s.Code(c) })
		})
		codec.Pointer(c, &d.Err, func(e *record.End) { e.Code(c) })
	})
	codec.Pointer(c, &r.Second, func(i *record.Interval) { i.Code(c) })
	content(c, &r.Printed)
}

// number encodes or decodes the number of a request.
func number(c *codec.Coder, n *uint32) {
	wide := uint64(*n)
	if c.Uint(&wide); c.Decodes() {
		*n = uint32(wide)
	}
}

// content encodes or decodes bytes. None are decoded as nil.
func content(c *codec.Coder, b *[]byte) {
	text := string(*b)
	if c.Once(&text); c.Decodes() {
		*b = append([]byte(nil), text...)
	}
}
