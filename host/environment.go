package host

import (
	"runtime"
	"slices"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
)

// jsonEnvironment is the machine that a run ran on, as far as it can bear on a result.
type jsonEnvironment struct {
	OS        string         `json:"os"`        // operating system, as Go calls it
	CPUArch   string         `json:"cpu_arch"`  // processor's architecture, as Go calls it
	CPUs      int            `json:"cpus"`      // processors
	Go        string         `json:"go"`        // version of Go that built the program
	Platforms []jsonPlatform `json:"platforms"` // platforms that targets name
}

// jsonPlatform is a platform that targets name, with what it found on the machine.
type jsonPlatform struct {
	Name      string        `json:"name"`                // cpu, nvidia or amd
	Libraries []jsonLibrary `json:"libraries,omitempty"` // libraries of the machine that it uses
	Devices   []jsonDevice  `json:"devices,omitempty"`   // devices of the machine; simulated ones are the targets' affair
}

// jsonLibrary is a library of the machine.
type jsonLibrary struct {
	Name    string `json:"name"`              // name
	Version string `json:"version,omitempty"` // version, as it tells itself
	Path    string `json:"path"`              // file that was opened
}

// jsonDevice is a device of the machine.
type jsonDevice struct {
	Name        string `json:"name"`         // name
	Arch        string `json:"arch"`         // architecture
	MemoryBytes uint64 `json:"memory_bytes"` // bytes of its memory
}

// environmentOf looks at the machine as the targets of a run see it.
func environmentOf(cfg *config.Config, cpus int) *jsonEnvironment {
	e := &jsonEnvironment{OS: runtime.GOOS, CPUArch: runtime.GOARCH, CPUs: cpus, Go: runtime.Version(), Platforms: []jsonPlatform{}}
	for _, t := range cfg.Targets {
		if !slices.ContainsFunc(e.Platforms, func(p jsonPlatform) bool { return p.Name == t.Platform }) {
			e.Platforms = append(e.Platforms, platformOf(t, cfg.BLAS))
		}
	}
	return e
}

func platformOf(t config.Target, blas string) jsonPlatform {
	report := hip.Probe(t.Platform, driver.Config{Devices: 1, BLAS: blas})
	p := jsonPlatform{Name: t.Platform}
	for _, part := range report.Parts {
		if part.Path != "" {
			p.Libraries = append(p.Libraries, jsonLibrary{part.Name, part.Version, part.Path})
		}
	}
	if t.IsReal() {
		for _, d := range report.Devices {
			p.Devices = append(p.Devices, jsonDevice{d.Name, d.Arch, d.MemoryBytes})
		}
	}
	return p
}
