package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind"
	"roclua/workspace"
)

// Config is a run: what to run, on what, within which limits. Every key is documented in config.toml.
//
// A value comes from the first of these that has it, from the last to the first: defaults, the file, ROCLUA_* variables,
// --set, flags.
type Config struct {
	Seed      uint64             `toml:"seed" json:"seed"`                     // seed of random numbers in scripts
	Shuffle   bool               `toml:"shuffle" json:"shuffle"`               // run cases in an order that the seed decides
	Jobs      int                `toml:"jobs" json:"jobs"`                     // cases that run at a time; 0 is one for each processor
	BLAS      string             `toml:"blas" json:"blas"`                     // what computes on the cpu platform: auto, openblas or go
	Isolation string             `toml:"isolation" json:"isolation"`           // where cases run: case is the program's process, worker are processes beside it, auto takes them on real devices
	Sandbox   string             `toml:"sandbox" json:"sandbox"`               // what scripts may touch: strict or project; full is for the command line alone
	Limits    Limits             `toml:"limits" json:"limits"`                 // what one case may take
	Faults    Faults             `toml:"faults" json:"faults,omitzero"`        // allocations of device memory that fail, on the cpu platform
	Params    map[string]any     `toml:"params" json:"params,omitempty"`       // parameters for every scenario that has them
	Env       map[string]string  `toml:"env" json:"env,omitempty"`             // environment that every case begins with
	Library   []string           `toml:"library" json:"library,omitempty"`     // folders in which require looks, after the folder of the script
	Expect    map[string]string  `toml:"expect" json:"expect,omitempty"`       // metric, or FUNCTION(metric) over all cases, to condition: "< 0.2"
	Baseline  string             `toml:"baseline" json:"baseline,omitempty"`   // folder of the baselines, or a file of the name .toml
	Tolerance map[string]string  `toml:"tolerance" json:"tolerance,omitempty"` // how far a metric may move from its baseline: "5%", "1e-12"
	Targets   []Target           `toml:"target" json:"targets"`                // devices to run on and releases to behave like
	Scenarios []ScenarioSettings `toml:"scenario" json:"scenarios,omitempty"`  // scripts, and how they are run

	folder  string            // of the file: paths in it are relative to this
	file    string            // the file, or the script that is run without one
	sources map[string]string // where keys and flags got their values
}

// came records where a key got its value; the last to say so counts.
func (c *Config) came(key, source string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[key] = source
}

// Limits bound each case. Zero is no limit, but for the timeout.
type Limits struct {
	Timeout      Duration `toml:"timeout" json:"timeout"`             // time, with its unit: "30s", "2m"
	Instructions uint64   `toml:"instructions" json:"instructions"`   // instructions of Lua
	Heap         Size     `toml:"heap" json:"heap"`                   // memory of the script's values
	Output       Size     `toml:"output" json:"output"`               // text that it prints, logs and records
	DeviceMemory Size     `toml:"device_memory" json:"device_memory"` // device memory in use at a time
}

// bounds are the limits as a case gets them.
func (l Limits) bounds() luabind.Limits {
	return luabind.Limits{Timeout: time.Duration(l.Timeout), Instructions: l.Instructions, Heap: uint64(l.Heap), Output: uint64(l.Output),
		DeviceMemory: uint64(l.DeviceMemory)}
}

// Target is a device to run on and a release to behave like.
type Target struct {
	Platform     string `toml:"platform" json:"platform"`           // cpu, nvidia or amd
	Profile      string `toml:"profile" json:"profile"`             // library release: rocm-6.4, rocm-7.1, rocm-7.2; cuda on nvidia
	Arch         string `toml:"arch" json:"arch"`                   // architecture that the device reports; it decides the default workspace
	DeviceMemory Size   `toml:"device_memory" json:"device_memory"` // memory of the device: bytes, or "8GiB"
}

// ScenarioSettings choose scripts and how they are run.
type ScenarioSettings struct {
	Script  string         `toml:"script" json:"script"`             // a script, or a folder of them
	Schemes []string       `toml:"schemes" json:"schemes,omitempty"` // memory schemes, of those that the script names
	Params  map[string]any `toml:"params" json:"params,omitempty"`   // values for its parameters
	Matrix  map[string]any `toml:"matrix" json:"matrix,omitempty"`   // axes, which multiply: lists, or texts such as "64:4096:x2"
	Zip     map[string]any `toml:"zip" json:"zip,omitempty"`         // axes of one length, which step together
	Repeat  int            `toml:"repeat" json:"repeat,omitempty"`   // how often each case runs
	Tags    []string       `toml:"tags" json:"tags,omitempty"`       // tags beside the script's own
	Skip    []Exception    `toml:"skip" json:"skip,omitempty"`       // cases that are not run
	Faults  Faults         `toml:"faults" json:"faults,omitzero"`    // allocations that fail, in place of the run's

	Expect        map[string]string `toml:"expect" json:"expect,omitempty"`                 // metric, or FUNCTION(metric), to condition
	Baseline      string            `toml:"baseline" json:"baseline,omitempty"`             // a folder, or a file of the name .toml
	Tolerance     map[string]string `toml:"tolerance" json:"tolerance,omitempty"`           // how far values may move from it
	KnownFailures []Exception       `toml:"known_failures" json:"known_failures,omitempty"` // cases that fail, and must be told of when they pass
}

