package workspace

import "roclua/hip/release"

// Build returns the packages whose behavior the profile reproduces; false for a profile of libraries on the machine.
func (p *Profile) Build() (release.Build, bool) {
	if p.Platform != "" {
		return release.Build{}, false
	}
	return p.Release.Build, true
}
