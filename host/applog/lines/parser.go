// Package lines reads single lines of the logs of rocBLAS and rocSOLVER.
//
// Find returns the pieces that a library wrote, anywhere in a line: a log may be quoted, prefixed, or interleaved by
// threads. A Parser reads a piece as a call: a routine of the table and the arguments in the line. Trace lines list
// arguments in the order of the routine's C parameters; the lines of rocblas-bench, rocsolver-bench, profiles and trace
// trees name them. Irregular lines are in defects.go.
//
// A line without all sizes of a call is not a call: the parser never supplies a size.
package lines

import "roclua/hip/routine"

// Parser reads the pieces of one log. It keeps state between lines: the trace trees that have started, and whether
// trace lines end with the atomics mode.
type Parser struct {
	args routine.Args

	// AtomicsWord means that trace lines end with the atomics mode; a line without it is cut.
	AtomicsWord bool

	trees   []tree
	most    int      // trees that were open at the same time
	ends    bool     // a tree has ended
	claimed []string // result of Claim
	orders  map[*routine.Routine][]*routine.Param
	fields  [][]byte
	named   []option
	unknown map[string]error // of functions of commands
	ended   bool             // a blank or a quote followed the last command, so its last number is whole
}

// MostCalls bounds the calls that one line represents, so that sums over the lines of a file do not overflow.
const MostCalls = 1 << 40

// NewParser returns a parser for one log.
func NewParser() *Parser { return &Parser{orders: map[*routine.Routine][]*routine.Param{}} }

// Parse reads a piece. whole is false for a piece that may be truncated: the last line of a log without a newline.
func (p *Parser) Parse(piece Piece, whole bool) Result {
	switch piece.Kind {
	case Trace, Marker:
		return p.trace(piece, whole)
	case Bench, SolverBench:
		return p.bench(piece, whole)
	case Profile:
		return p.profile(piece)
	case SolverTree:
		return p.begin(piece)
	case SolverArgs:
		if of := p.Claim(piece); of != nil {
			return p.ArgumentsOf(of[0], piece)
		}
	}
	return Result{}
}

// result completes a call from p.args: missing arguments get their defaults. ok is false if a missing argument has
// none.
func (p *Parser) result(count int64, known Slots, ok bool) Result {
	r := p.args.Routine
	res := Result{State: Cut, Name: r.CName(), Count: count}
	if !ok {
		return res
	}
	guessed, missing := p.complete(&known, false)
	if missing != nil {
		return res
	}
	if !known.Has(routine.D) {
		p.args.PlaceResult()
	}
	res.State, res.Call = Full, Call{Args: &p.args, Known: known, Guessed: guessed}
	return res
}

// benchSize is the size that rocblas-bench takes for m, n and k.
const benchSize = 128

// complete sets the missing arguments to their defaults, or with bench to the benchmark programs' defaults, which a
// person relied on. It returns those that it guessed, and the first one without a value; nil if there is none.
func (p *Parser) complete(known *Slots, bench bool) (guessed Slots, missing *routine.Param) {
	r := p.args.Routine
	for i := range r.Params {
		param := &r.Params[i]
		if known.Has(param.Slot) {
			continue
		}
		d, ok := r.Default(param)
		if !ok && bench {
			d, _, ok = r.BenchDefault(param)
		}
		size := param.Slot == routine.M || param.Slot == routine.N || param.Slot == routine.K
		switch {
		case param.Kind.IsPointer() && param.Kind != routine.Scalar:
			p.args.SetPtr(param.Slot, Address(param))
		case bench && param.Slot == routine.BatchCount:
			p.args.SetInt(param.Slot, 1)
		case ok && param.Slot != routine.BatchCount:
			d.Set(&p.args)
		case bench && size && r.Library == routine.RocBLAS:
			p.args.SetInt(param.Slot, benchSize)
		case p.guess(param):
			guessed.Add(param.Slot)
		default:
			return guessed, param
		}
	}
	return guessed, nil
}

// guess sets an argument without a default to a legal value. It returns false for sizes.
func (p *Parser) guess(param *routine.Param) bool {
	if param.Kind.IsEnum() && param.Kind != routine.Datatype {
		p.args.SetInt(param.Slot, param.Legal()[0])
		return true
	}
	f := p.args.Routine.Family
	if param.Slot == routine.BatchCount && len(f.Buffers) == 0 {
		p.args.SetInt(param.Slot, 1)
		return true
	}
	return false
}

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
	Listed                    // a call in a file that lists calls

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
