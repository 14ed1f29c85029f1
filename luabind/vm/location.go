package vm

import (
	"regexp"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Line returns the innermost line of a script that runs in l. The file is "" if no line runs.
func Line(l *lua.LState) (file string, line int) {
	for level := 0; ; level++ {
		d, ok := l.GetStack(level)
		if !ok {
			return "", 0
		}
		if _, err := l.GetInfo("Sl", d, nil); err == nil && d.CurrentLine > 0 {
			return d.Source, d.CurrentLine
		}
	}
}

// Where is like Line but returns text such as "solve.lua:12".
func Where(l *lua.LState) string { return location(Line(l)) }

// WhereDefined returns the line on which a function of a script begins, or "" for a Go function.
func WhereDefined(fn *lua.LFunction) string {
	if fn.IsG {
		return ""
	}
	return location(fn.Proto.SourceName, fn.Proto.LineDefined)
}

func location(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

var locationPattern = regexp.MustCompile(`^(.*?):(\d+): (?s)(.*)$`)

// splitLocation splits a message that begins with a position.
func splitLocation(text string) (file string, line int, message string) {
	parts := locationPattern.FindStringSubmatch(text)
	if parts == nil {
		return "", 0, text
	}
	line, _ = strconv.Atoi(parts[2])
	return parts[1], line, parts[3]
}

// cleanTraceback removes from a stack trace its heading and the Go functions.
func cleanTraceback(trace string) string {
	var lines []string
	for line := range strings.SplitSeq(trace, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "stack traceback") || strings.HasPrefix(line, "[G]") {
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
