// Package conformance compares the model with the vendor's libraries: it runs the same random queries, calls and
// sequences of operations on both, and statuses, bytes, sizes and HIP's memory calls must be equal. It reduces a
// difference to a minimal sequence and prints it as a Lua script.
//
// TestThresholds and TestSmallLU are deterministic: they make the calls at and next to every threshold of a size rule,
// and can record the library's results for the tests of package sizing: make thresholds.
//
// TestLogs runs logging applications in separate processes, and compares the growths of their handles with the growths
// predicted from their logs.
//
// The libraries run on a machine with ROCm or, without a GPU, in a root built by root/make.sh: make conformance.
package conformance
