package worker

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"roclua/luabind/record"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzReceive reads replies from bytes, which a worker that crashes could have written. What is read can be sent, and
// read again with the same result.
func FuzzReceive(f *testing.F) {
	for _, r := range []reply{
		{Number: 7, Record: &record.Record{}},
		{Number: 1, Lost: true, Printed: []byte("hello\n")},
		{Description: &Description{Scenarios: []*record.Scenario{{}}, Err: &record.End{}}},
	} {
		f.Add(sentBytes(f, &r))
	}
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		first, again := reply{}, reply{}
		if newReceiver(bytes.NewReader(data)).receive(&first) != nil {
			return
		}
		if err := newReceiver(bytes.NewReader(sentBytes(t, &first))).receive(&again); err != nil {
			t.Fatal(err)
		}
		equal := cmp.Options{cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) }), cmpopts.EquateNaNs(),
			cmp.Exporter(func(reflect.Type) bool { return true })}
		if diff := cmp.Diff(first, again, equal); diff != "" {
			t.Errorf("(-first +again):\n%s", diff)
		}
	})
}

// sentBytes returns a reply as it is sent.
func sentBytes(t testing.TB, r *reply) []byte {
	t.Helper()
	var b bytes.Buffer
	s := newSender(&b)
	if err := s.send(r); err != nil {
		t.Fatal(err)
	}
	s.Flush()
	return b.Bytes()
}
