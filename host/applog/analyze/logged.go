package analyze

import (
	"bytes"
	"slices"

	"roclua/host/applog/lines"
)

// Logged is what a log shows about its handles. A line does not name its handle.
type Logged struct {
	*Handle
	Name   string // of the file; "logs" for several files that may be of one process
	Count  int64  // handles in use at the same time, each of which may have made all calls
	Single bool   // the log has the creation of the only handle
}

// uses counts the calls of a file, by stream of its handle.
type uses struct {
	stream  int            // of the handle; 0 is the null stream
	numbers map[string]int // of streams, by address
	lists   []map[*Call]*[lines.KindCount]int64
	needs   []uint64 // for each target
	decide  []*Call
}

// mostStreams bounds the distinguished streams.
const mostStreams = 1000

// setStream follows a line about a stream: "rocblas_set_stream,0x20,atomics_allowed".
func (u *uses) setStream(text []byte) {
	_, address, _ := bytes.Cut(text, []byte(","))
	address, _, _ = bytes.Cut(address, []byte(","))
	if u.stream = 0; len(bytes.Trim(address, "0x")) == 0 {
		return
	}
	n, ok := u.numbers[string(address)]
	if !ok && len(u.numbers) < mostStreams {
		if u.numbers == nil {
			u.numbers = map[string]int{}
		}
		n = len(u.numbers) + 1
		u.numbers[string(address)] = n
	}
	u.stream = n
}

// add counts lines about a call.
func (u *uses) add(c *Call, kind lines.Kind, times int64) {
	for len(u.lists) <= u.stream {
		u.lists = append(u.lists, nil)
	}
	calls := u.lists[u.stream]
	if calls == nil {
		calls = map[*Call]*[lines.KindCount]int64{}
		u.lists[u.stream] = calls
	}
	counts := calls[c]
	if counts == nil {
		if counts = new([lines.KindCount]int64); c.key != "" {
			calls[c] = counts
		}
		for i, n := range c.Needs {
			if n.Bytes > u.needs[i] {
				u.needs[i], u.decide[i] = n.Bytes, listedCall(c)
			}
		}
	}
	counts[kind] += times
}

// listedCall returns a call; nil if it is not in the bounded list.
func listedCall(c *Call) *Call {
	if c.key == "" {
		return nil
	}
	return c
}

// logs returns the handles of the logs: of each file, or of all files together if these may be of one process.
func (l *Log) logs(a *Answer) []*Logged {
	var files []*session
	for _, s := range l.sessions {
		if s.recorded == nil && s.calls > 0 {
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

// logged returns what a file shows about its handles. The log does not divide the calls of several handles.
func (s *session) logged(a *Answer) *Logged {
	g := &Logged{Handle: &Handle{Needs: s.needs, Decide: s.decide, memory: s.handles}, Name: s.name, Count: s.atOnce()}
	several := g.Count > 1
	g.Single = s.creates == 1 && !several && !s.firstCreates
	for _, c := range a.Calls {
		for stream, calls := range s.lists {
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

// atOnce returns how many handles were in use at the same time, as far as the file shows it.
func (s *session) atOnce() int64 {
	if !s.severalHandles() {
		return 1
	}
	return max(s.mostLive, s.threads, s.destroys-s.creates, 2)
}

// Together returns all calls as calls of one stream.
func (h *Handle) Together() *Use {
	one := &Use{Times: map[*Call]int64{}}
	for _, u := range h.Uses {
		for c, n := range u.Times {
			one.Times[c] += n
		}
	}
	return one
}

// joined returns one handle that makes the calls of all files.
func (l *Log) joined(a *Answer, files []*session) *Logged {
	g := &Logged{Handle: newHandle(0, l), Name: "logs", Count: 1}
	for _, s := range files {
		g.Count = max(g.Count, s.atOnce())
		for i, need := range s.needs {
			if need > g.Needs[i] {
				g.Needs[i], g.Decide[i] = need, s.decide[i]
			}
			g.memory[i].final = max(g.memory[i].final, s.handles[i].final)
		}
	}
	for _, c := range a.Calls {
		if times := c.Times - c.counts[lines.Recorded]; times > 0 {
			g.use(0).Times[c] = times
		}
	}
	return g
}
