// Package host is the program: it reads the command line and the configuration, plans the cases, runs each with a Lua
// state and a device of its own, and reports. Exit codes:
//
//	0    everything passed
//	1    a check failed, something leaked, or the library would have aborted
//	2    usage or configuration
//	3    something moved from its baseline
//	4    the platform is not available
//	5    an error in a script
//	6    a case ran out of time, or reached another limit
//	7    nothing was selected
//	70   a defect of roclua
//	130  interrupted
//
// When several apply, the gravest is given: a defect, then an interruption, then script errors, timeouts, failed checks, baselines.
package host
