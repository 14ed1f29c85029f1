package config

import (
	"fmt"
	"time"
)

// Settings lists the values that apply to the whole run.
func (c *Config) Settings() []Setting {
	list := []Setting{
		c.setting("seed", fmt.Sprint(c.Seed)),
		c.setting("shuffle", fmt.Sprint(c.Shuffle)),
		c.setting("jobs", fmt.Sprint(c.Jobs)),
		c.setting("blas", c.BLAS),
		c.setting("isolation", c.Isolation),
		c.setting("sandbox", c.Sandbox),
		c.setting("limits.timeout", time.Duration(c.Limits.Timeout).String()),
		c.setting("limits.instructions", fmt.Sprint(c.Limits.Instructions)),
		c.setting("limits.heap", fmt.Sprint(c.Limits.Heap)),
		c.setting("limits.output", fmt.Sprint(c.Limits.Output)),
		c.setting("limits.device_memory", fmt.Sprint(c.Limits.DeviceMemory)),
	}
	if !c.Faults.IsZero() {
		list = append(list, Setting{"faults", c.Faults.Plan().String(), c.faultsSource()})
	}
	for i, t := range c.Targets {
		list = append(list, Setting{fmt.Sprintf("target %d", i+1), t.String(), c.targetSource()})
	}
	return list
}

// targetSource returns what made the list of targets: the last of the flags and variables that name one, or the file.
func (c *Config) targetSource() string {
	for _, key := range []string{"device-memory", "arch", "profile", "platform", "target"} {
		if source, ok := c.sources[key]; ok {
			return source
		}
	}
	return "default"
}
