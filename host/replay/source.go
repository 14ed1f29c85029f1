package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/workspace"
)

// Written describes the origin of a recording: a release, on devices of architectures.
type Written struct {
	Profile  *workspace.Profile
	Versions *release.Versions // of the libraries, also if they are not modelled
	Archs    []string          // of each device
}

// Source returns the origin of a recording. For libraries that are not modelled the nearest profile is in their place,
// and the error is a release.Unmodelled.
func Source(p *recording.Process) (w Written, err error) {
	name, err := workspace.ProfileOfLibrary(p.Facts["rocblas.version"], p.Facts["rocsolver.version"])
	var unmodelled *release.Unmodelled
	if errors.As(err, &unmodelled) {
		name = unmodelled.Nearest.Name
	}
	w.Profile, _ = workspace.FindProfile(name)
	versions := w.Profile.Release.Versions
	for fact, to := range map[string]*string{"rocblas.version": &versions.RocBLAS, "hip.version": &versions.HIP,
		"rocsolver.version": &versions.RocSOLVER} {
		if _, ok := release.ParseVersion(p.Facts[fact]); ok {
			*to = p.Facts[fact]
		}
	}
	w.Versions = &versions
	for w.Archs == nil || len(w.Archs) < driver.MaxDevices {
		text, recorded := p.Facts[fmt.Sprintf("device.%d.arch", len(w.Archs))]
		if !recorded && w.Archs != nil {
			break
		}
		name, _, _ := strings.Cut(text, ":")
		if name == "" || config.CheckArch(name) != nil {
			name = arch.Default().Name
		}
		w.Archs = append(w.Archs, name)
	}
	return w, err
}

// Is reports whether the recording is of a release and the architectures of devices; later devices have the last one.
func (w *Written) Is(p *workspace.Profile, archs []string) bool {
	for i, name := range w.Archs {
		if archs[min(i, len(archs)-1)] != name {
			return false
		}
	}
	return w.Profile == p
}

// Used returns the architectures of the devices that have handles, or the first one.
func (w *Written) Used(f *recording.File) (list []string) {
	if arch.Same(w.Archs) {
		return w.Archs[:1]
	}
	var find func(*recording.Call)
	find = func(c *recording.Call) {
		if c.Name == "rocblas_create_handle" {
			if name := w.Archs[min(c.Device, len(w.Archs)-1)]; !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		for _, inner := range c.Inside {
			find(inner)
		}
	}
	for c := range f.Calls() {
		find(c)
	}
	if list == nil {
		list = w.Archs[:1]
	}
	return list
}
