// Package analyze computes the workspace that an application's calls need from its logs.
//
//	l := analyze.New(analyze.Options{Targets: targets})
//	err := l.Read(ctx, "app.log", file)
//	answer := l.Answer()
//
// Logs are read as streams: equal lines are parsed once, and equal calls are kept once, with a count and their first
// line. The needs of a call are computed when it is first seen, and the growths of a managed handle while the lines are
// read, so the order of calls need not be kept. Memory use does not depend on the length of a log, because the number
// of distinct calls and lines kept is bounded.
package analyze

import (
	"roclua/host/applog/lines"
	"roclua/workspace/footprint"
)

const (
	mostLines    = 50_000  // bound on cached lines
	mostOthers   = 2_000   // bound on distinct other lines
	progressStep = 1 << 16 // lines between progress reports
	longestLine  = 1 << 16 // bytes including the newline; the rest of a longer line is skipped
)

// Options selects what to compute.
type Options struct {
	Targets []footprint.Target

	// Order keeps the order of the calls, for Log.Order.
	Order bool

	// Progress, if not nil, is called periodically with the lines and bytes read so far.
	Progress func(lines, bytes int64)
}

// Log is the logs of an application.
type Log struct {
	targets  []footprint.Target
	progress func(lines, bytes int64)
	ordered  bool

	sessions   []*session
	calls      map[string]*Call
	order      []*Call
	notListed  overflow
	notModeled map[function]*tally // functions that are not in the table
	cut        map[function]*tally
	empty      map[function]*tally
	lives      int
	most       []uint64 // largest need of a call, for each target
	initial    []uint64 // memory of a new handle, for each target
	matmuls    matmuls
	devices    []*device // for each target, on which calls with settings are made

	bytes, lines int64
	key          []byte
}

// function is a function of a kind of line.
type function struct {
	kind lines.Kind
	name string
}

// tally counts the lines of a function.
type tally struct {
	count int64
	file  int
	line  int64
}

// overflow counts the calls beyond the bound on distinct calls.
type overflow struct {
	times int64
	most  []uint64 // for each target
}

func (o *overflow) add(needs []Need) {
	for i := range needs {
		o.most[i] = max(o.most[i], needs[i].Bytes)
	}
}
