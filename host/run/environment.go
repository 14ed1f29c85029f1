package run

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/host/config"
	"roclua/host/revision"
	"roclua/workspace"
)

// Environment describes the machine of a run and the state of the project, in reports and event files.
type Environment struct {
	OS        string     `json:"os"`        // operating system, as Go names it
	CPUArch   string     `json:"cpu_arch"`  // processor's architecture, as Go names it
	CPUs      int        `json:"cpus"`      // processors
	Go        string     `json:"go"`        // version of Go that built the program
	Platforms []Platform `json:"platforms"` // platforms that targets name

	Profiles []Profile          `json:"profiles,omitempty"` // modelled releases that targets name
	Host     string             `json:"host,omitempty"`     // name of the machine
	Revision *revision.Revision `json:"revision,omitempty"` // git revision of the project whose scenarios run
}

// Profile is a modelled release that targets name, with the build that it reproduces.
type Profile struct {
	Name         string   `json:"name"`               // "rocm-7.2"
	Distribution string   `json:"distribution"`       // distribution of the packages, "Debian sid"
	Packages     []string `json:"packages,omitempty"` // packages with their versions; absent if not recorded
}

// String returns the profile and its build: "rocm-6.4 reproduces librocblas4 6.4.4-4 of Debian sid".
func (p Profile) String() string {
	return p.Name + " reproduces " + p.Build()
}

// Build returns the build that the profile reproduces: "librocblas4 6.4.4-4 of Debian sid".
func (p Profile) Build() string {
	return release.Build{Distribution: p.Distribution, Packages: p.Packages}.String()
}

// Profiles describes the modelled releases that targets name.
func Profiles(targets []config.Target) []Profile {
	var list []Profile
	for _, t := range targets {
		p, err := workspace.FindProfile(t.Profile)
		if err != nil || slices.ContainsFunc(list, func(q Profile) bool { return q.Name == p.Name }) {
			continue
		}
		if build, ok := p.Build(); ok && !t.IsReal() {
			list = append(list, Profile{p.Name, build.Distribution, build.Packages})
		}
	}
	return list
}

// Platform is a platform that targets name, with what it found on the machine.
type Platform struct {
	Name      string    `json:"name"`                // cpu, nvidia or amd
	Libraries []Library `json:"libraries,omitempty"` // libraries of the machine that it uses
	Devices   []Device  `json:"devices,omitempty"`   // devices of the machine; the targets describe simulated ones
}

// Library is a library of the machine.
type Library struct {
	Name    string `json:"name"`              // name
	Version string `json:"version,omitempty"` // version that it reports
	Path    string `json:"path"`              // file that was opened
}

// Device is a device of the machine.
type Device struct {
	Name        string `json:"name"`         // name
	Arch        string `json:"arch"`         // architecture
	MemoryBytes uint64 `json:"memory_bytes"` // bytes of its memory
}

// NewEnvironment describes the machine as the targets of a run see it, and the project of the configuration.
func NewEnvironment(cfg *config.Config, cpus int) *Environment {
	e := &Environment{OS: runtime.GOOS, CPUArch: runtime.GOARCH, CPUs: cpus, Go: runtime.Version(),
		Platforms: []Platform{}, Profiles: Profiles(cfg.Targets), Revision: revision.Of(filepath.Dir(cfg.File()))}
	e.Host, _ = os.Hostname()
	for _, t := range cfg.Targets {
		if !slices.ContainsFunc(e.Platforms, func(p Platform) bool { return p.Name == t.Platform }) {
			e.Platforms = append(e.Platforms, probe(t, cfg.BLAS))
		}
	}
	return e
}

func probe(t config.Target, blas string) Platform {
	report := hip.Probe(t.Platform, driver.Config{Devices: 1, BLAS: blas})
	p := Platform{Name: t.Platform}
	for _, part := range report.Parts {
		if part.Path != "" {
			p.Libraries = append(p.Libraries, Library{part.Name, part.Version, part.Path})
		}
	}
	if t.IsReal() {
		for _, d := range report.Devices {
			p.Devices = append(p.Devices, Device{d.Name, d.Arch, d.MemoryBytes})
		}
	}
	return p
}