// Exception is said of the cases whose id matches a regular expression.
type Exception struct {
	Match  string `toml:"match" json:"match"`   // regular expression over the ids of cases
	Reason string `toml:"reason" json:"reason"` // why
}

const (
	defaultPlatform     = "cpu"
	defaultArch         = "gfx90a"
	defaultDeviceMemory = 64 << 30
	defaultTimeout      = 60 * time.Second
	defaultHeap         = 1 << 30
	defaultOutput       = 16 << 20
)

// DefaultConfig is a configuration before a file is read.
func DefaultConfig() Config {
	return Config{Seed: 1, BLAS: "auto", Isolation: "auto", Sandbox: luabind.DefaultSandbox,
		Limits: Limits{Timeout: Duration(defaultTimeout), Heap: defaultHeap, Output: defaultOutput}}
}

// defaultTarget is where a script runs that no configuration names a target for.
func defaultTarget() Target {
	return Target{Platform: defaultPlatform, Profile: workspace.DefaultProfile, Arch: defaultArch, DeviceMemory: defaultDeviceMemory}
}

// complete fills in what targets leave open.
func (c *Config) complete() {
	if len(c.Targets) == 0 {
		c.Targets = []Target{defaultTarget()}
	}
	for i := range c.Targets {
		t, d := &c.Targets[i], defaultTarget()
		t.Platform = either(t.Platform, d.Platform)
		t.Profile = either(t.Profile, workspace.DefaultProfileOf(t.Platform))
		if !t.isReal() {
			t.Arch = either(t.Arch, d.Arch)
		}
		if t.DeviceMemory == 0 {
			t.DeviceMemory = d.DeviceMemory
		}
	}
}

// either returns a unless it is nothing.
func either[T comparable](a, b T) T {
	var nothing T
	if a != nothing {
		return a
	}
	return b
}

// override applies one setting by its flag's name.
func (c *Config) override(flag, value string) error {
	c.complete()
	var err error
	switch flag {
	case "shuffle":
		c.Shuffle, err = strconv.ParseBool(value)
	case "seed":
		c.Seed, err = strconv.ParseUint(value, 0, 64)
	case "jobs":
		c.Jobs, err = strconv.Atoi(value)
	case "blas":
		c.BLAS = value
	case "isolation":
		c.Isolation = value
	case "sandbox":
		c.Sandbox = value
	case "limit-instructions":
		c.Limits.Instructions, err = strconv.ParseUint(value, 0, 64)
	case "limit-heap":
		err = c.Limits.Heap.UnmarshalText([]byte(value))
	case "limit-output":
		err = c.Limits.Output.UnmarshalText([]byte(value))
	case "limit-device-memory":
		err = c.Limits.DeviceMemory.UnmarshalText([]byte(value))
	case "timeout":
		err = c.Limits.Timeout.UnmarshalText([]byte(value))
	case "platform":
		c.eachTarget(func(t *Target) {
			if t.Platform != value {
				t.Platform, t.Profile, t.Arch = value, workspace.DefaultProfileOf(value), ""
			}
		})
	case "device-memory":
		var size Size
		err = size.UnmarshalText([]byte(value))
		c.eachTarget(func(t *Target) { t.DeviceMemory = size })
	case "profile":
		c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Profile = v })
	case "arch":
		c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Arch = v })
	}
	if err != nil {
		return fmt.Errorf("%q: %w", value, err)
	}
	return nil
}

// isolations are the values of the key isolation: worker processes for real devices, no processes, worker processes for all.
var isolations = []string{"auto", "case", "worker"}

// isolates reports whether cases on a target run in worker processes.
func (c *Config) isolates(t Target) bool {
	return c.Isolation == "worker" || c.Isolation == "auto" && t.isReal()
}

// isReal reports whether a target is a device of the machine and not simulated.
func (t Target) isReal() bool { return t.Platform != defaultPlatform }

