// Package conformance holds the model against the vendor's libraries: the same random queries, calls and sequences of
// operations go to both, and statuses, bytes, sizes and HIP's memory calls must be the same. A difference is shrunk to its
// shortest sequence and printed as a Lua script.
//
// The libraries run on a machine with ROCm, or without a GPU in a root that root/make.sh makes: make conformance.
package conformance
