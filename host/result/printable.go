package result

import (
	"strings"
	"unicode/utf8"

	"roclua/luabind"
)

// MakePrintable replaces the bytes in the texts of a record that reports cannot show: strings of Lua are bytes,
// reports are UTF-8.
func MakePrintable(r *luabind.Record) {
	r.Log, r.Skipped = printable(r.Log), printable(r.Skipped)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Name, m.Unit = printable(m.Name), printable(m.Unit)
		if text, ok := m.Value.(string); ok {
			m.Value = printable(text)
		}
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		c.Text, c.Have, c.Want = printable(c.Text), printable(c.Have), printable(c.Want)
	}
	for i := range r.Problems {
		r.Problems[i] = printable(r.Problems[i])
	}
	if r.End != nil {
		r.End.Message = printable(r.End.Message)
	}
}

// printable replaces what is not UTF-8, and the control characters that XML and terminals cannot represent.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7F || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}
