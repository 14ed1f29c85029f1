package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decode decodes JSON of a report or an event file, and keeps whole numbers whole. Text that ends in the middle of a
// value is a *TruncatedError.
func Decode(text []byte, v any) error { return DecodeFrom(bytes.NewReader(text), v) }

// DecodeFrom decodes JSON as Decode does.
func DecodeFrom(r io.Reader, v any) error {
	d := json.NewDecoder(r)
	d.UseNumber()
	err := d.Decode(v)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &TruncatedError{}
	}
	return err
}

// TruncatedError reports a file that ends in the middle of a value.
type TruncatedError struct{}

func (*TruncatedError) Error() string {
	return "it ends in the middle; the run was cut off while it wrote"
}
