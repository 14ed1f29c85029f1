package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// The decoder does not report where it found a key, so lineOf searches the text for it.

const (
	keyPart   = `(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')`
	dottedKey = keyPart + `(?:\s*\.\s*` + keyPart + `)*`
)

var (
	tableLine      = regexp.MustCompile(`^\s*\[\[?\s*(` + dottedKey + `)\s*\]`)
	assignmentLine = regexp.MustCompile(`^\s*(` + dottedKey + `)\s*=`)
	keyParts       = regexp.MustCompile(keyPart)
)

// lineOf returns the line that sets a key or opens the table of that name, from 1. In an array of tables this is the
// first such line.
func lineOf(text string, key toml.Key) int {
	inline := regexp.MustCompile(`(?:^|[\s{,."'])` + regexp.QuoteMeta(key[len(key)-1]) + `["']?\s*[=.]`)
	var table, path toml.Key
	for i, line := range strings.Split(text, "\n") {
		rest := line
		if m := tableLine.FindStringSubmatch(line); m != nil {
			table = partsOf(m[1])
			path, rest = table, ""
		} else if m := assignmentLine.FindStringSubmatch(line); m != nil {
			path, rest = slices.Concat(table, partsOf(m[1])), line[len(m[0]):]
		}
		inTable := len(path) < len(key) && len(path) > len(table) && slices.Equal(path, key[:len(path)])
		if slices.Equal(path, key) || inTable && inline.MatchString(rest) {
			return i + 1
		}
		// "limits.timeout = 3" opens the table limits as well.
		if len(path) > len(key) && slices.Equal(path[:len(key)], key) {
			return i + 1
		}
	}
	return 1
}

// partsOf splits a dotted key.
func partsOf(text string) toml.Key {
	var parts toml.Key
	for _, part := range keyParts.FindAllString(text, -1) {
		parts = append(parts, strings.Trim(part, `"'`))
	}
	return parts
}
