package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// format is string.format, with C's directives. Widths and precisions have at most two digits, as in Lua, because
// larger ones would make very long strings.
func (s *stringLibrary) format(l *lua.LState) int {
	format, next := l.CheckString(1), 1
	var out strings.Builder
	for rest := format; rest != ""; {
		plain, after, more := strings.Cut(rest, "%")
		out.WriteString(plain)
		if rest = after; !more {
			break
		}
		if strings.HasPrefix(rest, "%") {
			out.WriteByte('%')
			rest = rest[1:]
			continue
		}
		d, length := parseDirective(l, rest)
		rest = rest[length:]
		next++
		out.WriteString(d.format(l, next))
		s.meter.Reserve(l, uint64(out.Len()))
	}
	l.Push(lua.LString(out.String()))
	return 1
}

// directive is one conversion of a format, such as %-5.2f.
type directive struct {
	flags     string
	width     string
	precision string // with the dot
	verb      byte
}

func parseDirective(l *lua.LState, text string) (d directive, length int) {
	i := 0
	span := func(set string, most int) string {
		start := i
		for i < len(text) && strings.IndexByte(set, text[i]) >= 0 {
			i++
		}
		if i-start > most {
			l.RaiseError("invalid format (width or precision too long)")
		}
		return text[start:i]
	}
	d.flags = span("-+ #0", 5)
	d.width = span("0123456789", 2)
	if i < len(text) && text[i] == '.' {
		i++
		d.precision = "." + span("0123456789", 2)
	}
	if i == len(text) {
		l.RaiseError("invalid format (ends with '%%')")
	}
	d.verb = text[i]
	return d, i + 1
}

func (d directive) text(verb byte) string {
	return "%" + d.flags + d.width + d.precision + string(verb)
}

// format formats argument i. The format itself is argument 1.
func (d directive) format(l *lua.LState, i int) string {
	switch d.verb {
	case 'c':
		return fmt.Sprintf("%"+d.flags+d.width+"s", string([]byte{byte(l.CheckInt(i))}))
	case 'd', 'i':
		return fmt.Sprintf(d.text('d'), integerArg(l, i))
	case 'u':
		return fmt.Sprintf(d.text('d'), uint64(integerArg(l, i)))
	case 'o', 'x', 'X':
		return fmt.Sprintf(d.text(d.verb), uint64(integerArg(l, i)))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if d.precision == "" && d.verb|0x20 == 'g' {
			d.precision = ".6"
		}
		return fmt.Sprintf(d.text(d.verb), float64(l.CheckNumber(i)))
	case 'q':
		return quoted(l.CheckString(i))
	case 's':
		text := l.ToStringMeta(l.CheckAny(i)).String()
		if d.flags+d.width+d.precision == "" {
			return text
		}
		return fmt.Sprintf(d.text('s'), text)
	}
	l.RaiseError("invalid option '%%%c' to 'format'", d.verb)
	return ""
}

// integerArg reads an integer for %d and similar. A fraction is cut off, as in C.
func integerArg(l *lua.LState, i int) int64 {
	v := math.Trunc(float64(l.CheckNumber(i)))
	if math.IsNaN(v) || v < math.MinInt64 || v >= math.MaxInt64 {
		l.ArgError(i, "number "+strconv.FormatFloat(v, 'g', -1, 64)+" is not a 64-bit integer")
	}
	return int64(v)
}

// quoted returns a string literal of Lua.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
