package analyze

import (
	"slices"

	"roclua/host/applog/lines"
)

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

// joined returns one handle that makes the calls of all files.
func (l *Log) joined(a *Answer, files []*session) *Logged {
	g := &Logged{Handle: newHandle(0, l.targets), Name: "logs", Count: 1}
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
