// Package applications records real programs without a GPU and compares the recordings with the model. make
// applications installs the programs in a root and runs the tests there:
//
//	make applications PROFILE=rocm-6.4 ROOT=/var/lib/roclua/rocm-6.4-applications
package applications
