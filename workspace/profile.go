package workspace

import (
	"fmt"
	"slices"
	"strings"

	"roclua/internal/nearest"
	"roclua/workspace/sizing"
)

// Profile is a release of the libraries whose behaviour the model reproduces, or the libraries of a platform that are asked
// themselves.
type Profile struct {
	Name      string // "rocm-7.2"
	RocBLAS   string // version of rocBLAS
	RocSOLVER string // version of rocSOLVER
	About     string
	Release   sizing.Release
	Platform  string // the one platform that has the profile, whose libraries tell what calls need; "" for a modelled release

	// streamOrderedOnly is rocBLAS 5.1.0: managed memory always comes from hipMallocAsync, the environment's size only
	// warms the pool, set_device_memory_size does nothing and nobody is ever user-managing.
	streamOrderedOnly bool
}

var profiles = []*Profile{
	{Name: "rocm-6.4", RocBLAS: "4.4.1", RocSOLVER: "3.28.2", Release: sizing.ROCm64,
		About: "four schemes, stream order by environment variable"},
	{Name: "rocm-7.1", RocBLAS: "5.1.0", RocSOLVER: "3.31.0", Release: sizing.ROCm71, streamOrderedOnly: true,
		About: "managed memory is always stream-ordered; the manual functions do nothing"},
	{Name: "rocm-7.2", RocBLAS: "5.2.0", RocSOLVER: "3.32.0", Release: sizing.ROCm72,
		About: "four schemes again, larger triangular solves in rocSOLVER"},
}

// cuda is the profile of the platform nvidia: schemes and statuses are those of rocm-7.2, bytes are the libraries' own.
var cuda = &Profile{Name: "cuda", RocBLAS: "cuBLAS", RocSOLVER: "cuSOLVER", Release: sizing.ROCm72, Platform: "nvidia",
	About: "what cuBLAS and cuSOLVER on the machine ask for"}

// DefaultProfile is the profile used when nobody names one.
const DefaultProfile = "rocm-7.2"

// Profiles returns every modelled release, oldest first.
func Profiles() []*Profile { return profiles }

// DefaultProfileOf returns the name of the profile that a platform has when nobody names one.
func DefaultProfileOf(platform string) string {
	if platform == cuda.Platform {
		return cuda.Name
	}
	return DefaultProfile
}

// ProfileOfLibrary returns the profile of a version of rocBLAS, "4.4.1" say: that of a modelled release, or one that says no
// more than the version.
func ProfileOfLibrary(version string) string {
	for _, p := range profiles {
		if sameRelease(p.RocBLAS, version) {
			return p.Name
		}
	}
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	return libraryPrefix + major + "." + minor
}

// libraryPrefix begins the names of profiles of releases that are not modelled, "rocblas-5.3".
const libraryPrefix = "rocblas-"

// sameRelease compares the first two numbers of two versions.
func sameRelease(a, b string) bool {
	x, y := strings.SplitN(a, ".", 3), strings.SplitN(b, ".", 3)
	return len(x) > 1 && len(y) > 1 && x[0] == y[0] && x[1] == y[1]
}

// CheckPlatform tells whether a profile can be had on a platform.
func (p *Profile) CheckPlatform(platform string) error {
	switch {
	case p.Platform != "" && p.Platform != platform:
		return fmt.Errorf("profile %s is what the libraries of platform %s answer; platform %s has %s", p.Name, p.Platform, platform, names(profiles))
	case p.Platform == "" && platform == cuda.Platform:
		return fmt.Errorf("profile %s is modelled; platform %s has the profile %s, for its libraries tell what they need", p.Name, platform, cuda.Name)
	}
	return nil
}

func names(list []*Profile) string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// FindProfile returns the profile of a name; the error names the nearest one.
func FindProfile(name string) (*Profile, error) {
	if version, ok := strings.CutPrefix(name, libraryPrefix); ok {
		return &Profile{Name: name, RocBLAS: version, Release: sizing.ROCm72, Platform: "amd", About: "a release that is not modelled"}, nil
	}
	known := append(slices.Clone(profiles), cuda)
	var all []string
	for _, p := range known {
		if p.Name == name {
			return p, nil
		}
		all = append(all, p.Name)
	}
	return nil, fmt.Errorf("unknown profile %q%s (have %s)", name, nearest.DidYouMean(name, all), names(known))
}

// SkipScheme tells why a scheme cannot be run under the profile; "" means that it can.
func (p *Profile) SkipScheme(scheme string) string {
	if !p.streamOrderedOnly {
		return ""
	}
	switch scheme {
	case SchemePreallocated:
		return "rocBLAS " + p.RocBLAS + " only warms its memory pool with ROCBLAS_DEVICE_MEMORY_SIZE; the handle stays managed"
	case SchemeManual:
		return "rocblas_set_device_memory_size does nothing in rocBLAS " + p.RocBLAS
	}
	return ""
}
