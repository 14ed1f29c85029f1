package config

import (
	"cmp"
	"fmt"
	"reflect"
	"time"
)

// Setting is a value of the configuration and its source.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// Settings lists the values that apply to the whole run: keys with a default, any faults, and the targets.
func (c *Config) Settings() []Setting {
	var list []Setting
	for _, k := range Keys {
		if k.Default != "" && k.Table() != "target" {
			list = append(list, Setting{k.Name, settingText(c.value(k.Name)), cmp.Or(c.sources[k.Name], "default")})
		}
	}
	if !c.Faults.IsZero() {
		list = append(list, Setting{"faults", c.Faults.Plan().String(), cmp.Or(c.sources["faults"], "default")})
	}
	for i, t := range c.Targets {
		list = append(list, Setting{fmt.Sprintf("target %d", i+1), t.String(), c.targetSource(i)})
	}
	return list
}

func settingText(v reflect.Value) string {
	if d, ok := v.Interface().(Duration); ok {
		return time.Duration(d).String()
	}
	return fmt.Sprint(v.Interface())
}

// targetSource returns the source of a target: the last flag or variable that changed the targets, or the line of the
// file.
func (c *Config) targetSource(i int) string {
	source := cmp.Or(c.sources[fmt.Sprintf("target[%d]", i)], c.sources["target"])
	for _, k := range Keys {
		if k.Table() == "target" {
			source = cmp.Or(c.sources[k.sourceKey()], source)
		}
	}
	return cmp.Or(source, "default")
}
