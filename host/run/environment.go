package run

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/release"
	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/host/worker"
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

// schemeDefects returns the known defects of programs whose handles have the schemes of the cases, an entry for each
// scheme and the same defects.
func schemeDefects(cases plan.List, cfg *config.Config) (list []record.SchemeDefects) {
	type key struct{ script, scheme, profile, arch string }
	seen := map[key]bool{}
	environment := worker.Environment(cfg.Sandbox, cfg.Env)
	for _, c := range cases {
		p, err := workspace.FindProfile(c.Profile)
		k := key{"", cmp.Or(c.Input.Scheme, workspace.SchemeManaged), c.Profile, c.Target.Arch}
		scheme := k.scheme
		if scheme == record.SchemeRecorded {
			k.script = c.Script
		}
		if err != nil || seen[k] || c.Skip != "" || c.Target.IsReal() || !p.Modelled() || p.SkipScheme(scheme) != "" {
			continue
		}
		seen[k] = true
		versions, around := &p.Release.Versions, environment
		if k.script != "" {
			scheme, versions = recordedScheme(c, p)
			around = nil
		}
		var found []record.SchemeDefect
		for _, f := range workspace.DefectsAround(p, *versions, scheme, k.arch, around) {
			found = append(found, record.SchemeDefect{Entry: f.Entry()})
		}
		if found == nil {
			continue
		}
		same := func(d record.SchemeDefects) bool { return d.Scheme == k.scheme && slices.Equal(d.Defects, found) }
		i := slices.IndexFunc(list, same)
		if i < 0 {
			i, list = len(list), append(list, record.SchemeDefects{Scheme: k.scheme, Defects: found})
		}
		if target := k.profile + "/" + k.arch; !slices.Contains(list[i].Targets, target) {
			list[i].Targets = append(list[i].Targets, target)
		}
	}
	return list
}

// recordedScheme returns the scheme of new handles of a recorded program, and the versions of its libraries if a
// release has them.
func recordedScheme(c *plan.Case, p *workspace.Profile) (string, *release.Versions) {
	versions := &p.Release.Versions
	f, err := recording.Open(c.Script)
	if err != nil { // the case says so
		return workspace.SchemeManaged, versions
	}
	defer f.Close()
	if w, err := replay.Source(&f.Process); err == nil && w.Profile == p {
		versions = w.Versions
	}
	if workspace.StreamOrdered(f.Process.Facts["env."+workspace.EnvStreamOrderAlloc]) {
		return workspace.SchemeStreamOrdered, versions
	}
	return workspace.SchemeManaged, versions
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
