// Package nvidia is the platform of NVIDIA's GPUs: CUDA's runtime for memory, streams and events, cuBLAS and cuSOLVER for
// the routines of the table. All of them are opened at run time. The scratch memory that the libraries ask for is lent from
// the handle like any other workspace.
//
// A routine is called through the table: its parameters in C order are cuBLAS's own, with enumerations translated. Batched
// forms that the libraries lack run as a loop over the problems. What has no counterpart answers ErrorNotSupported, and
// Unsupported tells why.
package nvidia
