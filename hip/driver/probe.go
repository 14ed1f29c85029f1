package driver

import "roclua/hip/routine"

// Prober is a Driver that reports what it finds on this machine and what is missing.
type Prober interface {
	// Probe returns the report for a configuration.
	Probe(Config) Report
}

// Explainer is a Driver that reports how it computes the routines of the table.
type Explainer interface {
	// Computes returns the names of the functions that compute a routine, or the reason why there are none.
	Computes(r *routine.Routine) (by, reason string)
}

// Report is what a platform finds on a machine.
type Report struct {
	Parts   []Part
	Devices []Properties
	Numbers string // what the rounding errors of results depend on, if Parts does not say it: libraries and threads
	Version string // version of the vendor's library that decides how handles behave; "" where they are modelled
	Calls   bool   // the runtime reports the calls of the libraries, see CallReporter
	Problem string // why the platform cannot be used; "" when it can
	Advice  string // how to solve the problem, or to use more of the platform
}

// Part is a library that a platform looked for.
type Part struct {
	Name    string // "librocblas"
	Path    string // where it was found; "" when it was not
	Version string
	Missing string // "not found: ...", and what is used instead
}
