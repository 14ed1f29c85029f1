// Package conformance compares the model with the vendor's libraries: it runs the same random queries, calls and
// sequences of operations on both, and statuses, bytes, sizes and HIP's memory calls must be equal. It reduces a
// difference to a shortest sequence and prints it as a Lua script.
//
// TestThresholds and TestSmallLU need no random numbers: they draw the calls at and next to every threshold of a size
// rule, and can record the library's results for the tests of package sizing: make thresholds.
//
// TestLogs runs applications that log, in their own processes, and compares how their handles grew with what is
// predicted from their logs.
//
// The libraries run on a machine with ROCm, or without a GPU in a root that root/make.sh makes: make conformance.
package conformance
