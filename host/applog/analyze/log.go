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
	"slices"

	"roclua/host/applog/lines"
	"roclua/workspace/footprint"
)

const (
	mostLines    = 50_000  // bound on cached lines
	mostOthers   = 2_000   // bound on distinct other lines
	progressStep = 1 << 16 // lines between progress reports
	longestLine  = 1 << 16 // bytes including the newline; the rest of a longer line is skipped
)

// Options selects the computations.
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

	sessions  []*session
	calls     map[string]*Call
	order     []*Call
	notListed Extra

	bursts      int64                  // of get_stream lines: see hidden
	sizeQueries int64                  // commands of rocSOLVER that are size queries
	functions   map[function]*Function // of lines that are not calls of the model
	most        []uint64               // largest need of a call, for each target
	initial     []uint64               // memory of a new handle, for each target
	matmuls     *matmuls
	devices     []*device // for each target, on which calls with settings are made

	bytes, lines int64
	key          []byte
}

// function is a function of a kind of line, and why its lines are not calls: Cut, Unknown or Empty.
type function struct {
	state lines.State
	kind  lines.Kind
	name  string
}

// logs returns the handles of the logs: of each file, or of all files together if these may be of one process.
func (l *Log) logs(a *Answer) []*Logged {
	var files []*session
	for _, s := range l.sessions {
		if s.recorded == nil && s.Calls > 0 {
			files = append(files, s)
		}
	}
	together := l.simulated()
	apart := !slices.ContainsFunc(files, func(s *session) bool {
		return !slices.Contains(together, s) || s.hasSolver() && !s.hasBLAS()
	})
	var list []*Logged
	switch {
	case len(files) == 0:
	case apart || len(files) == 1:
		for _, s := range files {
			list = append(list, s.logged(a))
		}
	default:
		list = append(list, l.joined(a, files))
	}
	return list
}

// logged describes the handles of a file. A log does not say which of several handles made a call.
func (s *session) logged(a *Answer) *Logged {
	g := &Logged{Handle: s.handle, Name: s.Name, Count: s.atOnce()}
	several := g.Count > 1
	g.Single = s.creates == 1 && !several && !s.firstCreates
	for _, c := range a.Calls {
		for stream, calls := range s.uses {
			if counts := calls[c]; counts != nil && several {
				g.use(0).Times[c] += slices.Max(counts[:])
			} else if counts != nil {
				g.use(stream).Times[c] = slices.Max(counts[:])
			}
		}
	}
	slices.SortFunc(g.Uses, func(a, b *Use) int { return a.Stream - b.Stream })
	return g
}

// joined returns one handle that makes the calls of all files.
func (l *Log) joined(a *Answer, files []*session) *Logged {
	g := &Logged{Handle: newHandle(0, l.targets), Name: "logs", Count: 1}
	for _, s := range files {
		g.Count = max(g.Count, s.atOnce())
		for i, need := range s.handle.Needs {
			g.need(i, need, s.handle.Decide[i])
			g.memory[i].final = max(g.memory[i].final, s.handle.memory[i].final)
		}
	}
	for _, c := range a.Calls {
		if times := c.Times - c.counts[lines.Recorded]; times > 0 {
			g.use(0).Times[c] = times
		}
	}
	return g
}
