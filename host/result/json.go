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

// encoding encodes as encoding/json does, in less time.
var encoding = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.WithMarshalers(numbers))

// numbers encodes the numbers that Decode returns.
var numbers = json.MarshalToFunc(func(e *jsontext.Encoder, n stdjson.Number) error {
	return e.WriteValue(jsontext.Value(n))
})

// Encode writes a value as JSON on one line, as encoding/json does. options change that, such as Stream.
func Encode(w io.Writer, v any, options ...json.Options) error {
	return json.MarshalWrite(w, v, encoding, json.JoinOptions(options...))
}

// Plain and Indented are options of Encode: JSON without escapes for HTML, which make markup six times as long, on one
// line and on several.
var (
	Plain    = json.JoinOptions(jsontext.EscapeForHTML(false))
	Indented = json.JoinOptions(jsontext.WithIndent("  "), Plain)
)

// Stream is an option of Encode for a list that is not in memory. each calls its argument with every entry of the list,
// which replaces the list of this type in the value, and returns the first error.
func Stream[T any](each func(add func(*T) error) error) json.Options {
	list := json.MarshalToFunc(func(e *jsontext.Encoder, _ []T) error {
		if err := e.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
		if err := each(func(entry *T) error { return json.MarshalEncode(e, entry) }); err != nil {
			return err
		}
		return e.WriteToken(jsontext.EndArray)
	})
	return json.WithMarshalers(json.JoinMarshalers(numbers, list))
}

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
