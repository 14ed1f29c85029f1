package worker

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestMessages sends messages, a long one among them, and receives them and the rest of the last one.
func TestMessages(t *testing.T) {
	var pipe bytes.Buffer
	out := newSender(&pipe)
	lengths := []int{0, 1, keptMessage, 3, keptMessage * 2, 0}
	for i, n := range lengths {
		r := &reply{Number: uint32(i), Printed: bytes.Repeat([]byte{'x'}, n)}
		if err := errors.Join(out.send(r), out.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	sent := pipe.Bytes()
	in := newReceiver(bytes.NewReader(sent))
	for i, n := range lengths {
		var r reply
		if err := in.receive(&r); err != nil || r.Number != uint32(i) || len(r.Printed) != n {
			t.Errorf("message %d: %d bytes, %v", i, len(r.Printed), err)
		}
	}
	if err := in.receive(&reply{}); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for _, damaged := range []string{string(sent[:1]), string(sent[:2]), "m\xff", "m\x01",
		"m\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "m\x03\xff\xff\xff"} {
		if err := newReceiver(strings.NewReader(damaged)).receive(&reply{}); err == nil || err == io.EOF {
			t.Errorf("%q: %v", damaged, err)
		}
	}
	foreign := append([]byte{0x80}, sent...) // a library wrote a byte before the first message
	if err := newReceiver(bytes.NewReader(foreign)).receive(&reply{}); err == nil ||
		!strings.Contains(err.Error(), "starts with the byte 0x80") {
		t.Errorf("after a byte that is not of a message: %v", err)
	}
	bad := &reply{Record: &record.Record{Metrics: []record.Metric{{Value: struct{ x int }{}}}}}
	if err := out.send(bad); err == nil || out.Buffered() > 0 {
		t.Errorf("a value of another type was sent: %v", err)
	}
}
