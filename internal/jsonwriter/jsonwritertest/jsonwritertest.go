// Package jsonwritertest has the test of types that are written with package jsonwriter, and the random values for it.
package jsonwritertest

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"roclua/internal/jsonwriter"
	"roclua/internal/randomtest"
)

// Check writes random values of a type, and compares the bytes with package json.
func Check[T any](t *testing.T, write func(v *T, w *jsonwriter.Writer)) {
	t.Helper()
	compact, indented := jsonwriter.Compact(), jsonwriter.Indented("> ")
	randomtest.Each(t, 2000, 20, func(t *testing.T, r *rand.Rand, length int) {
		var v T
		fill(reflect.ValueOf(&v).Elem(), r, length)
		for _, w := range []*jsonwriter.Writer{compact, indented} {
			want := marshaled(t, v, w == indented)
			w.Reset(nil)
			write(&v, w)
			if have, err := w.Bytes(); err != nil || string(have) != want {
				t.Fatalf("%v, have\n%s\nwant\n%s", err, have, want)
			}
		}
	})
}

// marshaled returns a value as package json writes it, as Compact or Indented("> ") do.
func marshaled(t *testing.T, v any, indented bool) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if indented {
		e.SetEscapeHTML(false)
		e.SetIndent("> ", "  ")
	}
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// anyTypes are the types of values of type any.
var anyTypes = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[int64](),
	reflect.TypeFor[float64](), reflect.TypeFor[[]string](), reflect.TypeFor[map[string]any]()}

// fill sets a value, and all that it has, at random. A third of its parts are empty, others have up to length
// elements.
func fill(v reflect.Value, r *rand.Rand, length int) {
	if v.Kind() != reflect.Struct && r.IntN(3) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text(r, length))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat(float(r))
	case reflect.Interface:
		part := reflect.New(anyTypes[r.IntN(len(anyTypes))]).Elem()
		fill(part, r, length)
		v.Set(part)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), r, length)
	default:
		fillParts(v, r, length)
	}
}

// fillParts sets the parts of a value.
func fillParts(v reflect.Value, r *rand.Rand, length int) {
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), min(length, r.IntN(4)), 4))
		for i := range v.Len() {
			fill(v.Index(i), r, length)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range min(length, r.IntN(20)) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, r, length)
			fill(value, r, length)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), r, length)
			}
		}
	default:
		panic(v.Type())
	}
}

// float returns a number that JSON has, half of them short.
func float(r *rand.Rand) float64 {
	if f := math.Float64frombits(r.Uint64()); r.IntN(2) == 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return float64(r.IntN(100)-50) / []float64{1, 8, 1e6, 1e9, 1e-19, 1e-22}[r.IntN(6)]
}

// text returns a string with characters of all lengths, escaped characters, and invalid UTF-8.
func text(r *rand.Rand, length int) string {
	var b strings.Builder
	for range min(length, r.IntN(8)) {
		switch r.IntN(5) {
		case 0:
			b.WriteByte(byte(r.IntN(256)))
		case 1:
			b.WriteRune(rune(r.IntN(0x30000)))
		case 2:
			b.WriteString([]string{"\u2028", "\u2029", "\u2027", "\ufffd", "\x7f", "\"", "\\", "<&>"}[r.IntN(8)])
		default:
			b.WriteByte(byte(' ' + r.IntN(95)))
		}
	}
	return b.String()
}
