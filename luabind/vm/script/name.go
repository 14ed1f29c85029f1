package script

import "strings"

// Sizes in bytes of names of chunks in messages, as in Lua 5.1.
const (
	MaxName  = 59
	maxFile  = 52 // of a file name, without the dots before it
	maxQuote = 43 // of the first line of a source
)

// ChunkName returns the name of a chunk in messages: name without its first character if that is =, the end of a file
// name after @, and otherwise the first line of the source.
func ChunkName(name string) string {
	if literal, ok := strings.CutPrefix(name, "="); ok {
		return literal[:min(len(literal), MaxName)]
	}
	if file, ok := strings.CutPrefix(name, "@"); ok {
		if len(file) > maxFile {
			file = "..." + file[len(file)-maxFile:]
		}
		return file
	}
	line := name[:min(len(name), maxQuote)]
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if len(line) < len(name) {
		line += "..."
	}
	return `[string "` + line + `"]`
}
