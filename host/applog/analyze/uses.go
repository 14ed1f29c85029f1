package analyze

import (
	"bytes"

	"roclua/host/applog/lines"
)

// uses counts the calls in a file, by stream of its handle.
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
			m = &meaning{state: res.State, name: res.Name, count: res.Count}
		}
		if res.State != lines.Full {
			continue
		}
		if len(r.claimed) == 1 {
			m.call = r.callOf(&res)
			return m
		}
		m.state = lines.Full
		c := newCall(&res, append(pack(nil, res.Call.Args), sharedKey), r.needs(&res.Call))
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
