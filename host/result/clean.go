package result

import (
	"roclua/host/escape"
	"roclua/luabind"
)

// Clean escapes what outputs must not have in the texts of a case.
func (c *Case) Clean() {
	for _, text := range []*string{&c.ID, &c.Scenario, &c.Script, &c.About, &c.Source, &c.Scheme, &c.Platform,
		&c.Profile, &c.Arch, &c.RocBLAS, &c.RocSOLVER, &c.KnownFailure} {
		*text = escape.Text(*text)
	}
	escape.Clean(&c.Tags)
	escape.Clean(&c.Params)
}

// Clean escapes what outputs must not have in the texts of a record: strings of Lua are bytes. The paths of the
// required files stay as they are.
func Clean(r *luabind.Record) {
	required := r.Required
	r.Required = nil
	escape.Clean(r)
	r.Required = required
}
