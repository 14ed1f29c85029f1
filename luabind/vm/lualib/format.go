package lualib

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// format is string.format, with C's directives. Widths and precisions have at most two digits, as in Lua, because
// larger ones would make very long strings.
func (lib *Library) format(l *lua.LState) int {
	format, next := convert.TextArg(l, 1), 1
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
		piece := lib.convert(l, d, next)
		lib.m.Meter().Reserve(l, 2*uint64(out.Len()+len(piece))) // writing may double the capacity
		out.WriteString(piece)
	}
	return vm.Push(l, lua.LString(out.String()))
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

// convert formats argument i. The format itself is argument 1.
func (lib *Library) convert(l *lua.LState, d directive, i int) string {
	switch d.verb {
	case 'c':
		return d.pad(string([]byte{byte(convert.IntegerArg(l, i))}))
	case 'd', 'i':
		return fmt.Sprintf(d.text('d'), wholeArg(l, i))
	case 'u':
		return d.unsigned('d', uint64(wholeArg(l, i)))
	case 'o', 'x', 'X':
		return d.unsigned(d.verb, uint64(wholeArg(l, i)))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return d.float(convert.NumberArg(l, i))
	case 'q':
		text := convert.TextArg(l, i)
		lib.m.Meter().Reserve(l, 4*uint64(len(text))) // a byte may become \000
		return quoted(text)
	case 's':
		return d.string(convert.String(l, l.CheckAny(i)))
	}
	l.RaiseError("invalid option '%%%c' to 'format'", d.verb)
	return ""
}

// unsigned formats a number without a sign. In contrast to Go, C ignores the flags for signs, and writes no 0x before 0
// and within the width of leading zeros.
func (d directive) unsigned(verb byte, n uint64) string {
	d.flags = strings.NewReplacer("+", "", " ", "").Replace(d.flags)
	prefix := ""
	if strings.Contains(d.flags, "#") && verb|0x20 == 'x' {
		d.flags = strings.ReplaceAll(d.flags, "#", "")
		if n != 0 {
			prefix = "0" + string(verb)
		}
	}
	if prefix == "" {
		return fmt.Sprintf(d.text(verb), n)
	}
	width, _ := strconv.Atoi(d.width)
	digits := fmt.Sprintf("%"+d.precision+string(verb), n)
	if strings.Contains(d.flags, "0") && !strings.Contains(d.flags, "-") && d.precision == "" {
		digits = strings.Repeat("0", max(0, width-len(prefix)-len(digits))) + digits
	}
	return d.pad(prefix + digits)
}

// float formats a number with a fraction.
func (d directive) float(f float64) string {
	if d.precision == "" && d.verb|0x20 == 'g' {
		d.precision = ".6"
	}
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		return fmt.Sprintf(d.text(d.verb), f)
	}
	name := convert.Format(lua.LNumber(f))
	switch {
	case math.Signbit(f):
	case strings.Contains(d.flags, "+"):
		name = "+" + name
	case strings.Contains(d.flags, " "):
		name = " " + name
	}
	if d.verb&0x20 == 0 { // a capital letter
		name = strings.ToUpper(name)
	}
	return d.pad(name)
}

// string formats a string. Width and precision count bytes.
func (d directive) string(text string) string {
	if d.precision != "" {
		most, _ := strconv.Atoi(d.precision[1:])
		text = text[:min(len(text), most)]
	}
	return d.pad(text)
}

// pad adds spaces up to the width.
func (d directive) pad(text string) string {
	width, _ := strconv.Atoi(d.width)
	space := strings.Repeat(" ", max(0, width-len(text)))
	if strings.Contains(d.flags, "-") {
		return text + space
	}
	return space + text
}

// wholeArg reads an integer for %d and similar. A fraction is cut off, as in C.
func wholeArg(l *lua.LState, i int) int64 {
	v := math.Trunc(convert.NumberArg(l, i))
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
