// Package config reads and checks the configuration of a run: what to run, on which targets, and within which limits.
//
// A configuration starts from the defaults and is read from a TOML file, strictly: an unknown key is an error that names
// its line and the nearest known key. Environment variables, --set and flags come after the file, in this order, and the
// last value wins:
//
//	cfg, err := config.Load("config.toml")
//	err = cfg.Apply(config.Overrides{Getenv: os.Getenv, Set: []string{"limits.timeout=30s"}, Flags: cmd.Flags()})
//
// Source reports where a key got its value. The package does not read scripts: it depends neither on plans nor on runs.
package config

import (
	"cmp"
	"path/filepath"
	"time"

	"roclua/luabind"
)

// DefaultFile is the configuration that commands read when no other is named.
const DefaultFile = "config.toml"

// Config is the configuration of a run.
type Config struct {
	Seed      uint64            `toml:"seed" json:"seed"`                     // seed of random numbers in scripts
	Shuffle   bool              `toml:"shuffle" json:"shuffle"`               // run cases in an order that the seed decides
	Jobs      int               `toml:"jobs" json:"jobs"`                     // cases that run at a time; 0 is one for each processor
	BLAS      string            `toml:"blas" json:"blas"`                     // library for matrix products on the cpu platform: auto, openblas or go
	Isolation string            `toml:"isolation" json:"isolation"`           // where cases run: case is the program's process, worker are separate processes, auto uses workers on real devices
	Sandbox   string            `toml:"sandbox" json:"sandbox"`               // what scripts may access: strict or project; full is accepted only on the command line
	Limits    Limits            `toml:"limits" json:"limits"`                 // limits of one case
	Faults    Faults            `toml:"faults" json:"faults,omitzero"`        // allocations of device memory that fail, on the cpu platform
	Params    map[string]any    `toml:"params" json:"params,omitempty"`       // parameters for every scenario that has them
	Env       map[string]string `toml:"env" json:"env,omitempty"`             // environment variables of every case
	Library   []string          `toml:"library" json:"library,omitempty"`     // folders that require searches after the folder of the script
	Expect    map[string]string `toml:"expect" json:"expect,omitempty"`       // metric, or FUNCTION(metric) over all cases, to condition: "< 0.2"
	Baseline  string            `toml:"baseline" json:"baseline,omitempty"`   // folder of the baselines, or one .toml file
	Tolerance map[string]string `toml:"tolerance" json:"tolerance,omitempty"` // how far a metric may move from its baseline: "5%", "1e-12"
	Targets   []Target          `toml:"target" json:"targets"`                // devices to run on and releases to reproduce
	Scenarios []Scenario        `toml:"scenario" json:"scenarios,omitempty"`  // scripts, and how they are run

	folder  string            // of the file: paths in it are relative to this
	file    string            // the file, or the script that is run without one
	sources map[string]string // where keys got their values
}

// Limits bound each case. Zero means no limit, except for the timeout.
type Limits struct {
	Timeout      Duration `toml:"timeout" json:"timeout"`             // time, with its unit: "30s", "2m"
	Instructions uint64   `toml:"instructions" json:"instructions"`   // Lua instructions
	Heap         Size     `toml:"heap" json:"heap"`                   // memory of the script's values
	Output       Size     `toml:"output" json:"output"`               // text that it prints, logs and records
	DeviceMemory Size     `toml:"device_memory" json:"device_memory"` // device memory in use at a time
}

// Bounds returns the limits as luabind takes them.
func (l Limits) Bounds() luabind.Limits {
	return luabind.Limits{Timeout: time.Duration(l.Timeout), Instructions: l.Instructions, Heap: uint64(l.Heap),
		Output: uint64(l.Output), DeviceMemory: uint64(l.DeviceMemory)}
}

// Scenario chooses scripts and how they are run.
type Scenario struct {
	Script  string         `toml:"script" json:"script"`             // a script, or a folder of scripts
	Schemes []string       `toml:"schemes" json:"schemes,omitempty"` // memory schemes, of those that the script names
	Params  map[string]any `toml:"params" json:"params,omitempty"`   // values for its parameters
	Matrix  map[string]any `toml:"matrix" json:"matrix,omitempty"`   // axes that multiply: lists, or ranges such as "64:4096:x2"
	Zip     map[string]any `toml:"zip" json:"zip,omitempty"`         // axes of one length that step together
	Repeat  int            `toml:"repeat" json:"repeat,omitempty"`   // how often each case runs
	Tags    []string       `toml:"tags" json:"tags,omitempty"`       // tags in addition to the script's
	Skip    []Exception    `toml:"skip" json:"skip,omitempty"`       // cases that are not run
	Faults  Faults         `toml:"faults" json:"faults,omitzero"`    // allocations that fail, instead of the run's

	Expect        map[string]string `toml:"expect" json:"expect,omitempty"`                 // metric, or FUNCTION(metric), to condition
	Baseline      string            `toml:"baseline" json:"baseline,omitempty"`             // a folder, or one .toml file
	Tolerance     map[string]string `toml:"tolerance" json:"tolerance,omitempty"`           // how far a metric may move from its baseline
	KnownFailures []Exception       `toml:"known_failures" json:"known_failures,omitempty"` // cases that are expected to fail; one that passes fails the run
}

// Exception applies to the cases whose id matches a regular expression.
type Exception struct {
	Match  string `toml:"match" json:"match"`   // regular expression over case ids
	Reason string `toml:"reason" json:"reason"` // why
}

const (
	defaultTimeout = 60 * time.Second
	defaultHeap    = 1 << 30
	defaultOutput  = 16 << 20
)

// Default returns the configuration before a file is read. It has no targets; see New.
func Default() Config {
	return Config{Seed: 1, BLAS: "auto", Isolation: "auto", Sandbox: luabind.DefaultSandbox,
		Limits: Limits{Timeout: Duration(defaultTimeout), Heap: defaultHeap, Output: defaultOutput}}
}

// New returns the default configuration with the default target, for a run without a configuration file. file is what
// messages and reports name, such as the script.
func New(file string) *Config {
	cfg := Default()
	cfg.folder, cfg.file = ".", file
	cfg.complete()
	return &cfg
}

// File returns the file that the configuration was read from, or the script that runs without one.
func (c *Config) File() string { return c.file }

// Path resolves a path of the configuration, which is relative to the folder of its file.
func (c *Config) Path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.folder, path)
}

// Source reports where a key got its value: "config.toml:3", "ROCLUA_SEED", "--seed"; "" means the default.
func (c *Config) Source(key string) string { return c.sources[key] }

// setSource records where a key got its value; the last call counts.
func (c *Config) setSource(key, source string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[key] = source
}

// complete fills in what targets leave open.
func (c *Config) complete() {
	if len(c.Targets) == 0 {
		c.Targets = []Target{defaultTarget()}
	}
	for i := range c.Targets {
		c.Targets[i].complete()
	}
}

// Isolates reports whether cases on a target run in worker processes.
func (c *Config) Isolates(t Target) bool {
	return c.Isolation == "worker" || c.Isolation == "auto" && t.IsReal()
}

// Setting is a value of the configuration and its source.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (c *Config) setting(key, value string) Setting {
	return Setting{key, value, cmp.Or(c.sources[key], "default")}
}
