// Package footprint computes how many bytes of a handle's memory a sequence of calls needs, on any release and
// architecture, without a handle or a device.
//
// Parse reads a call as text, such as "dgetrf m=1024 n=1024"; parameters that are not given have the same defaults as
// named arguments in a script. NewSequence puts calls into order, with axes along which their sizes vary.
// Sequence.Bytes returns the bytes on a Target, and Sequence.On also what each scheme would hold, and warnings.
package footprint
