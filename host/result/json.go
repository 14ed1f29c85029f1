package result

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// decoding decodes as encoding/json does, in half the time, with a json.Number for each number in an interface. Errors
// name the place in the document.
var decoding = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false),
	json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		if d.PeekKind() != jsontext.KindNumber {
			return errors.ErrUnsupported // by this function
		}
		text, err := d.ReadValue()
		*v = stdjson.Number(text)
		return err
	})))

// Decode decodes JSON of a report or an event file, and keeps whole numbers whole. Text that ends in the middle of a
// value is a *TruncatedError.
func Decode(text []byte, v any) error { return DecodeFrom(bytes.NewBuffer(text), v) }

// DecodeFrom decodes JSON as Decode does.
func DecodeFrom(r io.Reader, v any) error {
	err := json.UnmarshalDecode(jsontext.NewDecoder(r, decoding), v)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &TruncatedError{}
	}
	return err
}

// ErrorOffset returns where in the text an error of Decode or DecodeFrom is, in bytes from its start; ok is false when
// the error is of no place.
func ErrorOffset(err error) (offset int64, ok bool) {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return syntax.ByteOffset, true
	}
	if value, ok := errors.AsType[*json.SemanticError](err); ok {
		return value.ByteOffset, true
	}
	return 0, false
}

// TruncatedError reports a file that ends in the middle of a value.
type TruncatedError struct{}

func (*TruncatedError) Error() string {
	return "it ends in the middle; the run was cut off while it wrote"
}
