package lualib

import (
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// explainMissing returns the message about a nil value: that the sandbox does not have it, or message with a suggestion
// of a similar name.
func (lib *Library) explainMissing(path, message string) string {
	if text := absent(lib.opts.Sandbox, path); text != "" {
		return text
	}
	return message + lib.similar(path)
}

// similar suggests a name for a global variable, or for a field of one, that does not exist.
func (lib *Library) similar(path string) string {
	if lib.opts.Suggest == nil {
		return ""
	}
	names := strings.Split(path, ".")
	table := lib.Globals()
	for _, name := range names[:len(names)-1] {
		var ok bool
		if table, ok = table.RawGetString(name).(*lua.LTable); !ok {
			return ""
		}
	}
	fields := layout.StringFields(table)
	if len(fields) > maxSimilar {
		return ""
	}
	return lib.opts.Suggest(names[len(names)-1], slices.Sorted(maps.Keys(fields)))
}

// maxSimilar is the maximum number of fields that similar compares with a name.
const maxSimilar = 1000
