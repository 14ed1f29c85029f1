package run

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/host/config"
	"roclua/internal/revision"
	"roclua/luabind/record"
	"roclua/workspace"
)

// Profiles describes the modelled releases that targets name.
func Profiles(targets []config.Target) []record.Profile {
	var list []record.Profile
	for _, t := range targets {
		p, err := workspace.FindProfile(t.Profile)
		if err != nil || slices.ContainsFunc(list, func(q record.Profile) bool { return q.Name == p.Name }) {
			continue
		}
		if build, ok := p.Build(); ok && !t.IsReal() {
			list = append(list, record.Profile{Name: p.Name, Distribution: build.Distribution,
				Packages: build.Packages})
		}
	}
	return list
}

// NewEnvironment describes the machine as the targets of a run see it, and the project of the configuration.
func NewEnvironment(cfg *config.Config, cpus int) *record.Environment {
	e := &record.Environment{OS: runtime.GOOS, CPUArch: runtime.GOARCH, CPUs: cpus, Go: runtime.Version(),
		Platforms: []record.Platform{}, Profiles: Profiles(cfg.Targets),
		Revision: revision.Of(filepath.Dir(cfg.File()))}
	e.Host, _ = os.Hostname()
	for _, t := range cfg.Targets {
		if !slices.ContainsFunc(e.Platforms, func(p record.Platform) bool { return p.Name == t.Platform }) {
			e.Platforms = append(e.Platforms, probe(t))
		}
	}
	return e
}

func probe(t config.Target) record.Platform {
	report := hip.Probe(t.Platform, t.DriverConfig())
	p := record.Platform{Name: t.Platform, Numbers: report.Numbers}
	var parts []string
	for _, part := range report.Parts {
		if part.Path != "" {
			p.Libraries = append(p.Libraries, record.Library{Name: part.Name, Version: part.Version, Path: part.Path})
			parts = append(parts, strings.TrimSpace(part.Name+" "+part.Version))
		}
	}
	if t.IsReal() {
		for _, d := range report.Devices {
			p.Devices = append(p.Devices, record.Device{Name: d.Name, Arch: d.Arch, MemoryBytes: d.MemoryBytes})
			parts = append(parts, d.Name)
		}
	}
	p.Numbers = cmp.Or(p.Numbers, strings.Join(parts, ", "))
	return p
}
