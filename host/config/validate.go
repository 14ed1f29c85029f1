package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	devicetime "roclua/hip/cpu/time"
	"roclua/internal/nearest"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// isolations are the values of the key isolation: the default, no processes, worker processes.
var isolations = []string{"auto", "case", "worker"}

// The values of the keys time and kernels.
const (
	TimeVirtual = "virtual"
	TimeReal    = "real"
	KernelsOn   = "on"
	KernelsOff  = "off"
)

// HasVirtualTime reports whether the time of some case can be virtual.
func (c *Config) HasVirtualTime() bool {
	return c.Time != TimeReal && slices.ContainsFunc(c.Targets, func(t Target) bool { return !t.IsReal() })
}

// checkTime returns an error if a key of simulated devices is set for a real one, or a value of the model of time
// is not possible.
func (c *Config) checkTime() error {
	for _, t := range c.Targets {
		for key, value := range map[string]string{"time": TimeVirtual, "kernels": KernelsOff} {
			// A file that sets every key to its default runs on real devices, too.
			origin := c.Place(key)
			asked := strings.HasPrefix(origin, "--") || strings.HasPrefix(origin, "ROCLUA_")
			if t.IsReal() && c.value(key).String() == value && (asked || value == KernelsOff) {
				return c.wrong(key, key, fmt.Errorf("%q is for simulated devices, and the devices of platform %s are "+
					"real: omit it, or use platform %s", value, t.Platform, Simulated))
			}
		}
	}
	if c.Kernels == KernelsOff && c.Time == TimeReal {
		return c.wrong("kernels", "kernels", fmt.Errorf("%q needs virtual time: kernels that do not compute take no "+
			"other", c.Kernels))
	}
	for _, key := range slices.Sorted(maps.Keys(c.Device.Time)) {
		if names := devicetime.Names(); !slices.Contains(names, key) {
			return c.At("device.time."+key, fmt.Errorf("device.time has no key %q%s (keys: %s)", key,
				nearest.DidYouMean(key, names), strings.Join(names, ", ")))
		}
		if err := devicetime.Check(key, c.Device.Time[key]); err != nil {
			return c.At("device.time."+key, fmt.Errorf("device.time: %w", err))
		}
	}
	return nil
}

// Validate does the checks that need no scripts.
func (c *Config) Validate() error {
	if c.Jobs < 0 {
		return c.wrong("jobs", "jobs", fmt.Errorf("%d, must not be negative", c.Jobs))
	}
	if err := c.checkValues(); err != nil {
		return err
	}
	if err := cmp.Or(c.checkSandbox(), c.checkTime()); err != nil {
		return err
	}
	if c.Limits.Timeout <= 0 {
		return c.wrong("limits.timeout", "limits.timeout", fmt.Errorf("%s, must be positive",
			time.Duration(c.Limits.Timeout)))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if err := workspace.CheckVariable(name); err != nil {
			return c.wrong("env."+name, "env", err)
		}
	}
	devices := 0
	for i, t := range c.Targets {
		if key, err := t.check(); err != nil {
			return c.wrong(fmt.Sprintf("target[%d].%s", i, key), fmt.Sprintf("target %d", i+1), err)
		}
		devices = max(devices, t.DeviceCount())
	}
	if key, err := c.Faults.check(devices); err != nil {
		return c.At("faults."+key, err)
	}
	for i, s := range c.Scenarios {
		if key, err := s.check(devices); err != nil {
			return c.At(fmt.Sprintf("scenario[%d].%s", i, key), fmt.Errorf("scenario %d: %w", i+1, err))
		}
	}
	return nil
}

// At adds the source of a key's value to an error: the position in the file, the variable or the flag. An unset key has
// the position of its table. The error of a default value is returned unchanged.
func (c *Config) At(key string, err error) error {
	if source := c.Place(key); source != "" {
		return fmt.Errorf("%s: %w", source, err)
	}
	return err
}

// wrong is At for an error that does not name the key. name does, unless a flag or a variable set the value.
func (c *Config) wrong(key, name string, err error) error {
	source := c.Place(key)
	isFlag := strings.HasPrefix(source, "--") && !strings.Contains(source, " ") // and not --set KEY=VALUE
	if !isFlag && !strings.HasPrefix(source, variablePrefix) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return c.At(key, err)
}