// resolve looks at the real devices that targets name: one that is not there ends the run before it begins, and the
// architecture is the device's own.
func (c *Config) resolve() error {
	for i := range c.Targets {
		t := &c.Targets[i]
		if !t.isReal() {
			continue
		}
		r := hip.Probe(t.Platform, driver.Config{Devices: 1})
		if r.Problem != "" {
			return withExit(ExitUnavailable, fmt.Errorf("platform %s cannot be used: %s\nto do: %s", t.Platform, r.Problem, r.Advice))
		}
		t.Arch, _, _ = strings.Cut(r.Devices[0].Arch, ":")
		if r.Version != "" {
			t.Profile = workspace.ProfileOfLibrary(r.Version)
		}
	}
	c.Targets = unique(c.Targets)
	return nil
}

func (c *Config) eachTarget(set func(*Target)) {
	for i := range c.Targets {
		set(&c.Targets[i])
	}
	c.Targets = unique(c.Targets)
}

// vary gives every target each of the values, and drops targets that become equal.
func (c *Config) vary(values []string, set func(*Target, string)) {
	var list []Target
	for _, v := range values {
		for _, t := range c.Targets {
			set(&t, strings.TrimSpace(v))
			list = append(list, t)
		}
	}
	c.Targets = unique(list)
}

func unique(list []Target) []Target {
	var out []Target
	for _, t := range list {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// checkSandbox makes sure that nobody gets the whole machine from a file or a variable that he did not write himself.
func (c *Config) checkSandbox() error {
	if !slices.Contains(luabind.Sandboxes, c.Sandbox) {
		return fmt.Errorf("sandbox: %q%s (have %s)", c.Sandbox, nearest.DidYouMean(c.Sandbox, luabind.Sandboxes), strings.Join(luabind.Sandboxes, ", "))
	}
	if source := c.sources["sandbox"]; c.Sandbox == luabind.SandboxFull && source != "--sandbox" {
		return fmt.Errorf("sandbox: %q in %s: it lets scripts do what you may do yourself, and is given on the command line alone: --sandbox full", c.Sandbox, source)
	}
	return nil
}

// validate checks what can be checked without scripts.
func (c *Config) validate() error {
	if c.Jobs < 0 {
		return fmt.Errorf("jobs: %d, must not be negative", c.Jobs)
	}
	if !slices.Contains(driver.BLASChoices, c.BLAS) {
		return fmt.Errorf("blas: %q%s (have %s)", c.BLAS, nearest.DidYouMean(c.BLAS, driver.BLASChoices), strings.Join(driver.BLASChoices, ", "))
	}
	if !slices.Contains(isolations, c.Isolation) {
		return fmt.Errorf("isolation: %q%s (have %s)", c.Isolation, nearest.DidYouMean(c.Isolation, isolations), strings.Join(isolations, ", "))
	}
	if err := c.checkSandbox(); err != nil {
		return err
	}
	if c.Limits.Timeout <= 0 {
		return fmt.Errorf("limits.timeout: %s, must be longer than nothing", time.Duration(c.Limits.Timeout))
	}
	if err := c.Faults.check(); err != nil {
		return err
	}
	for i, t := range c.Targets {
		if !slices.Contains(hip.Platforms(), t.Platform) {
			return withExit(ExitUnavailable, fmt.Errorf("target %d: unknown platform %q%s (have %s)", i+1, t.Platform,
				nearest.DidYouMean(t.Platform, hip.Platforms()), strings.Join(hip.Platforms(), ", ")))
		}
		p, err := workspace.FindProfile(t.Profile)
		if err == nil {
			err = p.CheckPlatform(t.Platform)
		}
		if err == nil && !t.isReal() {
			err = checkArch(t.Arch)
		}
		if err != nil {
			return fmt.Errorf("target %d: %w", i+1, err)
		}
	}
	for i, s := range c.Scenarios {
		if s.Script == "" {
			return fmt.Errorf("scenario %d: script is missing: a file, or a folder of them", i+1)
		}
		if s.Repeat < 0 {
			return fmt.Errorf("scenario %d: repeat: %d, must not be negative", i+1, s.Repeat)
		}
		if err := s.Faults.check(); err != nil {
			return fmt.Errorf("scenario %d: %w", i+1, err)
		}
		if err := checkExceptions(s.Skip); err != nil {
			return fmt.Errorf("scenario %d: skip: %w", i+1, err)
		}
		if err := checkExceptions(s.KnownFailures); err != nil {
			return fmt.Errorf("scenario %d: known_failures: %w", i+1, err)
		}
		for _, scheme := range s.Schemes {
			if err := workspace.CheckScheme(scheme); err != nil {
				return fmt.Errorf("scenario %d: schemes: %w", i+1, err)
			}
		}
	}
	return nil
}
