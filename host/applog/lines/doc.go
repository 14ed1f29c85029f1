// Package lines reads single lines of the logs of rocBLAS and rocSOLVER.
//
// Find returns the pieces that a library wrote, anywhere in a line: a log may be quoted, prefixed, or interleaved by
// threads. A Parser reads a piece as a call: a routine of the table and the arguments in the line. Trace lines list
// arguments in the order of the routine's C parameters; the lines of rocblas-bench, rocsolver-bench, profiles and trace
// trees name them. Irregular lines are in defects.go.
//
// A line without all sizes of a call is not a call: the parser never supplies a size.
package lines
