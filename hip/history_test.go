package hip

import (
	"bytes"
	"encoding/gob"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/driver"
)

// fill sets all fields of a value to values that differ from each other, and lists to two entries.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", *n%7) + "\xff")
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Int:
		v.SetInt(int64(*n) * (1 - int64(*n%2)*2))
	case reflect.Uint64:
		v.SetUint(math.MaxUint64 - uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic(v.Type())
	}
}

// TestGobOfHistories encodes and decodes histories in which every field is set: a field that is not encoded is noticed.
func TestGobOfHistories(t *testing.T) {
	type record struct {
		Before  string
		History History
		After   int
	}
	var first, second History
	n := 0
	fill(reflect.ValueOf(&first).Elem(), &n)
	fill(reflect.ValueOf(&second).Elem(), &n) // flags that are false in the first are true
	n++
	var third History
	fill(reflect.ValueOf(&third).Elem(), &n)
	extreme := History{Calls: []Call{{Stream: math.MinInt, Result: driver.Error(math.MaxInt), Seconds: math.Inf(-1),
		Duration: math.SmallestNonzeroFloat64}, {}}, Marks: []Mark{{}}}
	for _, h := range []History{{}, {Capacity: 1}, first, second, third, extreme} {
		want := record{"before", h, 3}
		var text bytes.Buffer
		if err := gob.NewEncoder(&text).Encode(want); err != nil {
			t.Fatal(err)
		}
		have := record{History: History{Capacity: 9, Calls: make([]Call, 3)}}
		if reflect.ValueOf(h).IsZero() {
			have = record{} // gob does not send it
		}
		if err := gob.NewDecoder(&text).Decode(&have); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("(-want +have):\n%s", diff)
		}
	}
}

// TestDamagedHistories decodes what is left of a history, and counts that are too large.
func TestDamagedHistories(t *testing.T) {
	var h History
	n := 0
	fill(reflect.ValueOf(&h).Elem(), &n)
	text, err := h.GobEncode()
	if err != nil {
		t.Fatal(err)
	}
	for size := range text {
		if err := new(History).GobDecode(text[:size]); err == nil {
			t.Errorf("%d of %d bytes are a history", size, len(text))
		}
	}
	huge := "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
	for _, text := range []string{string(text) + "x", "\x00" + huge, huge + huge, "\x00\x01" + huge,
		"\x00\x01\x00" + huge, strings.Repeat("\xff", 11)} {
		if err := new(History).GobDecode([]byte(text)); err == nil {
			t.Errorf("%q is a history", text)
		}
	}
}

// BenchmarkGobOfHistory encodes and decodes the history of a case of a few calls.
func BenchmarkGobOfHistory(b *testing.B) {
	var h History
	n := 0
	fill(reflect.ValueOf(&h).Elem(), &n)
	for b.Loop() {
		text, _ := h.GobEncode()
		var back History
		if err := back.GobDecode(text); err != nil {
			b.Fatal(err)
		}
	}
}
