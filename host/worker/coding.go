package worker

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	firstByte   = 'm'     // of each message: a library that writes into the pipe is noticed
	maxMessage  = 1 << 40 // bytes; a longer one is damaged
	keptMessage = 1 << 20 // bytes; a longer message is large
)

type (
	encoder interface{ Encode(any) error }
	decoder interface{ Decode(any) error }
)

// sender sends messages: firstByte, the length of the message in bytes, then the message. After a large message both
// sides begin again with a new encoder and decoder, which keep none of its memory.
type sender struct {
	*bufio.Writer
	message *bytes.Buffer
	encoder encoder // of message; it describes each type once
}

func newSender(w io.Writer) *sender {
	s := &sender{Writer: bufio.NewWriter(w)}
	s.begin()
	return s
}

func (s *sender) begin() {
	s.message = &bytes.Buffer{}
	s.encoder = newEncoder(s.message)
}

// send writes a message into the buffer: the address of a request or of a reply.
func (s *sender) send(m any) error {
	s.message.Reset()
	if err := s.encoder.Encode(m); err != nil {
		return err
	}
	s.WriteByte(firstByte)
	var length [binary.MaxVarintLen64]byte
	s.Write(length[:binary.PutUvarint(length[:], uint64(s.message.Len()))])
	_, err := s.Write(s.message.Bytes())
	if s.message.Len() > keptMessage {
		s.begin()
	}
	return err
}

// receiver receives messages.
type receiver struct {
	message message
	decoder decoder // of message
	large   func()  // called before a large message is read; may be nil
}

// message reads the rest of a message, so that a wrong length does not take more memory than there are bytes.
type message struct {
	in   *bufio.Reader
	left uint64 // bytes
	err  error  // of in
}

func (m *message) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, io.EOF
	}
	n, err := m.in.Read(p[:min(uint64(len(p)), m.left)])
	m.left -= uint64(n)
	m.err = err
	return n, err
}

// ReadByte lets the decoder do without a buffer between them.
func (m *message) ReadByte() (byte, error) {
	var b [1]byte
	_, err := m.Read(b[:])
	return b[0], err
}

// pipeBytes is the usual capacity of a pipe.
const pipeBytes = 64 << 10

func newReceiver(r io.Reader) *receiver {
	c := &receiver{message: message{in: bufio.NewReaderSize(r, pipeBytes)}}
	c.decoder = newDecoder(&c.message)
	return c
}

// receive reads a message into the zero value at an address. The error is io.EOF when there are no more.
func (r *receiver) receive(m any) error {
	first, err := r.message.in.ReadByte()
	if err != nil {
		return err
	}
	if first != firstByte {
		return fmt.Errorf("a message that starts with the byte %#x", first)
	}
	length, err := binary.ReadUvarint(r.message.in)
	if err != nil {
		return unexpectedEnd(err)
	}
	if length > maxMessage {
		return fmt.Errorf("a message of %d bytes", length)
	}
	if length > keptMessage && r.large != nil {
		r.large()
	}
	r.message.left = length
	err = r.decoder.Decode(m)
	switch {
	case r.message.err != nil:
		return unexpectedEnd(r.message.err)
	case err != nil:
		return fmt.Errorf("the data are damaged: %w", err)
	case r.message.left > 0:
		return errors.New("the data are damaged: the message is too long")
	}
	if length > keptMessage {
		r.decoder = newDecoder(&r.message)
	}
	return nil
}

// unexpectedEnd returns the error of reading a part of a message, which cannot be the end.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
