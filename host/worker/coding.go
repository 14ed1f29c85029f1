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
	in      *bufio.Reader
	message io.LimitedReader // of in: a wrong length does not take more memory than there are bytes
	decoder decoder          // of message
	large   func()           // called before a large message is read; may be nil
}

// pipeBytes is the usual capacity of a pipe.
const pipeBytes = 64 << 10

func newReceiver(r io.Reader) *receiver {
	c := &receiver{in: bufio.NewReaderSize(r, pipeBytes)}
	c.message.R = c.in
	c.decoder = newDecoder(&c.message)
	return c
}

// receive reads a message into the zero value at an address. The error is io.EOF when there are no more.
func (r *receiver) receive(m any) error {
	first, err := r.in.ReadByte()
	if err != nil {
		return err
	}
	if first != firstByte {
		return fmt.Errorf("a message that starts with the byte %#x", first)
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
	r.message.N = int64(length)
	switch err = r.decoder.Decode(m); {
	case err != nil && r.message.N > 0:
		return unexpectedEnd(err)
	case err != nil: // also the end of the message
		return fmt.Errorf("the data are damaged: %v", err)
	case r.message.N > 0:
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
