package analyze

import "roclua/workspace"

// Handle is what one handle of a recording needs.
type Handle struct {
	Number int
	Needs  []uint64 // for each target
	Decide []*Call  // that need it; nil for none
	Uses   []*Use   // by stream, in the order of the first call
	memory []simulated
}

// Use is the calls of a handle on a stream.
type Use struct {
	Stream int
	Times  map[*Call]int64 // how often each listed call was made
}

func newHandle(number int, l *Log) *Handle {
	h := &Handle{Number: number, Needs: make([]uint64, len(l.targets)), Decide: make([]*Call, len(l.targets))}
	for _, t := range l.targets {
		memory := workspace.NewGrowing(t.Profile, t.Arch)
		h.memory = append(h.memory, simulated{memory: memory, final: memory.Held})
	}
	return h
}

// call makes a call on the handle of each target.
func (h *Handle) call(c *Call, file int, line int64) {
	for i := range h.memory {
		m, need := &h.memory[i], c.Needs[i].Bytes
		if need > h.Needs[i] {
			h.Needs[i], h.Decide[i] = need, c
		}
		from := m.memory.Held
		if !m.memory.Call(need) {
			continue
		}
		m.final = max(m.final, m.memory.Held)
		if len(m.growths) < listedGrowths {
			m.growths = append(m.growths, Growth{file, line, from, m.memory.Held, c})
		} else {
			m.more++
		}
	}
}

// use returns the calls on a stream.
func (h *Handle) use(stream int) *Use {
	for _, u := range h.Uses {
		if u.Stream == stream {
			return u
		}
	}
	u := &Use{stream, map[*Call]int64{}}
	h.Uses = append(h.Uses, u)
	return u
}

// Managed returns the memory that the handle would hold on a target if the library managed it.
func (h *Handle) Managed(target int) uint64 { return h.memory[target].final }

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

// Logged is what a log shows about its handles. A line does not name its handle.
type Logged struct {
	*Handle
	Name   string // of the file; "logs" for several files that may be of one process
	Count  int64  // handles in use at the same time, each of which may have made all calls
	Single bool   // the log has the creation of the only handle
}
