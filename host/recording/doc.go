// Package recording reads recordings: the calls that a process made to rocBLAS, rocSOLVER, hipBLAS, hipSOLVER and HIP,
// as roclua record writes them. A recording is plain data: nothing here knows the meaning of a call.
//
// # The file
//
// A file belongs to one process. It has a header of HeaderBytes and then chunks of ChunkBytes. All numbers are in
// little-endian order. The process writes the file through memory that it shares with the kernel, so all calls that had
// ended are in the file when the process is killed.
//
//	header
//	  0  the text "ROCLUA RECORDING"
//	 16  u32  the version of the format
//	 20  u32  HeaderBytes
//	 24  u32  ChunkBytes
//	 28  u32  the process
//	 32  u32  its parent
//	 36  u32  flags: 1 the process ended by exit, 2 the disk was full, so that later calls are missing, 4 there was no
//	          room for all facts
//	 40  u64  start of the recording in nanoseconds, by the clock of all times in the file (CLOCK_MONOTONIC)
//	 48  u64  the same moment in nanoseconds since 1970
//	 56  u32  bytes of the facts that follow, lines of the form NAME=VALUE
//
//	chunk
//	  0  the text "RCHK"
//	  4  u32  bytes that are used, with these 104; written last, when a record is complete
//	  8  u32  the thread of the first call, numbered from 1 in the recording
//	 12  u32  the thread's number in the operating system
//	 16  u32  the number of the chunk in its slot, from 0
//	 20  u32  the slot: threads that run in turn and share chunks
//	 24  u64  the time that the first end of a call is relative to
//	 32  u32  routine calls in the chunk
//	 36  u32  handles that they create
//	 40  u32  growths: successful hipMalloc calls inside routines
//	 48  u32  the thread of the calls that have not ended
//	 56  for each of the depths 0, 1 and 2 a call that has not ended; the first one without a function ends the list
//	       u32  the number of its function, and 1; 0 for none
//	       u32  the handle that is its first argument
//	       u64  when it began
//
// A chunk has one writer, and does not depend on other chunks. Its records have a byte for the kind, the length of the
// body and the body. Readers ignore kinds that they do not know. Numbers are variable-length integers as in
// encoding/binary; those that can be negative are stored zigzag.
//
//	1 function  number, signature, zero byte, name
//	2 shape     function, handle, device, stream, mask of null pointers, arguments
//	3 call      place of its shape in the chunk, depth, time from the previous call's end to its end, duration,
//	            status, addresses, results, waits and copies inside if there are any
//	4 thread    number, number in the operating system: the calls that follow are of this thread
//
// The addresses of a call, if its function has any, are a mask and a number for each bit of it that is set: the
// difference to the address that the previous call of the shape had there. Before the first call all are 0.
//
// Inside a routine of rocBLAS or rocSOLVER, HIP calls that only wait, copy or fill memory are counted; the others,
// and those that fail, are records. hipGetLastError and hipPeekAtLastError are records if they return an error.
//
// A call of depth 1 was made during the next call of depth 0 of its thread, and so on: a call follows the calls that
// were made inside it. Calls that repeat arguments share a shape. Handles, streams, events and graphs have numbers,
// from 1, in the order of their first use in the process; 0 is the null pointer.
//
// A scalar is a byte with its size, and its bytes. In device pointer mode the size is 255, and the address follows. One
// of size 0 could not be read.
//
// Sizes that a variadic function has as its last arguments are recorded as their sum, each rounded up to a multiple of
// 64. A signature is a letter for the function's result and one for each parameter: see function.Kind.
//
// Functions of HIP whose names end in _spt take the null stream for the stream of the thread.
//
// In version 1 the header of a chunk has 48 bytes, shapes have the addresses of their calls, and calls inside of others
// are not counted.
package recording
