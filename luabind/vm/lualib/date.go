package lualib

import (
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// maxTime is the latest time in seconds, before the year 10000.
const maxTime = 253402300799

// time is os.time([table]).
func (lib *Library) time(l *lua.LState) int {
	if l.Get(1) == lua.LNil {
		return vm.Push(l, lua.LNumber(time.Now().Unix()))
	}
	table := l.CheckTable(1)
	field := func(name string, otherwise int) int {
		n, ok := convert.Number(table.RawGetString(name))
		switch {
		case ok && n > -1e9 && n < 1e9:
			return int(n)
		case ok:
			l.RaiseError("field '%s' is out of range", name)
		case otherwise < 0:
			l.RaiseError("field '%s' missing in date table", name)
		}
		return otherwise
	}
	sec, minute, hour := field("sec", 0), field("min", 0), field("hour", 12)
	day, month, year := field("day", -1), field("month", -1), field("year", -1)
	t := time.Date(year, time.Month(month), day, hour, minute, sec, 0, time.Local)
	return vm.Push(l, lua.LNumber(t.Unix()))
}

// difftime is os.difftime(t2 [, t1]).
func difftime(l *lua.LState) int {
	earlier := 0.0
	if l.Get(2) != lua.LNil {
		earlier = convert.NumberArg(l, 2)
	}
	return vm.Push(l, lua.LNumber(convert.NumberArg(l, 1)-earlier))
}

// date is os.date([format [, time]]).
func (lib *Library) date(l *lua.LState) int {
	format := "%c"
	if l.Get(1) != lua.LNil {
		format = convert.TextArg(l, 1)
	}
	seconds := convert.OptionalInteger(l, 2, int(time.Now().Unix()))
	if seconds < -maxTime || seconds > maxTime {
		l.ArgError(2, "time out of range")
	}
	t := time.Unix(int64(seconds), 0)
	if rest, utc := strings.CutPrefix(format, "!"); utc {
		t, format = t.UTC(), rest
	}
	if strings.HasPrefix(format, "*t") {
		return vm.Push(l, lib.dateTable(t))
	}
	lib.m.Meter().Reserve(l, 8*uint64(len(format)))
	step := lib.m.Meter().Every(l, 1<<10)
	var out strings.Builder
	for rest := format; rest != ""; step() {
		plain, after, found := strings.Cut(rest, "%")
		out.WriteString(plain)
		switch rest = after; {
		case rest != "":
			out.WriteString(formatDate(t, rest[0]))
			rest = rest[1:]
		case found:
			out.WriteByte('%')
		}
	}
	return vm.Push(l, lua.LString(out.String()))
}

func (lib *Library) dateTable(t time.Time) *lua.LTable {
	table := lib.m.State().CreateTable(0, 0)
	for name, n := range map[string]int{"year": t.Year(), "month": int(t.Month()), "day": t.Day(), "hour": t.Hour(),
		"min": t.Minute(), "sec": t.Second(), "wday": int(t.Weekday()) + 1, "yday": t.YearDay()} {
		table.RawSetString(name, lua.LNumber(n))
	}
	table.RawSetString("isdst", lua.LBool(t.IsDST()))
	return table
}

// dateLayouts are directives of strftime as layouts of Go, in the locale C.
var dateLayouts = map[byte]string{'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January",
	'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06", 'e': "_2", 'F': "2006-01-02", 'H': "15", 'I': "03",
	'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM", 'R': "15:04", 'S': "05", 'T': "15:04:05", 'x': "01/02/06",
	'X': "15:04:05", 'y': "06", 'Y': "2006", 'z': "-0700", 'Z': "MST"}

// formatDate formats one directive of strftime. It does not change unknown directives.
func formatDate(t time.Time, directive byte) string {
	if layout, ok := dateLayouts[directive]; ok {
		return t.Format(layout)
	}
	year, week := t.ISOWeek()
	yearDay, weekday := t.YearDay()-1, int(t.Weekday())
	monday := (weekday + 6) % 7 // days since Monday
	switch directive {
	case 'C':
		return fmt.Sprintf("%02d", t.Year()/100)
	case 'g':
		return fmt.Sprintf("%02d", year%100)
	case 'G':
		return fmt.Sprint(year)
	case 'j':
		return fmt.Sprintf("%03d", yearDay+1)
	case 'n':
		return "\n"
	case 's':
		return fmt.Sprint(t.Unix())
	case 't':
		return "\t"
	case 'u':
		return fmt.Sprint(monday + 1)
	case 'U':
		return fmt.Sprintf("%02d", (yearDay+7-weekday)/7)
	case 'V':
		return fmt.Sprintf("%02d", week)
	case 'w':
		return fmt.Sprint(weekday)
	case 'W':
		return fmt.Sprintf("%02d", (yearDay+7-monday)/7)
	case '%':
		return "%"
	}
	return "%" + string(directive)
}
