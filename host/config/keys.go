package config

import (
	"slices"
	"strconv"
	"strings"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/fault"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// Key describes one key of the configuration. The file config.toml, the flags and their help, the environment
// variables, the pages of "roclua docs", the JSON Schema and "roclua inspect" are all generated from Keys.
//
// To add a key, add its row to Keys, its field to the struct of its table, and the code that uses it.
type Key struct {
	Name     string          // "limits.timeout"; without indexes for arrays of tables: "target.arch"
	Usage    string          // the value in one line, without capitalization or period
	Doc      string          // further sentences
	Default  string          // in TOML; "" if the key is unset by default
	Unset    string          // meaning of an unset key; "none" if empty
	Example  string          // a TOML value for a key without a default; lines for a table without fixed keys
	Values   func() []string // possible values; nil if there are too many to list
	Flag     string          // flag that sets the key, "timeout"; "" for none
	Required bool            // the key must be set in its table
	Instead  string          // another key of the table that may be set instead of a required one

	set func(*Config, string) error // how the flag sets the key; nil parses the value into the field
}

// Keys lists the keys of the configuration in the order of documentation. A table precedes its keys.
var Keys = []Key{
	{Name: "seed", Flag: "seed", Default: "1", Usage: "seed of random numbers in scripts",
		Doc: "A case with the same seed sees the same numbers."},
	{Name: "shuffle", Flag: "shuffle", Default: "false",
		Usage: "run cases in an order that the seed decides",
		Doc:   "This finds cases that depend on earlier ones."},
	{Name: "jobs", Flag: "jobs", Default: "0", Usage: "cases to run in parallel; 0 means one per CPU",
		Doc: "On real devices 0 means one case, because cases share the memory of a device."},
	{Name: "memory_checks", Flag: "memory-checks", Default: "true",
		Usage: "check the content of device memory on the cpu platform: true or false",
		Doc: `Memory that is read as elements of another type than was written to it is an error of the script.
A read of memory that nothing has written fails the case. See "roclua docs memory".`},
	{Name: "isolation", Flag: "isolation", Default: `"auto"`, Values: one(isolations...),
		Usage: "processes in which cases run",
		Doc: `"worker" are separate processes, whose time and memory are bounded from outside: a script that hangs or
crashes ends only its case. "case" is the program's process, for scripts that you trust. "auto" is "worker".`},
	{Name: "time", Flag: "time", Default: `"virtual"`, Values: one(TimeVirtual, TimeReal),
		Usage: "time of simulated devices and of scripts that use them",
		Doc: `"virtual": a model decides how long kernels, copies and calls take, and os.clock, events, t:measure and
loads use its time. So a case has the same times on every machine. "real" are the times of the machine that simulates
the device. The timeout is always the machine's. See "roclua docs loads".`},
	{Name: "kernels", Flag: "kernels", Default: `"on"`, Values: one(KernelsOn, KernelsOff),
		Usage: "whether kernels of simulated devices compute",
		Doc: `"off" is for long loads in virtual time: kernels take their time, and a read of what one should have
written fails the case.`},
	{Name: "sandbox", Flag: "sandbox", Default: strconv.Quote(bounds.DefaultSandbox),
		Values: one(bounds.SandboxStrict, bounds.SandboxProject),
		Usage:  "access of scripts; only the flag accepts full, for the whole machine",
		Doc: `"strict": the built-in modules, and with require the Lua files in the folder of the script.
"project": also those in the library folders, and dofile and loadfile for all of these. Neither reads
any other file, writes a file, starts a process, reads your environment or uses a network. --sandbox
full provides Lua's whole library, which gives scripts all your permissions. See SECURITY.md.`},
	{Name: "library", Example: `["lib"]`, Usage: "folders that require searches after the folder of the script"},
	{Name: "baseline", Example: `"baselines"`,
		Usage: "folder of the baselines, with a file for each scenario, or one .toml file for all of them",
		Doc: `"roclua run --update" writes them. A run that measures other values exits with code 3.
A [[scenario]] can have its own.`},

	{Name: "device", Usage: "settings of all simulated devices"},
	{Name: "device.time", Example: "{ launch = 5e-6, bandwidth = 1.6e12 }", Unset: "the values of the architecture",
		Usage: "values of the model of time, in seconds, in bytes or operations in a second",
		Doc:   `See "roclua docs loads" for the keys.`},
	{Name: "limits", Usage: "limits of each case"},
	{Name: "limits.timeout", Flag: "timeout", Default: `"60s"`, Usage: "time that one case may take, such as 30s"},
	{Name: "limits.instructions", Flag: "limit-instructions", Default: "0",
		Usage: "Lua instructions that one case may execute; 0 means no limit"},
	{Name: "limits.heap", Flag: "limit-heap", Default: `"1GiB"`,
		Usage: "memory that the Lua values and host arrays of one case may take, such as 512MiB; 0 means no limit"},
	{Name: "limits.output", Flag: "limit-output", Default: `"16MiB"`,
		Usage: "text that one case may print and record in metrics and checks, such as 1MiB; 0 means no limit",
		Doc:   "The text report shows the beginning and the end of a long log."},
	{Name: "limits.device_memory", Flag: "limit-device-memory", Default: "0",
		Usage: "device memory that one case may have allocated at once, such as 8GiB; 0 means no limit",
		Doc: `Exceeding the limit ends the case. An allocation on a full device returns hipErrorOutOfMemory
instead.`},
	{Name: "limits.memory", Flag: "limit-memory", Default: "0",
		Usage: "resident memory of the worker process of one case, such as 4GiB; 0 means all memory of the machine",
		Doc: `It includes the device memory of the cpu platform that a case has used, and about 50 MiB for the program.
With 0, all cases together can use 80 % of the memory that is available when the run begins. A worker over the limit is
killed, which ends its case. Cases in the program's process (isolation = "case") have no such limit.`},

	{Name: "faults", Usage: "allocations of device memory that fail with hipErrorOutOfMemory, on the cpu platform",
		Doc: `over, calls, devices, streams and causes choose the allocations of a case that match, including those
that a library makes for it. Of these fail the ones that nth and every choose, or all when neither is set. Each case
counts from 1. On other platforms the cases are skipped. --set faults.nth=3 sets a key on the command line.`},
	{Name: "faults.nth", Example: "3",
		Usage: "fail these matching allocations, counted from 1: a number, or a list such as [3, 5]"},
	{Name: "faults.every", Example: "5", Usage: "fail every Nth matching allocation"},
	{Name: "faults.over", Example: `"16MiB"`, Unset: "all", Usage: "match only allocations of more bytes"},
	{Name: "faults.calls", Example: `["hipMallocAsync"]`, Unset: "all", Values: one(fault.Calls...),
		Usage: "match only allocations by these calls"},
	{Name: "faults.devices", Example: "[1]", Unset: "all",
		Usage: "match only allocations on these devices, numbered from 0"},
	{Name: "faults.streams", Example: "[0, 1]", Unset: "all",
		Usage: "match only allocations in these streams: 0 is the null stream, others are numbered by their creation",
		Doc:   "hipMalloc names no stream."},
	{Name: "faults.causes", Example: `["growth"]`, Unset: "all", Values: one(fault.Causes...),
		Usage: "match only allocations with these causes"},

	{Name: "env", Example: `ROCBLAS_DEVICE_MEMORY_SIZE = "4732160"`,
		Usage: "environment variables of every case, which handles read when they are created"},
	{Name: "params", Example: "n = 512", Usage: "parameters for every scenario that has them",
		Doc: "--set params.n=512 sets one on the command line."},
	{Name: "expect", Example: `"p95(seconds)" = "< 30"`,
		Usage: "conditions on the metrics of each case, or on FUNCTION(metric) over all cases",
		Doc:   `See "roclua docs expect" and "roclua docs metrics".`},
	{Name: "tolerance", Example: "residual = \"1e-12\"\n\"hip.total\" = \"10%\"", Unset: "values must be equal",
		Usage: `how far a value may move from its baseline: a number, a share of the old value, or "ignore"`},

	{Name: "target", Usage: "a device to run on and a release to reproduce; every case runs on every target",
		Unset: "one target with the defaults of its keys"},
	{Name: "target.platform", Flag: "platform", Default: strconv.Quote(Simulated), Values: hip.Platforms,
		Usage: "platform to run on", set: (*Config).setPlatform},
	{Name: "target.profile", Flag: "profile", Default: strconv.Quote(workspace.DefaultProfileOf(Simulated)),
		Values: Profiles,
		Usage:  "library release to reproduce; the flag takes several, separated by commas",
		set:    (*Config).setProfiles},
	{Name: "target.arch", Flag: "arch", Default: strconv.Quote(arch.Default().Name), set: (*Config).setArchs,
		Usage: "architecture of the device, such as gfx90a; the flag takes several, separated by commas",
		Doc:   "It decides the default size of a workspace. A real device reports its own."},
	{Name: "target.device_memory", Flag: "device-memory", Default: `"64GiB"`, set: (*Config).setDeviceMemory,
		Usage: "memory of the device, such as 8GiB", Doc: "The host commits memory when it is first used."},
	{Name: "target.devices", Flag: "devices", Example: "2", Unset: "1", set: (*Config).setDevices,
		Usage: "number of devices of each case, 1 to 16",
		Doc: `Each simulated device has its own memory, streams and memory pool. On other platforms the cases use the
first devices of the machine.`},
	{Name: "target.device_ids", Example: "[0, 1]", Unset: "the first devices",
		Usage: "devices of the machine that each case uses, instead of devices; not on the cpu platform",
		Doc:   "Scripts number the devices from 0 in this order."},
	{Name: "target.device_archs", Example: `["gfx90a", "gfx942"]`, Unset: "all are of arch",
		Usage: "architectures of simulated devices that differ, instead of devices and arch"},
	{Name: "target.tuning", Flag: "tuning", Example: `"/opt/rocm/lib/rocblas/library"`, set: (*Config).setTuning,
		Unset: "kernels of products are not known",
		Usage: "rocBLAS tuning files: a folder, a pack, or installed; RELEASE=PATH,... for several releases",
		Doc: `With them the model knows the kernel and the workspace of each GEMM: see "roclua docs
products". They are for simulated devices.`},
	{Name: "target.no_memory_pools", Default: "false", Usage: "simulate a device that does not support memory pools",
		Doc: "hipMallocAsync then fails, so handles that allocate in stream order cannot be created."},

	{Name: "scenario", Usage: "scripts, and how they run"},
	{Name: "scenario.script", Example: `"scripts"`, Required: true, Instead: "recording",
		Usage: "a script, or a folder whose .lua files are scripts",
		Doc: `The name of a scenario is its path in that folder, such as query/minimum_size. Files and folders whose
name starts with "_" or "." have no scenarios: they are for modules that scripts require. A file that returns a list has
scenarios such as FILE/NAME; script = "FILE.lua/NAME" is one of them.`},
	{Name: "scenario.recording", Example: `"app.rec"`, Unset: "a script runs",
		Usage: "a recording of roclua record, whose calls are made on the target, instead of a script",
		Doc: `The name of the scenario is the file's, without .rec. Each process of the program is a scenario: app, and
app/PID for the file app.rec.PID. See "roclua docs recording".`},
	{Name: "scenario.name", Example: `"solve_large"`, Unset: "from the path of the script",
		Usage: "name in ids and reports; before the paths in a folder, and the names of a file with several scenarios",
		Doc:   "With names a configuration can run a script twice."},
	{Name: "scenario.schemes", Example: `["managed", "manual"]`, Unset: "all of them",
		Values: one(slices.Concat([]string{record.SchemeRecorded}, workspace.Schemes)...),
		Usage:  "memory schemes to run under, of those that the script names",
		Doc: `The default for a recording is recorded, the memory that the program set. Another scheme replaces that
memory.`},
	{Name: "scenario.bytes", Example: `"48MiB"`, Unset: "the script's, or the default size of the architecture",
		Usage: "size of the memory of t.handle, or of each handle of a recording, in a scheme with a size"},
	{Name: "scenario.params", Example: "{ n = 512 }", Unset: "the script's values",
		Usage: "values for the script's parameters"},
	{Name: "scenario.matrix", Example: `{ type = ["s", "d"], n = "64:4096:x2" }`,
		Usage: "axes that multiply: a case for each combination of their values",
		Doc: `An axis is a list, or for a number a range FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR. Numbers can have a
suffix: 1K and 1KiB are 1024, likewise M, G and T. faults.nth, faults.every and faults.over are axes of every scenario.
--axis n=64,128 replaces an axis.`},
	{Name: "scenario.zip", Example: "{ m = [10, 20], k = [1, 2] }",
		Usage: "axes of the same length that step together"},
	{Name: "scenario.repeat", Example: "5", Unset: "once",
		Usage: "how often each case runs, for times and their spread",
		Doc:   "--repeat 5 replaces it in every scenario."},
	{Name: "scenario.tags", Example: `["slow"]`, Usage: "tags in addition to the script's",
		Doc: `--tags slow,large runs only the scenarios with one of these tags, --skip-tags leaves out those with one.
roclua list shows them.`},
	{Name: "scenario.faults", Example: "{ nth = 3 }", Unset: "the run's",
		Usage: "faults as in [faults], instead of the run's"},
	{Name: "scenario.expect", Example: `{ residual = "< 1e-10" }`,
		Usage: "conditions as in [expect], on this scenario"},
	{Name: "scenario.baseline", Example: `"kept/solve.toml"`, Unset: "the run's",
		Usage: "folder or file of this scenario's baselines"},
	{Name: "scenario.tolerance", Example: `{ residual = "1e-12" }`, Unset: "the run's",
		Usage: "tolerances as in [tolerance], for this scenario"},
	{Name: "scenario.skip", Example: `[{ match = "n=4096", reason = "takes an hour" }]`,
		Usage: "cases that do not run"},
	{Name: "scenario.skip.match", Required: true,
		Usage: "which cases: KEY=VALUE, text of the id or /REGEXP/, joined by commas, or an id, as --filter"},
	{Name: "scenario.skip.reason", Required: true, Usage: "why, for the report"},
	{Name: "scenario.known_failures", Example: `[{ match = "type=s", reason = "issue 17" }]`,
		Usage: "cases that fail; one that passes fails the run",
		Doc:   "match and reason are as in skip."},
}

func one(values ...string) func() []string { return func() []string { return values } }

// Find returns the description of a key; nil for an unknown key.
func Find(name string) *Key {
	if i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name }); i >= 0 {
		return &Keys[i]
	}
	return nil
}

// variablePrefix is the prefix of environment variables that set keys.
const variablePrefix = "ROCLUA_"

// Variable returns the environment variable that sets the key: "ROCLUA_TIMEOUT"; "" when there is none.
func (k *Key) Variable() string {
	if k.Flag == "" {
		return ""
	}
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(k.Flag, "-", "_"))
}

// Table returns the table of the key: "limits"; "" for the root.
func (k *Key) Table() string {
	i := strings.LastIndexByte(k.Name, '.')
	return k.Name[:max(i, 0)]
}

// Base returns the key's name in its table: "timeout".
func (k *Key) Base() string { return k.Name[strings.LastIndexByte(k.Name, '.')+1:] }

// sourceKey is the key for the source of a flag or variable. Each key of targets has one entry for all targets,
// separate from keys set in the file.
func (k *Key) sourceKey() string {
	if k.Table() == "target" {
		return k.Flag
	}
	return k.Name
}
