package analyze

import (
	"encoding/binary"

	"roclua/host/applog/lines"
	"roclua/host/files"
)

func (r *reader) counted(c *Call, kind lines.Kind, times, line int64) {
	r.burst = 0
	r.session.Calls += times
	if c.key == "" {
		r.notListed.Times += times
	} else if c.counts[kind] += times; c.Line == 0 {
		c.File, c.Line = r.number, line
	}
	if r.Log.ordered {
		r.record(c, kind, times)
	}
	r.use(c, kind, times)
	if kind != lines.Profile && c.Settings.Workspace == 0 && !c.Settings.Captured { // in memory of the library
		r.grow(c, line)
	}
}

// callOf returns the known call that equals one, or a new one. Calls with other settings are not equal.
func (r *reader) callOf(of *lines.Call, s *files.Settings) *Call {
	r.key = pack(r.key, of.Args)
	if d := s.Deciding(); d != (files.Settings{}) {
		bits := byte(d.Atomics + 1)
		for i, set := range []bool{d.Captured, d.OnHost, d.OnDevice, d.XF32, d.HipBLASLt} {
			if set {
				bits |= 4 << i
			}
		}
		r.key = binary.AppendUvarint(append(r.key, bits), d.Workspace)
	}
	c := r.Log.calls[string(r.key)]
	if c == nil {
		c = r.add(r.newCall(of, r.key, s))
	}
	c.Settings.Join(s)
	return c
}

func (r *reader) newCall(c *lines.Call, key []byte, s *files.Settings) *Call {
	return &Call{Routine: c.Args.Routine, Known: c.Known, Needs: r.needs(c, s), Settings: *s, key: string(key)}
}

// add returns the known call with the arguments of c, or c. A call that is not listed loses its key.
func (r *reader) add(c *Call) *Call {
	if known := r.Log.calls[c.key]; known != nil {
		return known
	}
	raises := false // it needs more than any call so far, so it may decide
	for i := range r.targets {
		need := c.Needs[i].Bytes
		raises = raises || need > r.most[i]
		r.most[i] = max(r.most[i], need)
		c.large = c.large || need > r.initial[i]
	}
	if len(r.order) >= mostCalls && (!raises || len(r.order) >= 2*mostCalls) {
		for i := range c.Needs {
			r.notListed.Most[i] = max(r.notListed.Most[i], c.Needs[i].Bytes)
		}
		c.key = ""
		return c
	}
	r.Log.calls[c.key] = c
	r.order = append(r.order, c)
	return c
}

// Step is a call made one or more times in a row, or a new handle.
type Step struct {
	Call  *Call // nil for a handle that replaces the only one
	Times int64
	kind  lines.Kind // of the lines
}

// Order returns the calls in log order, each once even if several kinds of lines describe it, and the number of calls
// omitted beyond the bound. It needs Options.Order.
func (l *Log) Order() (list []Step, missing int64) {
	sessions := l.simulated()
	if len(sessions) == 0 {
		sessions = l.sessions
	}
	for _, s := range sessions {
		missing += s.omitted
		for _, st := range s.steps {
			if !l.describes(st.kind) {
				continue
			}
			if n := len(list); n > 0 && st.Call != nil && list[n-1].Call == st.Call {
				list[n-1].Times += st.Times
			} else {
				list = append(list, st)
			}
		}
	}
	return list, missing
}
