package lines

import "roclua/hip/routine"

// Kind is the kind of a line, or of a piece of one.
type Kind uint8

const (
	Other         Kind = iota // not a log line
	Trace                     // rocBLAS: a function and its arguments in C order
	Bench                     // rocBLAS: a command of rocblas-bench
	Profile                   // rocBLAS: a function, its arguments and the number of calls, written at exit
	Internal                  // rocBLAS: a call between parts of the library
	Marker                    // a trace line as a range in a profiler's file of markers
	SolverBench               // rocSOLVER: a command of rocsolver-bench
	SolverTree                // rocSOLVER: start or end of the trace of a call
	SolverArgs                // rocSOLVER: the arguments of a function in the trace of a call
	SolverProfile             // rocSOLVER: number and time of calls, without arguments
	Header                    // the first lines of a log of rocSOLVER
	HipBLASLt                 // a call or a command of hipBLASLt
	Recorded                  // a call in a recording
	Listed                    // a call in a file that says what to call

	KindCount
)

// String returns the kind in a few words, for reports.
func (k Kind) String() string {
	return [...]string{"other text", "rocBLAS trace", "rocBLAS bench", "rocBLAS profile", "rocBLAS internal",
		"rocprofv3 marker", "rocSOLVER bench", "rocSOLVER trace", "rocSOLVER trace", "rocSOLVER profile",
		"header", "hipBLASLt", "recorded calls", "calls"}[k]
}

// State is a Parser's verdict on a piece.
type State uint8

const (
	NoCall   State = iota // no call that needs memory: create_handle, set_stream, the end of a trace tree
	Full                  // a call with all sizes
	Cut                   // a known function with missing or unreadable sizes
	Unknown               // a function missing from the table of routines
	Empty                 // a trace tree of rocSOLVER without arguments: a size query, or a call that failed
	Repeated              // the second line of one call
)

// Result is the result of parsing a piece.
type Result struct {
	Kind  Kind
	State State
	Name  string // C name of the function
	Count int64  // number of calls: 1 except in a profile
	Call  Call   // if State is Full
}

// Call is a routine with the arguments of a line. Missing arguments have their defaults; arrays are not null.
type Call struct {
	Args    *routine.Args // valid until the next use of the Parser
	Known   Slots         // arguments in the line
	Guessed Slots         // missing options without a default, set to their first legal value
}

// Slots is a set of arguments.
type Slots [(int(routine.SlotCount) + 63) / 64]uint64

// Add adds an argument.
func (s *Slots) Add(slot routine.Slot) { s[slot/64] |= 1 << (slot % 64) }

// Has reports whether the set contains an argument.
func (s *Slots) Has(slot routine.Slot) bool { return s[slot/64]&(1<<(slot%64)) != 0 }

// Empty reports whether the set has no argument.
func (s *Slots) Empty() bool { return *s == Slots{} }
