// Package sizing computes the bytes of device memory that a call of every routine of the table needs, by release and
// architecture.
//
// Each family of routines that needs memory has one rule, in the file of its subject. A rule names the buffers of the
// call, which its family declares, so that kernels find them by name. The rules were read from the published source and
// compared with recorded results of the real libraries of ROCm 6.4 and 7.2 until none differed. Like the library, they
// compute in unsigned 64-bit arithmetic; Buffers.Overflow reports a sum that overflows.
package sizing
