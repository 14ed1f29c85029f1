package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"roclua/hip/nearest"
	"roclua/luabind"
	"roclua/workspace"
)

// Isolations are the values of the key isolation: the default, no processes, worker processes.
var Isolations = []string{"auto", "case", "worker"}

// Validate checks what can be checked without scripts.
func (c *Config) Validate() error {
	if c.Jobs < 0 {
		return c.at("jobs", fmt.Errorf("jobs: %d, must not be negative", c.Jobs))
	}
	if err := c.checkValues(); err != nil {
		return err
	}
	if err := c.checkSandbox(); err != nil {
		return c.at("sandbox", err)
	}
	if c.Limits.Timeout <= 0 {
		return c.at("limits.timeout", fmt.Errorf("limits.timeout: %s, must be positive",
			time.Duration(c.Limits.Timeout)))
	}
	if err := c.Faults.check(); err != nil {
		return c.at("faults", err)
	}
	for i, t := range c.Targets {
		if err := t.check(i + 1); err != nil {
			return c.at(fmt.Sprintf("target[%d]", i), err)
		}
	}
	for i, s := range c.Scenarios {
		if err := s.check(); err != nil {
			return c.at(fmt.Sprintf("scenario[%d]", i), fmt.Errorf("scenario %d: %w", i+1, err))
		}
	}
	return nil
}

// at adds to an error the line of the file that set a key, unless a flag or a variable did.
func (c *Config) at(key string, err error) error {
	source := c.sources[key]
	if strings.HasPrefix(key, "target[") && c.TargetsOverridden() || !strings.HasPrefix(source, c.file+":") {
		return err
	}
	return fmt.Errorf("%s: %w", source, err)
}

// checkValues checks the keys of which Keys lists the values. Targets, scenarios and faults check their own, and the
// values of sandbox depend on the source.
func (c *Config) checkValues() error {
	for _, k := range Keys {
		if k.Values == nil || k.Kind() != "string" || k.Table() == "target" || k.Name == "sandbox" {
			continue
		}
		if err := checkChoice(k.Name, c.value(k.Name).String(), k.Values()); err != nil {
			return c.at(k.Name, err)
		}
	}
	return nil
}

func checkChoice(key, value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return fmt.Errorf("%s: %q%s (have %s)", key, value, nearest.DidYouMean(value, choices), strings.Join(choices, ", "))
}

// checkSandbox refuses full access from a file or a variable, which the user may not have written.
func (c *Config) checkSandbox() error {
	if err := checkChoice("sandbox", c.Sandbox, luabind.Sandboxes); err != nil {
		return err
	}
	if source := c.sources["sandbox"]; c.Sandbox == luabind.SandboxFull && source != "--sandbox" {
		return fmt.Errorf("sandbox: %q in %s: it gives scripts all your permissions, "+
			"so it is accepted only on the command line: --sandbox full",
			c.Sandbox, source)
	}
	return nil
}

func (s *Scenario) check() error {
	if s.Script == "" {
		return fmt.Errorf("script is missing: a file, or a folder of scripts")
	}
	if s.Repeat < 0 {
		return fmt.Errorf("repeat: %d, must not be negative", s.Repeat)
	}
	if err := s.Faults.check(); err != nil {
		return err
	}
	if err := checkExceptions(s.Skip); err != nil {
		return fmt.Errorf("skip: %w", err)
	}
	if err := checkExceptions(s.KnownFailures); err != nil {
		return fmt.Errorf("known_failures: %w", err)
	}
	for _, scheme := range s.Schemes {
		if err := workspace.CheckScheme(scheme); err != nil {
			return fmt.Errorf("schemes: %w", err)
		}
	}
	return nil
}

// checkExceptions compiles the regular expressions, so that a wrong one is reported before anything runs.
func checkExceptions(list []Exception) error {
	for _, e := range list {
		if e.Match == "" || e.Reason == "" {
			return fmt.Errorf("match = %q, reason = %q: both are needed", e.Match, e.Reason)
		}
		if _, err := regexp.Compile(e.Match); err != nil {
			return err
		}
	}
	return nil
}
