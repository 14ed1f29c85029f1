// Package lines reads single lines of the logs of rocBLAS and rocSOLVER.
//
// Find returns the pieces of a line that a library wrote, wherever they are in it: a log may be quoted, prefixed, or
// interleaved by threads. A Parser reads a piece as a call: a routine of the table and the arguments that the line
// gives. Trace lines list arguments in the order of the routine's C parameters; the lines of rocblas-bench,
// rocsolver-bench, profiles and trace trees name them. What the libraries spell otherwise is in defects.go.
//
// A line that does not have all sizes of a call is not a call: the parser never supplies a size.
package lines
