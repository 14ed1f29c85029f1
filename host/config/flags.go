package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"roclua/internal/nearest"
)

// AddFlags adds the flags that set keys of the configuration: all of them, or the named ones.
func AddFlags(flags *pflag.FlagSet, only ...string) {
	for _, k := range Keys {
		if k.Flag != "" && (only == nil || slices.Contains(only, k.Flag)) {
			if k.Kind() == "true or false" {
				flags.Bool(k.Flag, false, k.Help())
			} else {
				flags.String(k.Flag, "", k.Help())
			}
		}
	}
	if only == nil || slices.Contains(only, "blas") {
		flags.Var(formerBLAS{}, "blas", "")
		flags.Lookup("blas").Hidden = true
	}
}

// formerBLAS is the flag --blas of version 0.8 and earlier, whose value go is the only one left.
type formerBLAS struct{}

func (formerBLAS) String() string { return "" }
func (formerBLAS) Type() string   { return "string" }

func (formerBLAS) Set(value string) error {
	if value != "go" {
		return errors.New("the cpu platform computes in Go")
	}
	return nil
}

// otherVariables are the variables that set no key, without their prefix.
var otherVariables = []string{"ROCM_PATH", "CUDA_PATH", "BLAS", "WORKER", "RECORD", "RECORD_LIST"}

// CheckVariables returns an error for a variable of the environment, NAME=VALUE, that is nearly one of the program.
// Other names that begin like them may belong to other programs, such as ROCLUA_SERVICE_HOST of Kubernetes.
func CheckVariables(environment []string) error {
	known := slices.Clone(otherVariables)
	for _, k := range Keys {
		if name := strings.TrimPrefix(k.Variable(), variablePrefix); name != "" {
			known = append(known, name)
		}
	}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		name, ours := strings.CutPrefix(name, variablePrefix)
		if !ours || value == "" || slices.Contains(known, name) || strings.HasPrefix(name, "WORKER_") {
			continue
		}
		if similar := nearest.DidYouMean(name, known); similar != "" {
			return fmt.Errorf("unknown variable %s%s%s", variablePrefix, name,
				strings.ReplaceAll(similar, ` "`, ` "`+variablePrefix))
		}
	}
	return nil
}

// Overrides are the sources of values that override the file, in the order of the fields.
type Overrides struct {
	Getenv func(name string) string // ROCLUA_* variables
	Set    []string                 // KEY=VALUE
	Flags  *pflag.FlagSet           // flags defined by AddFlags; only flags that were set count

	NoDevices bool // do not look for the real devices of targets
}

// Apply applies the overrides, validates the result, and resolves the real devices among its targets.
func (c *Config) Apply(o Overrides) error {
	if err := c.applyEnvironment(o.Getenv); err != nil {
		return err
	}
	for _, s := range o.Set {
		if err := c.set(s); err != nil {
			return err
		}
	}
	if err := c.applyFlags(o.Flags); err != nil {
		return err
	}
	if err := c.Validate(); err != nil || o.NoDevices {
		return err
	}
	return c.Resolve()
}

func (c *Config) applyEnvironment(getenv func(string) string) error {
	for _, k := range Keys {
		if k.Flag == "" {
			continue
		}
		if value := getenv(k.Variable()); value != "" {
			if err := c.override(&k, k.Variable(), value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Config) applyFlags(flags *pflag.FlagSet) error {
	for _, k := range Keys {
		if k.Flag == "" || !flags.Changed(k.Flag) {
			continue
		}
		if err := c.override(&k, "--"+k.Flag, flags.Lookup(k.Flag).Value.String()); err != nil {
			return err
		}
	}
	return nil
}

// override sets a key that has a flag. source is the flag or the variable.
func (c *Config) override(k *Key, source, value string) error {
	c.complete()
	var err error
	if k.set != nil {
		err = k.set(c, value)
	} else {
		err = parse(c.value(k.Name), value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	c.setSource(k.sourceKey(), source)
	return nil
}
