package analyze

import (
	"roclua/workspace"
	"roclua/workspace/footprint"
)

const listedGrowths = 1000

// Handle is the memory that a handle of a recording needs.
type Handle struct {
	Number int
	Needs  []uint64 // for each target
	Decide []*Call  // that need it; nil for none
	Uses   []*Use   // by stream, in the order of the first call
	memory []simulated
}

// Use is a handle's calls on a stream.
type Use struct {
	Stream int
	Times  map[*Call]int64 // how often each listed call was made
}

// Logged describes the handles of a log, whose lines do not name them.
type Logged struct {
	*Handle
	Name   string // of the file; "logs" for several files that may be of one process
	Count  int64  // handles in use at the same time; each may have made all calls
	Single bool   // the log has the creation of the only handle
}

// simulated is a managed handle on a target that makes every call of a file.
type simulated struct {
	memory  workspace.Growing
	final   uint64
	growths []Growth
	more    int64 // unlisted growths
	chains  chains
}

// Growth is one growth of a managed handle.
type Growth struct {
	File   string `json:"file"`       // its log
	Number int    `json:"-"`          // of the log
	Line   int64  `json:"line"`       // the call that needs more than the handle has
	From   uint64 `json:"from_bytes"` // before
	To     uint64 `json:"to_bytes"`   // after
	Call   *Call  `json:"-"`
}

// call makes a call that needs some bytes.
func (s *simulated) call(need uint64, c *Call, of *session, line int64) {
	from := s.memory.Held
	if !s.memory.Call(need) {
		return
	}
	s.final = max(s.final, s.memory.Held)
	if len(s.growths) < listedGrowths {
		s.growths = append(s.growths, Growth{of.Name, of.number, line, from, s.memory.Held, c})
	} else {
		s.more++
	}
}

func newHandle(number int, targets []footprint.Target) *Handle {
	h := &Handle{Number: number, Needs: make([]uint64, len(targets)), Decide: make([]*Call, len(targets))}
	for _, t := range targets {
		memory := workspace.NewGrowing(t.Profile, t.Arch)
		h.memory = append(h.memory, simulated{memory: memory, final: memory.Held})
	}
	return h
}

// needs counts the needs of a call.
func (h *Handle) needs(c *Call) {
	for i := range h.Needs {
		h.need(i, c.Needs[i].Bytes, c)
	}
}

// need counts the need of a call on a target. A call that is not in the bounded list is not named.
func (h *Handle) need(target int, bytes uint64, c *Call) {
	if bytes <= h.Needs[target] {
		return
	}
	if h.Needs[target], h.Decide[target] = bytes, c; c != nil && c.key == "" {
		h.Decide[target] = nil
	}
}

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

// Together returns all calls as calls in one stream.
func (h *Handle) Together() *Use {
	one := &Use{Times: map[*Call]int64{}}
	for _, u := range h.Uses {
		for c, n := range u.Times {
			one.Times[c] += n
		}
	}
	return one
}

// chains bounds the growths of a handle that makes some of the calls. ends[i] is the smallest need that can end a chain
// of i+1 growths.
type chains struct{ ends []uint64 }

// add adds a call. It can follow a growth only if it needs more than the call that grew, plus the default size.
func (c *chains) add(need, initial uint64) {
	if need <= initial {
		return
	}
	n := 0
	for n < len(c.ends) && c.ends[n]+initial < need {
		n++
	}
	switch {
	case n == len(c.ends):
		c.ends = append(c.ends, need)
	case need < c.ends[n]:
		c.ends[n] = need
	}
}
