package engine

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/api"
)

// Option returns the declaration of an option of the called function.
func (c *Call) Option(name string) *api.Param {
	for i := range c.Fn.Params {
		for j := range c.Fn.Params[i].Fields {
			if field := &c.Fn.Params[i].Fields[j]; field.Name == name {
				return field
			}
		}
	}
	panic(c.Fn.Title() + " has no option " + name)
}

// Options are the fields that a table of options has, by name.
type Options map[string]any

// OptionOf returns an option, or otherwise if it is not given.
func OptionOf[T any](o Options, name string, otherwise T) T {
	if v, ok := o[name].(T); ok {
		return v
	}
	return otherwise
}

// defaultsOf returns the options of a parameter if a script gives none.
func defaultsOf(p *api.Param) Options {
	defaults := Options{}
	for i := range p.Fields {
		if field := &p.Fields[i]; field.Default != nil {
			defaults[field.Name] = field.Default
		}
	}
	return defaults
}

// readOptions reads a table of options. Elements and arrays remain values of Lua. Options that are not given have their
// defaults.
func readOptions(c *Call, p *api.Param, v lua.LValue) Options {
	given := defaultsOf(p)
	Typed[*lua.LTable](c, p, v).ForEach(func(k, v lua.LValue) {
		c.VM.CheckText(c.L, c.Fn.Title(), k)
		c.VM.CheckText(c.L, c.Fn.Title(), v)
		i := slices.IndexFunc(p.Fields, func(f api.Param) bool { return f.Name == k.String() })
		if i < 0 {
			var names []string
			for i := range p.Fields {
				names = append(names, p.Fields[i].Name)
			}
			hint := nearest.DidYouMean(k.String(), names)
			c.VM.Raisef(c.L, "%s: unknown option %q%s (has %s)", c.Fn.Title(), k, hint, strings.Join(names, ", "))
		}
		switch field := &p.Fields[i]; field.Kind {
		case api.Bytes:
			given[field.Name] = ReadBytes(c, field, v)
		case api.Integer, api.Enum:
			given[field.Name] = readInteger(c, field, v)
		case api.Number:
			given[field.Name] = float64(Typed[lua.LNumber](c, field, v))
		case api.Boolean:
			given[field.Name] = bool(Typed[lua.LBool](c, field, v))
		case api.Choice:
			given[field.Name] = readChoice(c, field, v)
		case api.Element, api.Numbers:
			given[field.Name] = v
		default:
			given[field.Name] = readString(c, field, v)
		}
	})
	return given
}