// Place returns the source of a key's value: "config.toml:3:1", "ROCLUA_SEED", "--set seed=x"; "" for a default. The
// positions of targets are unknown if a flag or a variable changed the set of targets.
func (c *Config) Place(key string) string {
	if strings.HasPrefix(key, "target[") {
		if k := Find(withoutIndexes(key)); k != nil && c.sources[k.sourceKey()] != "" {
			return c.sources[k.sourceKey()]
		}
		if c.TargetsOverridden() {
			return ""
		}
	}
	for ; key != ""; key = around(key) {
		source := c.sources[key]
		if p, ok := c.places[key]; ok && strings.HasPrefix(source, c.file+":") {
			return p.in(c.file)
		}
		if source != "" {
			return source
		}
	}
	return ""
}

// checkValues checks the keys with listed values in Keys. Targets, scenarios and faults check their own keys, and the
// allowed values of sandbox depend on the source.
func (c *Config) checkValues() error {
	for _, k := range Keys {
		if k.Values == nil || k.Kind() != "string" || k.Table() == "target" || k.Name == "sandbox" {
			continue
		}
		if err := checkChoice(c.value(k.Name).String(), k.Values()); err != nil {
			return c.wrong(k.Name, k.Name, err)
		}
	}
	return nil
}

func checkChoice(value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return fmt.Errorf("%q%s (have %s)", value, nearest.DidYouMean(value, choices), strings.Join(choices, ", "))
}

// checkSandbox rejects full access set by a file or a variable, because the user may not have written it.
func (c *Config) checkSandbox() error {
	if err := checkChoice(c.Sandbox, bounds.Sandboxes); err != nil {
		return c.wrong("sandbox", "sandbox", err)
	}
	if source := c.sources["sandbox"]; c.Sandbox == bounds.SandboxFull && source != "--sandbox" {
		return c.wrong("sandbox", "sandbox", fmt.Errorf("%q gives scripts all your permissions, "+
			"so it is accepted only on the command line: --sandbox full", c.Sandbox))
	}
	return nil
}

// check returns the invalid key in the scenario, and the reason. devices is the most that a target has.
func (s *Scenario) check(devices int) (key string, err error) {
	if err := checkName(s.Name); err != nil {
		return "name", err
	}
	switch {
	case s.File() == "":
		return "script", fmt.Errorf("script is missing: a file, or a folder of scripts; or recording, a file")
	case s.Script != "" && s.Recording != "":
		return "recording", fmt.Errorf("recording: %q, and there is a script: a scenario is one of them", s.Recording)
	}
	if s.Repeat < 0 {
		return "repeat", fmt.Errorf("repeat: %d, must not be negative", s.Repeat)
	}
	if key, err := s.Faults.check(devices); err != nil {
		return "faults." + key, err
	}
	if key, err := checkExceptions("skip", s.Skip); err != nil {
		return key, err
	}
	if key, err := checkExceptions("known_failures", s.KnownFailures); err != nil {
		return key, err
	}
	for i, scheme := range s.Schemes {
		if err := workspace.CheckScheme(scheme, record.SchemeRecorded); err != nil {
			return fmt.Sprintf("schemes[%d]", i), fmt.Errorf("schemes: %w", err)
		}
	}
	return "", nil
}

// scenarioName matches names that have no meaning in ids and on command lines.
var scenarioName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*(/[\p{L}\p{N}_][\p{L}\p{N}_.+-]*)*$`)
})

// checkName checks the name that a configuration gives a scenario.
func checkName(name string) error {
	if name == "" || scenarioName().MatchString(name) && !strings.HasSuffix(name, ".lua") &&
		!strings.HasSuffix(name, ".toml") {
		return nil
	}
	return fmt.Errorf("name: %q: want letters, digits and _ . + -, in parts divided by /, without .lua or .toml", name)
}

// checkExceptions parses the patterns of a list of exceptions, so that errors are reported before anything
// runs. It returns the key of the invalid element.
func checkExceptions(name string, list []Exception) (key string, err error) {
	for i, e := range list {
		key := fmt.Sprintf("%s[%d]", name, i)
		if e.Match == "" || e.Reason == "" {
			return key, fmt.Errorf("%s: match = %q, reason = %q: both are needed", name, e.Match, e.Reason)
		}
		if _, err := ParsePattern(e.Match); err != nil {
			return key + ".match", fmt.Errorf("%s: %w", name, err)
		}
	}
	return "", nil
}
