package workspace

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/sizing"
)

// Profile is a release of the libraries whose behaviour the model reproduces.
type Profile struct {
	Name      string // "rocm-7.2"
	RocBLAS   string // version of rocBLAS
	RocSOLVER string // version of rocSOLVER
	About     string
	Release   sizing.Release

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

// DefaultProfile is the profile used when nobody names one.
const DefaultProfile = "rocm-7.2"

// Profiles returns every profile, oldest first.
func Profiles() []*Profile { return profiles }

// FindProfile returns the profile of a name; the error names the nearest one.
func FindProfile(name string) (*Profile, error) {
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("unknown profile %q%s (have %s)", name, routine.DidYouMean(name, names), strings.Join(names, ", "))
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
