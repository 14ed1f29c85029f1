package luabind

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/codec/codectest"
)

func TestCodeOfRecords(t *testing.T) { codectest.Check[Record](t) }

// TestGobOfRecords sends records between other values, as workers do.
func TestGobOfRecords(t *testing.T) {
	type reply struct {
		Before string
		Record *Record
		After  int
	}
	for _, record := range []*Record{nil, {}, {Log: "printed", End: &End{Kind: EndTimeout, Limit: &LimitUse{Max: 1}}},
		{Metrics: []Metric{{Name: "n", Value: int64(1)}}}} {
		want := reply{"before", record, 3}
		var text bytes.Buffer
		if err := gob.NewEncoder(&text).Encode(want); err != nil {
			t.Fatal(err)
		}
		var have reply
		if err := gob.NewDecoder(&text).Decode(&have); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("(-want +have):\n%s", diff)
		}
	}
	if err := new(Record).GobDecode([]byte("damaged")); err == nil {
		t.Error("damaged data were decoded")
	}
	if _, err := (&Record{Metrics: []Metric{{Value: 1}}}).GobEncode(); err == nil {
		t.Error("a value of another type was encoded")
	}
}
