package verify

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/worker"
	"roclua/workspace"
)

// Kind is a kind of comparison.
type Kind string

// The kinds. A size query is a query with one call. A call is executed, with valid or invalid arguments. A
// sequence has 40 to 80 operations on one handle. A capture has one operation while a stream is captured. Layers are
// sequences of calls of hipSOLVER and hipBLAS.
const (
	Queries   Kind = "queries"
	Calls     Kind = "calls"
	Sequences Kind = "sequences"
	Captures  Kind = "captures"
	Layers    Kind = "layers"
)

// Kinds are all kinds, in the order of comparison.
var Kinds = []Kind{Queries, Calls, Sequences, Captures, Layers}

// DefaultKinds are the kinds compared by default.
var DefaultKinds = []Kind{Queries, Calls, Sequences}

// Options select the comparisons and the library.
type Options struct {
	Pool     *worker.Pool
	Library  driver.Report // the libraries found; it has a device
	Profile  *workspace.Profile
	Compare  bool // false only records the results of the library
	Routines []*routine.Routine
	Layers   []*routine.Routine // of hipSOLVER and hipBLAS
	Kinds    []Kind
	Devices  int // each with a handle
	Seed     uint64
	Count    int       // queries, as many calls, a twentieth as many sequences, and as many drawn captured calls
	Recorder *Recorder // records the results of the library; nil for none
}
