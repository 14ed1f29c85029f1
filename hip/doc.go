// Package hip is the HIP runtime that the rest of the program uses, in the shape of database/sql: concrete types over
// the interfaces of hip/driver, which the platforms implement. What is the same on every platform is done here once:
// calls are recorded under their C names with who caused them, statistics are kept, live memory, streams and events are
// known with the place that made them, and misuse that a real runtime answers with undefined behaviour (a destroyed
// stream, a block freed twice) is answered with HIP's error code and a sentence.
//
// A Runtime belongs to one goroutine, the host thread of its case.
package hip
