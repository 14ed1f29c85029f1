package worker

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

const (
	firstByte   = 'm'     // of each message: a library that writes into the pipe is noticed
	maxMessage  = 1 << 40 // bytes; a longer one is damaged
	keptMessage = 1 << 20 // bytes that are kept for the next message; a longer one is large

)

// sender sends messages: firstByte, the length of the message in bytes, then the message.
type sender struct {
	*bufio.Writer
	message bytes.Buffer
	encoder *gob.Encoder // of message; it describes each type once
}

func newSender(w io.Writer) *sender {
	s := &sender{Writer: bufio.NewWriter(w)}
	s.encoder = gob.NewEncoder(&s.message)
	return s
}

// send writes a message into the buffer: the address of a request or of a reply.
func (s *sender) send(m any) error {
	if s.message.Reset(); s.message.Cap() > keptMessage {
		s.message = bytes.Buffer{}
	}
	if err := s.encoder.Encode(m); err != nil {
		return err
	}
	s.WriteByte(firstByte)
	var length [binary.MaxVarintLen64]byte
	s.Write(length[:binary.PutUvarint(length[:], uint64(s.message.Len()))])
	_, err := s.Write(s.message.Bytes())
	return err
}

// receiver receives messages.
type receiver struct {
	in      *bufio.Reader
	message bytes.Buffer
	decoder *gob.Decoder // of message
	large   func()       // called before a message of more than keptMessage bytes is read; may be nil
}

// pipeBytes is the usual capacity of a pipe.
const pipeBytes = 64 << 10

func newReceiver(r io.Reader) *receiver {
	c := &receiver{in: bufio.NewReaderSize(r, pipeBytes)}
	c.decoder = gob.NewDecoder(&c.message)
	return c
}

// receive reads a message into the zero value at an address. The error is io.EOF when there are no more.
func (r *receiver) receive(m any) error {
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
	if err := r.read(int64(length)); err != nil {
		return unexpectedEnd(err)
	}
	if err := r.decoder.Decode(m); err != nil {
		return fmt.Errorf("the data are damaged: %w", err)
	}
	if r.message.Len() > 0 {
		return errors.New("the data are damaged: the message is too long")
	}
	return nil
}

// read reads the bytes of a message. A wrong length does not take more memory than there are bytes.
func (r *receiver) read(length int64) error {
	if r.message.Reset(); r.message.Cap() > keptMessage {
		r.message = bytes.Buffer{}
	}
	_, err := io.CopyN(&r.message, r.in, length)
	return err
}

// unexpectedEnd returns the error of reading a part of a message, which cannot be the end.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
