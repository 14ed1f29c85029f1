package workspace

import (
	"fmt"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/internal/nearest"
)

// Profile is the behavior of a handle: a modelled release of ROCm, or the libraries of a platform, which report
// themselves how much memory calls need.
type Profile struct {
	Name      string // "rocm-7.2"
	RocBLAS   string // version of rocBLAS
	RocSOLVER string // version of rocSOLVER
	About     string
	Release   *release.Release // the default release for the libraries of a platform
	Platform  string           // the only platform that has the profile; "" for a modelled release
}

// Modelled reports whether the profile is a modelled release, not the libraries of a platform.
func (p *Profile) Modelled() bool { return p.Platform == "" }

// Build returns the packages whose behavior the profile reproduces; false for libraries on the machine.
func (p *Profile) Build() (release.Build, bool) {
	if !p.Modelled() {
		return release.Build{}, false
	}
	return p.Release.Build, true
}

// Versions returns what rocBLAS and rocSOLVER return as their versions: a number, a point and the commit of the build,
// which distributions leave empty.
func (p *Profile) Versions() (rocblas, rocsolver string) {
	if !p.Modelled() {
		return p.RocBLAS, p.RocSOLVER
	}
	return p.RocBLAS + ".", p.RocSOLVER + "."
}

// DefaultBytes returns the memory of a new managed handle on an architecture.
func (p *Profile) DefaultBytes(name string) uint64 { return arch.Of(name).DefaultBytes(p.Release) }

// profiles are the modelled releases, oldest first.
var profiles = func() []*Profile {
	var list []*Profile
	for _, r := range release.All() {
		list = append(list, &Profile{Name: r.Name, RocBLAS: r.RocBLAS, RocSOLVER: r.RocSOLVER, About: r.About,
			Release: r})
	}
	return list
}()

// cuda is the profile of the platform nvidia: it has the schemes and statuses of the default release, and the libraries
// report the bytes.
var cuda = &Profile{Name: "cuda", RocBLAS: "cuBLAS", RocSOLVER: "cuSOLVER", Release: release.Default(),
	Platform: "nvidia",
	About:    "the bytes that cuBLAS and cuSOLVER on the machine need"}

// Profiles returns every modelled release, oldest first.
func Profiles() []*Profile { return profiles }

// ProfileNames returns the names of the modelled releases, oldest first.
func ProfileNames() []string { return release.Names() }

// DefaultProfileOf returns the name of the profile that a platform uses when none is named.
func DefaultProfileOf(platform string) string {
	if platform == cuda.Platform {
		return cuda.Name
	}
	return release.Default().Name
}

// libraryPrefix begins the names of profiles of releases that are not modelled, "rocblas-5.3".
const libraryPrefix = "rocblas-"

// ProfileOfLibrary returns the name of the profile for a version of rocBLAS, such as "4.4.1": the profile of the
// modelled release, or one that contains only the version.
func ProfileOfLibrary(version string) string {
	if r, ok := release.OfRocBLAS(version); ok {
		return r.Name
	}
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	return libraryPrefix + major + "." + minor
}

// CheckPlatform returns an error when a platform does not have the profile.
func (p *Profile) CheckPlatform(platform string) error {
	switch {
	case !p.Modelled() && p.Platform != platform:
		return fmt.Errorf("profile %s is for the libraries of platform %s; platform %s has %s",
			p.Name, p.Platform, platform, strings.Join(ProfileNames(), ", "))
	case p.Modelled() && platform == cuda.Platform:
		return fmt.Errorf("profile %s is modelled; platform %s, whose libraries report what they need, has only %s",
			p.Name, platform, cuda.Name)
	}
	return nil
}

// FindProfile returns the profile of a name. The error for an unknown name contains the nearest one.
func FindProfile(name string) (*Profile, error) {
	if version, ok := strings.CutPrefix(name, libraryPrefix); ok {
		return &Profile{Name: name, RocBLAS: version, Release: release.Default(), Platform: "amd",
			About: "a release that is not modelled"}, nil
	}
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	if name == cuda.Name {
		return cuda, nil
	}
	known := append(ProfileNames(), cuda.Name)
	return nil, fmt.Errorf("unknown profile %q%s (have %s)", name, nearest.DidYouMean(name, known), strings.Join(known,
		", "))
}
