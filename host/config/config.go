// Package config reads and checks the configuration of a run: its scenarios, targets and limits.
//
// A configuration starts from the defaults and is read from a TOML file, strictly: an unknown key is an error that
// names its line and the nearest known key. Environment variables, --set and flags override the file, in this order:
//
//	cfg, err := config.Load("config.toml")
//	err = cfg.Apply(config.Overrides{Getenv: os.Getenv, Set: []string{"limits.timeout=30s"}, Flags: cmd.Flags()})
//
// Source reports where a key got its value. The package does not read scripts: it depends neither on plans nor on
// runs.
package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"

	"roclua/luabind/record"
)

// DefaultFile is the configuration that commands read by default.
const DefaultFile = "config.toml"

// Config is the configuration of a run. Keys describes its fields, here and in the types of its tables.
type Config struct {
	Seed         uint64            `toml:"seed" json:"seed"`
	Shuffle      bool              `toml:"shuffle" json:"shuffle"`
	Jobs         int               `toml:"jobs" json:"jobs"`
	MemoryChecks bool              `toml:"memory_checks" json:"memory_checks"`
	Isolation    string            `toml:"isolation" json:"isolation"`
	Sandbox      string            `toml:"sandbox" json:"sandbox"`
	Time         string            `toml:"time" json:"time"`
	Kernels      string            `toml:"kernels" json:"kernels"`
	Device       Device            `toml:"device" json:"device,omitzero"`
	Limits       Limits            `toml:"limits" json:"limits"`
	Faults       Faults            `toml:"faults" json:"faults,omitzero"`
	Params       map[string]any    `toml:"params" json:"params,omitempty"`
	Env          map[string]string `toml:"env" json:"env,omitempty"`
	Library      []string          `toml:"library" json:"library,omitempty"`
	Expect       map[string]string `toml:"expect" json:"expect,omitempty"`
	Baseline     string            `toml:"baseline" json:"baseline,omitempty"`
	Tolerance    map[string]string `toml:"tolerance" json:"tolerance,omitempty"`
	Targets      []Target          `toml:"target" json:"targets"`
	Scenarios    []Scenario        `toml:"scenario" json:"scenarios,omitempty"`

	folder  string            // of the file; its paths are relative to it
	file    string            // the file, or the script run without one
	places  keyPlaces         // of the keys in the file
	sources map[string]string // origin of each key's value
}

// Device is settings of all simulated devices.
type Device struct {
	Time map[string]float64 `toml:"time" json:"time,omitempty"` // values of the model of time, by key of a row
}

// Limits bound each case. Zero means no limit, except for the timeout.
type Limits struct {
	Timeout      Duration `toml:"timeout" json:"timeout"`
	Instructions uint64   `toml:"instructions" json:"instructions"`
	Heap         Size     `toml:"heap" json:"heap"`
	Output       Size     `toml:"output" json:"output"`
	DeviceMemory Size     `toml:"device_memory" json:"device_memory"`
	Memory       Size     `toml:"memory" json:"memory"`
}

// Bounds returns the limits for luabind.
func (l Limits) Bounds() record.Limits {
	return record.Limits{Timeout: time.Duration(l.Timeout), Instructions: l.Instructions, Heap: uint64(l.Heap),
		Output: uint64(l.Output), DeviceMemory: uint64(l.DeviceMemory)}
}

// Scenario selects scripts and how they run.
type Scenario struct {
	Script string `toml:"script" json:"script,omitempty"`
	Name   string `toml:"name" json:"name,omitempty"`

	Recording string `toml:"recording" json:"recording,omitempty"`

	Schemes []string       `toml:"schemes" json:"schemes,omitempty"`
	Bytes   Size           `toml:"bytes" json:"bytes,omitempty"`
	Params  map[string]any `toml:"params" json:"params,omitempty"`
	Matrix  map[string]any `toml:"matrix" json:"matrix,omitempty"`
	Zip     map[string]any `toml:"zip" json:"zip,omitempty"`
	Repeat  int            `toml:"repeat" json:"repeat,omitempty"`
	Tags    []string       `toml:"tags" json:"tags,omitempty"`
	Skip    []Exception    `toml:"skip" json:"skip,omitempty"`
	Faults  Faults         `toml:"faults" json:"faults,omitzero"`

	Expect        map[string]string `toml:"expect" json:"expect,omitempty"`
	Baseline      string            `toml:"baseline" json:"baseline,omitempty"`
	Tolerance     map[string]string `toml:"tolerance" json:"tolerance,omitempty"`
	KnownFailures []Exception       `toml:"known_failures" json:"known_failures,omitempty"`
}

// File returns the script, the folder of scripts or the recording.
func (s *Scenario) File() string { return cmp.Or(s.Script, s.Recording) }

// Exception applies to the cases that a Pattern selects.
type Exception struct {
	Match  string `toml:"match" json:"match"`
	Reason string `toml:"reason" json:"reason"`
}

// Default returns the configuration described by Keys, before a file is read. It has no targets; see New.
func Default() Config {
	c := decodedDefaults()
	c.Targets = nil
	return c
}

// DefaultDeviceMemory returns the memory of a simulated device whose target sets none.
func DefaultDeviceMemory() Size { return decodedDefaults().Targets[0].DeviceMemory }

// decodedDefaults returns the configuration with the defaults in Keys, which are all single values, and one default
// target. The target is shared.
var decodedDefaults = sync.OnceValue(func() Config {
	var c Config
	if _, err := toml.Decode(defaultText(), &c); err != nil {
		panic(fmt.Sprintf("config: the default values in Keys: %v", err))
	}
	return c
})

// defaultText writes the defaults of Keys as a file.
func defaultText() string {
	var b strings.Builder
	for _, k := range Keys {
		switch {
		case k.Name == "target":
			b.WriteString("[[target]]\n")
		case k.Default != "" && k.Table() == "target":
			fmt.Fprintf(&b, "%s = %s\n", k.Base(), k.Default)
		case k.Default != "":
			fmt.Fprintf(&b, "%s = %s\n", k.Name, k.Default)
		}
	}
	return b.String()
}

// New returns the default configuration with the default target, for a run without a configuration file. file is its
// name in messages and reports, such as the script.
func New(file string) *Config {
	cfg := Default()
	cfg.folder, cfg.file = ".", file
	cfg.complete()
	return &cfg
}

// File returns the file of the configuration, or the script that runs without one.
func (c *Config) File() string { return c.file }

// Path resolves a path relative to the folder of the configuration's file.
func (c *Config) Path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.folder, path)
}

// Source reports where a key got its value: "config.toml:3", "ROCLUA_SEED", "--seed"; "" means the default.
func (c *Config) Source(key string) string { return c.sources[key] }

// setSource records the origin of a key's value; the last call counts.
func (c *Config) setSource(key, source string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[key] = source
}

// complete fills in unset fields of targets.
func (c *Config) complete() {
	if len(c.Targets) == 0 {
		c.Targets = make([]Target, 1)
	}
	d := decodedDefaults().Targets[0]
	for i := range c.Targets {
		c.Targets[i].complete(d)
	}
}

// Isolates reports whether scripts run in worker processes, including when they are only loaded for a description. In a
// browser there are none.
func (c *Config) Isolates() bool {
	return c.Isolation == "worker" || c.Isolation != "case" && runtime.GOOS != "js"
}
