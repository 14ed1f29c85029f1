package record

import (
	"roclua/hip/release"
	"roclua/internal/revision"
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

// Platform is a platform that targets name, with its libraries and devices on the machine.
type Platform struct {
	Name      string    `json:"name"`                // cpu, nvidia or amd
	Libraries []Library `json:"libraries,omitempty"` // libraries of the machine that it uses
	Devices   []Device  `json:"devices,omitempty"`   // devices of the machine; the targets describe simulated ones
	Numbers   string    `json:"numbers,omitempty"`   // what rounding errors depend on: libraries, kernels, threads
}

// Numbers returns the dependencies of the rounding errors of each platform.
func (e *Environment) Numbers() map[string]string {
	numbers := map[string]string{}
	if e != nil {
		for _, p := range e.Platforms {
			numbers[p.Name] = p.Numbers
		}
	}
	return numbers
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
