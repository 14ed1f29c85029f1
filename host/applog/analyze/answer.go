package analyze

import (
	"roclua/host/applog/lines"
	"roclua/host/files"
	"roclua/workspace/footprint"
)

// Answer is the result of analyzing the logs.
type Answer struct {
	Files      []File
	Calls      []*Call // by descending bytes on the first target, then by first line
	ByLine     []*Call // the same by first line
	NotListed  Extra
	Targets    []Target
	NotModeled []Function
	Cut        []Function
	Empty      []Function // trace trees without arguments: size queries, or calls that failed
	Notes      []Note
	Logs       []*Logged // handles of the logs
	Matmuls    []Matmul  // products of hipBLASLt

}

// File is the log of one process.
type File struct {
	Name     string                 `json:"name"`  // as the command line has it; "-" is standard input
	Lines    int64                  `json:"lines"` // all lines
	Calls    int64                  `json:"calls"` // calls, by each kind of line
	Other    int64                  `json:"other"` // lines that are not of a log
	Kinds    [lines.KindCount]int64 `json:"-"`
	Recorded bool                   `json:"-"`               // it is a recording
	Form     string                 `json:"form,omitempty"`  // of a file that lists calls
	Notes    []string               `json:"notes,omitempty"` // parts that were not read
	Create   [2]int64               `json:"-"`               // lines about handles, by atomics mode
	RocBLAS  string                 `json:"-"`               // version in a header
	Format   *files.Other           `json:"-"`               // of a file that is probably not a log; otherwise nil
}

// Extra counts the calls beyond the bounded list of distinct calls.
type Extra struct {
	Times int64
	Most  []uint64 // for each target
}

// Function is a function that the logs name.
type Function struct {
	Name   string     `json:"function"` // C name
	Kind   lines.Kind `json:"-"`
	Count  int64      `json:"count"`            // calls
	File   string     `json:"file"`             // of the first line
	Number int        `json:"-"`                // of the file
	Line   int64      `json:"first_line"`       // the first line, from 1
	Reason string     `json:"reason,omitempty"` // why it is not modelled
}

// Target is the memory that the calls need on one release and architecture.
type Target struct {
	footprint.Target
	Bytes   uint64   // of the call with the largest need
	Decides *Call    // nil if no call needs memory
	Missing []string // calls that the log lacks: the need and the growths are of the others
	Managed Managed
	Defects []*Hit // known ones that concern the calls, the worst first

	// Without calls that may be size queries, if Decides is one.
	ExecutedBytes   uint64
	ExecutedDecides *Call
	Unknown         int64 // distinct calls with unknown needs
}

// Managed describes a managed handle that makes the calls.
type Managed struct {
	Initial uint64   `json:"initial_bytes"`          // of a new handle
	Final   uint64   `json:"final_bytes"`            // after the calls
	Growths []Growth `json:"growths"`                // of one handle that makes all calls in a file
	More    int64    `json:"more_growths,omitempty"` // growths that are not listed
	Most    int64    `json:"most_growths"`           // growths at most, if several handles make the calls
	Exact   bool     `json:"exact"`                  // the log has everything that growths depend on
}

// Count returns the number of growths if one handle makes all calls.
func (m *Managed) Count() int64 { return int64(len(m.Growths)) + m.More }

// Note is something that the logs do not say.
type Note struct {
	Code string `json:"code"` // for programs
	Text string `json:"text"` // for readers
}

// The codes of notes.
const (
	Unlogged       = "unlogged"        // actions that leave no line
	NoStatus       = "no_status"       // failed calls look like others
	SeveralHandles = "several_handles" // growths are a range
	Truncated      = "truncated"       // the log was, or may have been, truncated by a new handle
	NoHandle       = "no_handle"       // no create_handle line
	NoOrder        = "no_order"        // only counts of calls
	HiddenSolver   = "hidden_solver"   // rocSOLVER calls missing from the log
	SeparateFiles  = "separate_files"  // calls of one process are in several files
	CutLines       = "cut_lines"       // truncated lines
	LostOptions    = "unknown_options" // options missing from lines
	UnknownNeed    = "unknown_need"    // calls with unknown needs
	MoreCalls      = "more_calls"      // unlisted distinct calls
	EmptyTrees     = "empty_trees"     // trace trees without arguments: size queries, or calls that failed
	MixedTrees     = "mixed_trees"     // trace trees of several threads
	SizeQueries    = "size_queries"    // commands of rocSOLVER that are size queries
	MaybeQueries   = "maybe_queries"   // commands of rocSOLVER that may be size queries
	NotModelled    = "not_modelled"    // functions outside the model
	NoSizes        = "no_sizes"        // lines with functions but no sizes
	OtherLibrary   = "hipblaslt"       // lines of hipBLASLt
	Incomplete     = "incomplete"      // parts of a recording that are missing, damaged or not known
	Unmodelled     = "unmodelled"      // libraries that no profile reproduces
	Inferred       = "inferred"        // a release whose libraries were not compared
)
