package analyze

import (
	"bytes"
	"maps"
	"slices"

	"roclua/host/applog/lines"
)

// session is the state of a process's handles according to one file.
type session struct {
	File
	number int // of the file

	creates, destroys int64
	live, mostLive    int64
	burst             int64 // get_stream lines in a row
	threads           int64 // trace trees at the same time
	shared            int64 // lines of trees that can be of several functions
	getStreams        int64 // get_stream lines
	firstCreates      bool  // the log is of rocBLAS 4 and starts with create_handle
	createsLater      bool  // a handle was created after the first call, so the file was not truncated

	recorded map[int]*Handle // of a recording, by number; nil for a log

	ordered  bool       // keep steps
	controls lines.Kind // of the last line about a handle
	steps    []Step     // calls in their order, if requested
	omitted  int64      // calls missing from steps

	stream  int            // of the handle; 0 is the null stream
	streams map[string]int // numbers of streams, by address
	newest  int            // the largest of them
	uses    []map[*Call]*[lines.KindCount]int64

	handle *Handle // makes all calls of a log
	large  int64   // calls that need more than a new handle has on some target
}

// mostStreams bounds the distinguished streams.
const mostStreams = 1000

// mostSteps bounds the recorded steps.
const mostSteps = 2_000_000

// hiddenBurst is the number of consecutive get_stream lines that a rocSOLVER call leaves.
const hiddenBurst = 2

// control follows the functions that create, destroy and configure handles.
func (r *reader) control(name string, text []byte) {
	switch name {
	case "rocblas_create_handle":
		r.create()
	case "rocblas_destroy_handle":
		r.destroys++
		r.live = max(0, r.live-1)
	case "rocblas_get_stream":
		r.getStreams++
		r.burst++
		if r.burst == hiddenBurst {
			r.bursts++
		}
		return
	case "rocblas_get_pointer_mode", "rocblas_set_pointer_mode":
		return
	case "rocblas_set_stream":
		r.setStream(text)
	}
	r.burst = 0
}

// create begins the life of a handle. A handle created after all others were destroyed starts with the initial memory.
func (s *session) create() {
	s.creates++
	s.createsLater = s.createsLater || s.Calls > 0 || s.destroys > 0
	s.live++
	s.stream = 0
	s.mostLive = max(s.mostLive, s.live)
	if s.live == 1 && s.creates > 1 {
		for i := range s.handle.memory {
			m := &s.handle.memory[i].memory
			m.Held = m.Default
		}
		s.recordHandle()
	}
}

// setStream follows a line about a stream: "rocblas_set_stream,0x20,atomics_allowed".
func (s *session) setStream(text []byte) {
	_, address, _ := bytes.Cut(text, []byte(","))
	address, _, _ = bytes.Cut(address, []byte(","))
	n, ok := s.streams[string(address)]
	if !ok && len(s.streams) < mostStreams {
		if len(bytes.Trim(address, "0x")) > 0 { // it is not the null stream
			s.newest++
			n = s.newest
		}
		s.streams[string(address)] = n
	}
	s.stream = n
}

// use counts lines about a call.
func (s *session) use(c *Call, kind lines.Kind, times int64) {
	for len(s.uses) <= s.stream {
		s.uses = append(s.uses, map[*Call]*[lines.KindCount]int64{})
	}
	counts := s.uses[s.stream][c]
	if counts == nil {
		s.handle.needs(c)
		if counts = new([lines.KindCount]int64); c.key != "" {
			s.uses[s.stream][c] = counts
		}
	}
	counts[kind] += times
}

// grow makes a call on the handle of each target.
func (s *session) grow(c *Call, line int64) {
	if !c.large {
		return
	}
	s.large++
	for i := range s.handle.memory {
		h, need := &s.handle.memory[i], c.Needs[i].Bytes
		h.chains.add(need, h.memory.Default)
		h.call(need, c, s, line)
	}
}

// handles returns the handles that made calls: the only one of a log, or the ones of a recording, by number.
func (s *session) handles() []*Handle {
	if s.recorded == nil {
		return []*Handle{s.handle}
	}
	return slices.SortedFunc(maps.Values(s.recorded), func(a, b *Handle) int { return a.Number - b.Number })
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
	case last >= 0 && s.steps[last].Call == c && s.steps[last].kind == kind:
		s.steps[last].Times += times
	default:
		s.steps = append(s.steps, Step{c, times, kind})
	}
}

// recordHandle records where a handle replaces the only one, if the order was requested.
func (s *session) recordHandle() {
	if s.ordered && len(s.steps) < mostSteps {
		s.steps = append(s.steps, Step{nil, 1, s.controls})
	}
}

func (s *session) has(kinds ...lines.Kind) bool {
	return slices.ContainsFunc(kinds, func(k lines.Kind) bool { return s.Kinds[k] > 0 })
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
