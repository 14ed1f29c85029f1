package workspace

import (
	"errors"
	"fmt"
	"slices"
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

// Build returns the packages whose behavior the profile reproduces; false for libraries on the machine, and for a
// release that is inferred.
func (p *Profile) Build() (release.Build, bool) {
	return p.Release.Build, p.Modelled() && p.Release.Inferred == ""
}

// Versions returns the versions that rocBLAS and rocSOLVER report: a number, a point and the commit of the build, which
// distributions leave empty.
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
	for _, name := range release.Known() {
		r, _ := release.Find(name)
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

// Profiles returns every modelled release whose libraries were compared, oldest first.
func Profiles() []*Profile {
	return slices.DeleteFunc(slices.Clone(profiles), func(p *Profile) bool { return p.Release.Inferred != "" })
}

// ProfileNames returns the names of Profiles.
func ProfileNames() []string { return release.Names() }

// DefaultProfileOf returns the name of the profile that a platform uses when none is named.
func DefaultProfileOf(platform string) string {
	if platform == cuda.Platform {
		return cuda.Name
	}
	return release.Default().Name
}

// The names of profiles of libraries that are not modelled start with a prefix, "rocblas-5.3.0", and have the version
// of rocSOLVER if that is the library that is not modelled, "rocblas-4.4.1-rocsolver-3.28.0".
const (
	libraryPrefix = "rocblas-"
	solverPrefix  = "-rocsolver-"
)

// ProfileOfLibrary returns the name of the profile for versions of rocBLAS and rocSOLVER, such as "4.4.1" and "3.28.2":
// the profile of the modelled release, or one that contains only the versions, with a release.Unmodelled. The version
// of rocSOLVER is "" if it is not known.
func ProfileOfLibrary(rocblas, rocsolver string) (string, error) {
	r, err := release.Of(rocblas, rocsolver)
	if err == nil {
		return r.Name, nil
	}
	name := libraryPrefix + rocblas
	if v, ok := release.ParseVersion(rocblas); ok {
		name = libraryPrefix + v.String()
	}
	if _, of := release.Of(rocblas, ""); of == nil {
		name += solverPrefix + rocsolver
		if v, ok := release.ParseVersion(rocsolver); ok {
			name = strings.TrimSuffix(name, rocsolver) + v.String()
		}
	}
	return name, err
}

// Unmodelled explains a profile of libraries that are not modelled; nil for any other.
func (p *Profile) Unmodelled() error {
	if !strings.HasPrefix(p.Name, libraryPrefix) {
		return nil
	}
	_, err := release.Of(p.RocBLAS, p.RocSOLVER)
	return err
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
	if versions, ok := strings.CutPrefix(name, libraryPrefix); ok {
		rocblas, rocsolver, _ := strings.Cut(versions, solverPrefix)
		p := &Profile{Name: name, RocBLAS: rocblas, RocSOLVER: rocsolver, Release: release.Default(), Platform: "amd",
			About: "a release that is not modelled"}
		var unmodelled *release.Unmodelled
		if errors.As(p.Unmodelled(), &unmodelled) {
			p.Release = unmodelled.Nearest
		}
		return p, nil
	}
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	if name == cuda.Name {
		return cuda, nil
	}
	known := append(release.Known(), cuda.Name)
	about := nearest.DidYouMean(name, known)
	if full := "rocm-" + name; slices.Contains(known, full) {
		about = fmt.Sprintf(", did you mean %q?", full)
	} else if named := release.Named(name); named != nil {
		about = ": " + named.Error()
	}
	return nil, fmt.Errorf("unknown profile %q%s (have %s)", name, about, strings.Join(known, ", "))
}
