package analyze

import (
	"slices"

	"roclua/host/applog/lines"
	"roclua/host/files"
)

// session is the state of a process's handles according to one file.
type session struct {
	file  In
	lines int64
	kinds [lines.KindCount]int64
	calls int64
	other int64

	creates, destroys int64
	live, mostLive    int64
	life              int // incremented when a handle replaces the only one
	streams           map[string]bool
	burst, bursts     int64 // of get_stream lines: see hidden
	threads           int64 // trace trees at the same time
	shared            int64 // lines of trees that can be of several functions
	sizeQueries       int64 // commands of rocSOLVER that are size queries
	getStreams        int64 // get_stream lines
	atomics           [2]int64
	firstCreates      bool         // the log is of rocBLAS 4 and starts with create_handle
	createsLater      bool         // a handle was created after the first call, so the file was not truncated
	version           string       // of rocBLAS, in a header
	format            *files.Other // of a file that is not a log; nil if it may be a log

	recorded map[int]*Handle // of a recording, by number; nil for a log
	listed   *files.Content  // of a file that lists calls; nil for a log

	ordered  bool       // keep steps
	controls lines.Kind // of the last line about a handle
	steps    []step     // calls in their order, if requested
	omitted  int64      // calls missing from steps

	uses

	handles []simulated // for each target
	large   int64       // calls that need more than a new handle has on some target
}

// step is a Step of a file, with the kind of its lines.
type step struct {
	call  *Call
	times int64
	kind  lines.Kind
}

// mostSteps bounds the recorded steps.
const mostSteps = 2_000_000

// hiddenBurst is the number of consecutive get_stream lines that a rocSOLVER call leaves.
const hiddenBurst = 2

// control follows the functions that create, destroy and configure handles.
func (s *session) control(name string, text []byte, lives *int) {
	switch name {
	case "rocblas_create_handle":
		s.create(lives)
	case "rocblas_destroy_handle":
		s.destroys++
		s.live = max(0, s.live-1)
	case "rocblas_get_stream":
		s.getStreams++
		s.burst++
		if s.burst == hiddenBurst {
			s.bursts++
		}
		return
	case "rocblas_get_pointer_mode", "rocblas_set_pointer_mode":
		return
	case "rocblas_set_stream":
		s.setStream(text)
		if len(s.streams) < mostStreams {
			s.streams[string(text)] = true
		}
	}
	s.burst = 0
}

// create begins the life of a handle. A handle created after all others were destroyed starts with the initial memory.
func (s *session) create(lives *int) {
	s.creates++
	s.createsLater = s.createsLater || s.calls > 0 || s.destroys > 0
	s.live++
	s.stream = 0
	s.mostLive = max(s.mostLive, s.live)
	if s.live == 1 && s.creates > 1 {
		s.renew(lives)
		s.recordHandle()
	}
}

func (s *session) renew(lives *int) {
	*lives++
	s.life = *lives
	for i := range s.handles {
		s.handles[i].memory.Held = s.handles[i].memory.Default
	}
}

// call makes a call on the handle of each target. Repeating a call in the same lifetime changes only the bound.
func (s *session) call(c *Call, file In, line int64) {
	if !c.large {
		return
	}
	s.large++
	for i := range s.handles {
		h := &s.handles[i]
		need := c.Needs[i].Bytes
		h.chains.add(need, h.memory.Default)
		if c.life != s.life {
			h.call(need, c, file, line)
		}
	}
	c.life = s.life
}

// severalHandles reports whether several handles may have made the calls. A single handle whose creation is missing
// from the log does not count as several.
func (s *session) severalHandles() bool {
	return s.mostLive > 1 || s.destroys > max(s.creates, 1) || s.threads > 1
}

// handleCount returns the number of handles in the file, at least 1.
func (s *session) handleCount() int64 {
	n := max(s.creates, s.destroys, s.threads, 1)
	if s.creates == 0 {
		n = max(n, int64(len(s.streams)))
	}
	return n
}

// record keeps the order of calls, if requested.
func (s *session) record(c *Call, kind lines.Kind, times int64) {
	switch last := len(s.steps) - 1; {
	case c.key == "" || len(s.steps) >= mostSteps:
		s.omitted += times
	case last >= 0 && s.steps[last].call == c && s.steps[last].kind == kind:
		s.steps[last].times += times
	default:
		s.steps = append(s.steps, step{c, times, kind})
	}
}

// recordHandle records where a handle replaces the only one, if the order was requested.
func (s *session) recordHandle() {
	if s.ordered && len(s.steps) < mostSteps {
		s.steps = append(s.steps, step{nil, 1, s.controls})
	}
}

func (s *session) has(kinds ...lines.Kind) bool {
	return slices.ContainsFunc(kinds, func(k lines.Kind) bool { return s.kinds[k] > 0 })
}

func (s *session) hasSolver() bool { return s.has(lines.SolverBench, lines.SolverTree) }

func (s *session) hasBLAS() bool { return s.has(lines.Trace, lines.Bench, lines.Marker) }

// atOnce returns how many handles were in use at the same time, as far as the file shows it.
func (s *session) atOnce() int64 {
	if !s.severalHandles() {
		return 1
	}
	return max(s.mostLive, s.threads, s.destroys-s.creates, 2)
}
