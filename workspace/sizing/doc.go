// Package sizing holds the bytes of device memory that every routine of the table asks for, by release and architecture.
//
// Each rule stands once, in a file of its routine's name. The rules were read from the published source and then
// compared with the answers of the real libraries of ROCm 6.4 and 7.2 until none differed. Like the library they
// compute in unsigned 64-bit arithmetic; where a sum leaves it, Overflow tells.
package sizing
