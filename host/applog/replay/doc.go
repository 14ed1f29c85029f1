// Package replay makes the calls of a recording on modelled handles, and compares the statuses, the bytes of size
// queries and the growths with the recorded ones. Whether HIP had memory for an allocation is taken from the
// recording: it is not a prediction.
//
// It also follows what the recording itself shows of each handle: threads, streams, workspaces and memory, and finds
// uses that HIP does not order. Each call of rocBLAS and rocSOLVER that another library or the program made has a
// number, from 1.
package replay
