package analyze

import (
	"roclua/host/applog/lines"
	"roclua/host/files"
)

// noSettings are the settings of the calls in logs and recordings, which do not show them.
var noSettings = &files.Settings{}

// sharedKey ends the key of a call that may be of another function.
const sharedKey = 0xff

// arguments reads a line with arguments in a trace tree. If it can be of several functions, the meaning is a call of
// the one that needs most on the first target, with the largest needs of all on the others.
func (r *reader) arguments(p lines.Piece) *meaning {
	var m *meaning
	var most *Call
	differs := false
	for _, name := range r.claimed {
		res := r.parser.ArgumentsOf(name, p)
		if m == nil {
			m = &meaning{Result: res}
		}
		if res.State != lines.Full {
			continue
		}
		if len(r.claimed) == 1 {
			m.call = r.callOf(&res.Call, noSettings)
			return m
		}
		m.State = lines.Full
		c := r.newCall(&res.Call, append(pack(nil, res.Call.Args), sharedKey), noSettings)
		if most == nil {
			most = c
			continue
		}
		differs = most.join(c) || differs
	}
	if most != nil {
		m.call = r.add(most)
		m.call.shared = true
		for i := range m.call.Needs {
			m.call.Needs[i].AtMost = m.call.Needs[i].AtMost || differs
		}
	}
	return m
}

// join makes c the call of the two that needs more on the first target, with the larger needs. It reports whether they
// differ.
func (c *Call) join(other *Call) (differs bool) {
	if other.Needs[0].Bytes > c.Needs[0].Bytes {
		*c, *other = *other, *c
	}
	for i := range c.Needs {
		differs = differs || c.Needs[i].Bytes != other.Needs[i].Bytes
		if other.Needs[i].Bytes > c.Needs[i].Bytes {
			c.Needs[i] = other.Needs[i]
		}
	}
	return differs
}
