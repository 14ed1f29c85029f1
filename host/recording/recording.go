package recording

import (
	"slices"
	"strings"
	"time"

	"roclua/hip/function"
)

// The sizes of the parts of a file, and the version of the format.
const (
	Version     = 2
	HeaderBytes = 16384
	ChunkBytes  = 65536

	Magic       = "ROCLUA RECORDING"
	ChunkMagic  = "RCHK"
	FactsOffset = 60  // of the facts in the header
	ChunkHeader = 104 // bytes; 48 in version 1

	RunningOffset = 48 // in the header of a chunk, of the thread of the calls that have not ended
	MostRunning   = 3  // of them
)

// The flags of a header.
const (
	FlagEnded    = 1 << iota // the process ended by exit
	FlagDiskFull             // later calls are missing
	FlagFacts                // a fact is missing
)

// The kinds of records.
const (
	FunctionRecord = iota + 1
	ShapeRecord
	CallRecord
	ThreadRecord
)

// Process is the header of a recording.
type Process struct {
	PID, Parent int
	Start       time.Time
	Ended       bool // by exit; a process that was killed, or that replaced its program, did not end
	DiskFull    bool // the disk was full, so that later calls are missing
	FactsFull   bool // the header was full, so that variables or versions are missing

	// Facts by name: "host", "program", "thread" and so on; "hip.version", "rocblas.version", "rocsolver.version" and
	// ".path" of each, "device.0.arch", "device.0.name", "device.0.memory", and "device.0.free" when the first handle
	// had been created; "env." and each variable that starts with ROCBLAS_, HIPBLAS_, HIPSOLVER_ or TENSILE_. Version 1
	// has no free memory, and fewer variables. "unknown." and the name of each function of HIP that Unknown returns.
	Facts map[string]string

	clock uint64 // at Start
}

// Unknown returns the functions of HIP that the program or its libraries use and the recorder does not know. Their
// effects are not recorded. File.Problems names them.
func (p *Process) Unknown() (list []string) {
	for name := range p.Facts {
		if name, ok := strings.CutPrefix(name, "unknown."); ok {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Missing describes the parts that the recorder could not write.
func (p *Process) Missing() (list []string) {
	if p.DiskFull {
		list = append(list, "the disk was full: later calls are missing")
	}
	if p.FactsFull {
		list = append(list, "the variables of the libraries are too long: some, or versions, are missing")
	}
	if !p.Ended {
		list = append(list, "the process did not end by exit: calls that had not ended are missing")
	}
	return list
}

// Totals counts calls.
type Totals struct {
	Calls   int // of routines
	Handles int // that were created
	Growths int // memory that hipMalloc allocated inside routines
}

// Function is a function that was called.
type Function struct {
	Name      string // "rocblas_dgemm"
	Signature string // the letter of its result, then one of each parameter: see function.Kind
}

// Params returns the letters of the parameters.
func (f *Function) Params() string { return f.Signature[1:] }

// Call is one call. Calls with equal arguments share Args.
type Call struct {
	*Function
	Thread     int           // from 1, in the order of the threads' first calls
	Start, End time.Duration // since Process.Start
	Handle     int           // the rocblas_handle of the call; 0 if it has none, or the null pointer
	Device     int           // the current device of the thread
	Stream     int           // the stream of the handle, or the stream that the call has as an argument
	Args       []Value       // one for each parameter
	Results    []uint64      // values of its out-parameters, in their order; 0 for a null pointer
	Status     int           // its result
	Inside     []*Call       // the calls made during this one, except Waits and Copies
	Waits      int           // HIP calls inside by which the library waited, as hipStreamSynchronize and hipMemcpy
	Copies     int           // HIP calls inside that copied or filled memory, as hipMemcpyAsync
	Unfinished bool          // it was made inside a call that did not end
}

// Running is a call that had not ended when the recording ended: the process was killed, aborted or ended by exit
// during it.
type Running struct {
	*Function
	Thread int
	Handle int           // the rocblas_handle that is its first argument; 0 if it has none
	Depth  int           // 0 for a call that the program made, 1 for one inside it, and so on
	Start  time.Duration // since Process.Start
}

// Value is one argument.
type Value struct {
	Letter function.Kind
	Int    int64   // integers, enumerations, sizes, addresses, and the numbers of objects
	Real   float64 // floating-point numbers
	Null   bool    // a null pointer
	Scalar []byte  // alpha or beta as it is in host memory; nil if it is in device memory, at the address Int
}

// Result returns the result of the parameter with an index, and whether the function has one there.
func (c *Call) Result(param int) (uint64, bool) {
	n := 0
	for i, v := range c.Args {
		if !v.Letter.IsResult() {
			continue
		}
		if i == param {
			return c.Results[n], true
		}
		n++
	}
	return 0, false
}
