// Package convert converts between numbers and text as Lua 5.1 does.
package convert

import (
	"errors"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// exactDigits is the number of decimal digits that Lua shows.
const exactDigits = 14

// Format returns a number as Lua 5.1 shows it. gopher-lua shows more digits. As in C, NaN has the sign that the
// processor gives it.
func Format(n lua.LNumber) string {
	f := float64(n)
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	case math.IsNaN(f):
		return "nan"
	case f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)):
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', exactDigits, 64)
}

// Spaces are the characters that Lua ignores around a number in a string.
const Spaces = " \t\n\v\f\r"

// maxDigits is the most characters of a number in text. The errors of package strconv have a copy of the text.
const maxDigits = 1 << 20

// Parse reads a number as Lua 5.1 does. gopher-lua also reads octal and binary numbers and underscores, and
// tonumber does not read exponents.
func Parse(text string) (lua.LNumber, bool) {
	text = strings.Trim(text, Spaces)
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || len(digits) > maxDigits {
		return 0, false
	}
	f, ok := parseUnsigned(strings.ToLower(digits))
	if strings.HasPrefix(text, "-") {
		f = -f
	}
	return lua.LNumber(f), ok
}

// parseUnsigned reads a number in lower case without a sign as C's strtod does.
func parseUnsigned(digits string) (float64, bool) {
	allowed := "0123456789.e+-"
	switch {
	case digits == "inf" || digits == "infinity":
		return math.Inf(1), true
	case digits == "nan":
		return math.NaN(), true
	case strings.HasPrefix(digits, "0x"):
		allowed = "0123456789abcdefx.p+-"
		if !strings.Contains(digits, "p") {
			digits += "p0" // Go requires an exponent
		}
	}
	if strings.Trim(digits, allowed) != "" { // underscores
		return 0, false
	}
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}

// ParseInteger reads an integer in a base from 2 to 36 as C's strtoul does: beyond 64 bits it is 2^64-1, and a minus
// sign counts from 2^64 down.
func ParseInteger(text string, base int) (lua.LNumber, bool) {
	text = strings.Trim(text, Spaces)
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || len(digits) > maxDigits {
		return 0, false
	}
	if base == 16 {
		digits = strings.TrimPrefix(strings.ToLower(digits), "0x")
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err == nil && strings.HasPrefix(text, "-") {
		n = -n
	}
	return lua.LNumber(n), err == nil || errors.Is(err, strconv.ErrRange)
}

// Number converts a value to a number, as arithmetic does.
func Number(v lua.LValue) (lua.LNumber, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return v, true
	case lua.LString:
		return Parse(string(v))
	}
	return 0, false
}

// NumberArg reads a number, which may be in a string. It raises an error for other values.
func NumberArg(l *lua.LState, i int) float64 {
	if n, ok := Number(l.Get(i)); ok {
		return float64(n)
	}
	l.TypeError(i, lua.LTNumber)
	return 0
}

// IntegerArg reads a number and cuts off its fraction. Numbers beyond the range of int become its ends.
func IntegerArg(l *lua.LState, i int) int {
	switch f := NumberArg(l, i); {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f > math.MinInt64:
		return int(f)
	}
	return math.MinInt64 // also NaN
}

// OptionalInteger is like IntegerArg. If there is no argument, or it is nil, it returns a default.
func OptionalInteger(l *lua.LState, i, otherwise int) int {
	if l.Get(i) == lua.LNil {
		return otherwise
	}
	return IntegerArg(l, i)
}

// TextArg reads a string or a number. It raises an error for other values.
func TextArg(l *lua.LState, i int) string {
	if text, ok := Text(l.Get(i)); ok {
		return text
	}
	return l.CheckString(i)
}

// Text returns the text of a string or a number.
func Text(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return Format(v), true
	}
	return "", false
}

// String returns the result of tostring.
func String(l *lua.LState, v lua.LValue) string {
	if text, ok := Text(v); ok {
		return text
	}
	return l.ToStringMeta(v).String()
}
