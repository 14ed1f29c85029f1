package config

import (
	"fmt"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

// Installed is the tuning files of an installed rocBLAS, instead of a path.
const Installed = "installed"

// InstalledTuning returns the folders of the tuning files of an installed rocBLAS of a release. Package host sets it,
// because only platforms know where they find libraries.
var InstalledTuning = func(*release.Release) []string { return nil }

// TuningPath returns where the tuning files of a profile are: a folder, a pack, or "" for nowhere. The value is a path
// or "installed" for all profiles, or several, separated by commas, as RELEASE=PATH.
func TuningPath(value, profile string) (string, error) {
	path := ""
	for _, entry := range strings.Split(value, ",") {
		name, rest, named := strings.Cut(entry, "=")
		if _, known := release.Find(name); !named || !known {
			name, rest = profile, entry
		}
		if name == profile {
			path = rest
		}
	}
	if path != Installed {
		return path, nil
	}
	p, err := workspace.FindProfile(profile)
	if err != nil || !p.Modelled() {
		return "", err
	}
	folders := InstalledTuning(p.Release)
	if len(folders) == 0 {
		return "", fmt.Errorf("no rocBLAS %s tuning files are installed; install rocBLAS of %s, or give its folder "+
			".../rocblas/library, or a pack of roclua tuning pack", p.Release.RocBLAS, p.Name)
	}
	return folders[0], nil
}

// OpenTuning opens the tuning files of a profile and an architecture; nil if the value names none for the profile.
func OpenTuning(value, profile, arch string) (*tuning.Library, error) {
	path, err := TuningPath(value, profile)
	if err != nil || path == "" {
		return nil, err
	}
	return tuning.OpenPath(path, arch)
}

// OpenTuning opens the tuning files of the target's architectures.
func (t *Target) OpenTuning() (tuning.Libraries, error) {
	list := tuning.Libraries{}
	for _, name := range t.Archs() {
		name = arch.Of(name).Name
		if list[name] != nil {
			continue
		}
		files, err := OpenTuning(t.Tuning, t.Profile, name)
		if err != nil {
			return nil, err
		}
		if files != nil {
			list[name] = files
		}
	}
	return list, nil
}
