package verify

import (
	"context"
	"os/exec"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
)

// Platform is the platform of the compared libraries.
const Platform = "amd"

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
	Library  driver.Report // the libraries found; it has a device
	Profile  *workspace.Profile
	Compare  bool // false only records the results of the library
	Routines []*routine.Routine
	Layers   []*routine.Routine // of hipSOLVER and hipBLAS
	Kinds    []Kind
	Devices  int // each with a handle
	Seed     uint64
	Count    int       // queries, as many calls, a twentieth as many sequences, and as many drawn captured calls
	Only     int       // number of the only case that is compared, from 1; 0 compares all
	Command  string    // command line that compares all cases
	Recorder *Recorder // records the results of the library; nil for none

	// Process returns a command that calls Serve with its standard input, the file 3, and these options.
	Process func(context.Context) (*exec.Cmd, error)
}
