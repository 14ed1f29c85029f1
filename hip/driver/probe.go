package driver

import "roclua/hip/routine"

// Prober is a Driver that tells what it finds on this machine and what it lacks.
type Prober interface {
	Probe(Config) Report
}

// Explainer is a Driver that tells how it computes the routines of the table.
type Explainer interface {
	// Computes names the functions behind a routine, or says why there are none.
	Computes(r *routine.Routine) (by, reason string)
}

// Report is what a platform finds on a machine.
type Report struct {
	Parts   []Part
	Devices []Properties
	Version string // of the vendor's library that decides how handles behave; "" where they are modelled
	Problem string // why the platform cannot be used; "" when it can
	Advice  string // what to do about the problem, or to have more of the platform
}

// Part is a library that a platform looked for.
type Part struct {
	Name    string // "OpenBLAS"
	Path    string // where it was found; "" when it was not
	Version string
	Missing string // "not found: ...", and what stands in for it
}
