package result

import (
	"roclua/internal/escape"
	"roclua/luabind/record"
)

// Clean escapes what outputs must not have in the texts of a record: strings of Lua are bytes. The paths of the
// required files stay as they are.
func Clean(r *record.Record) {
	required := r.Required
	r.Required = nil
	escape.Clean(r)
	r.Required = required
}
