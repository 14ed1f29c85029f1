// Package nvidia is the platform of NVIDIA's GPUs: CUDA's runtime for memory, streams and events, cuBLAS and cuSOLVER
// for the routines of the table. It opens all libraries at run time. The scratch memory of the libraries is workspace
// of the handle, like any other.
//
// Most routines of rocBLAS are called through the table: cuBLAS has the same parameters in C order, with other
// enumerations (direct.go). Most routines of rocSOLVER are rows of parameters that a function of cuSOLVER has (step in
// solver.go). The others have a function each, in the file of their subject. Batched forms that the libraries lack run
// as a loop over the problems. A family without a method is not computed on nvidia: calls return ErrorNotSupported, and
// Computes says why.
package nvidia
