// Package codectest has the test of types that are encoded with package codec.
package codectest

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/internal/codec"
)

// Codable is a pointer to a value of type T that is encoded and decoded.
type Codable[T any] interface {
	*T
	Code(*codec.Coder)
}

// Check encodes and decodes values with every field set, to find fields that are not encoded, and decodes damaged data.
func Check[T any, P Codable[T]](t *testing.T) {
	t.Helper()
	n := 0
	var coder codec.Coder
	for range 4 { // flags that are false in the first value are true in the second; an any has another type in each
		var want T
		fill(reflect.ValueOf(&want).Elem(), &n)
		n++
		data, err := coder.Encode(P(&want).Code)
		if err != nil {
			t.Fatal(err)
		}
		var have T
		if err := coder.Decode(string(data), P(&have).Code); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("(-want +have):\n%s", diff)
		}
	}
	checkEmpty[T, P](t)
	checkDamaged[T, P](t)
}

// checkEmpty decodes an empty value over another.
func checkEmpty[T any, P Codable[T]](t *testing.T) {
	t.Helper()
	n := 0
	var coder codec.Coder
	var empty, have T
	fill(reflect.ValueOf(&have).Elem(), &n)
	data, err := coder.Encode(P(&empty).Code)
	if err == nil {
		err = coder.Decode(string(data), P(&have).Code)
	}
	if diff := cmp.Diff(empty, have); err != nil || diff != "" {
		t.Errorf("an empty value: %v\n%s", err, diff)
	}
}

// checkDamaged decodes the first bytes of a value, and a value with more bytes.
func checkDamaged[T any, P Codable[T]](t *testing.T) {
	t.Helper()
	n := 0
	var coder codec.Coder
	var value T
	fill(reflect.ValueOf(&value).Elem(), &n)
	data, err := coder.Encode(P(&value).Code)
	if err != nil {
		t.Fatal(err)
	}
	data = append([]byte(nil), data...)
	for size := range data {
		if err := coder.Decode(string(data[:size]), P(new(T)).Code); err == nil {
			t.Errorf("%d of %d bytes are a value", size, len(data))
		}
	}
	huge := "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
	for _, text := range []string{string(data) + "x", huge, "\x00" + huge, huge + huge, strings.Repeat("\xff", 11)} {
		if err := coder.Decode(text, P(new(T)).Code); err == nil {
			t.Errorf("%q is a value", text)
		}
	}
}

// fill sets all fields of a value to values that differ from each other, and lists and maps to two entries.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", *n%7) + "\xff" + fmt.Sprint(*n/3))
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n) * (1 - int64(*n%2)*2))
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(uint64(*n % 256))
	case reflect.Uint64:
		v.SetUint(math.MaxUint64 - uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 7)
	case reflect.Interface:
		v.Set(reflect.ValueOf([]any{int64(*n), float64(*n), fmt.Sprint(*n), true}[*n%4]))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	default:
		fillParts(v, n)
	}
}

// fillParts sets the parts of a value.
func fillParts(v reflect.Value, n *int) {
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for v.Len() < 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, n)
			fill(value, n)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic(v.Type())
	}
}
