package analyze

import (
	"cmp"
	"slices"

	"roclua/host/applog/lines"
	"roclua/workspace"
)

// Answer analyzes the logs read so far.
func (l *Log) Answer() *Answer {
	l.setTimes()
	l.markQueries()
	a := &Answer{Calls: l.merged(), NotListed: l.notListed}
	for _, s := range l.sessions {
		a.Files = append(a.Files, s.File)
	}
	a.NotModeled, a.Cut, a.Empty = l.list(lines.Unknown), l.list(lines.Cut), l.list(lines.Empty)
	for i := range l.targets {
		a.Targets = append(a.Targets, l.target(i, a))
	}
	slices.SortStableFunc(a.Calls, func(x, y *Call) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	a.ByLine = slices.Clone(a.Calls)
	slices.SortStableFunc(a.Calls, func(x, y *Call) int { return cmp.Compare(y.Needs[0].Bytes, x.Needs[0].Bytes) })
	for i := range a.Targets {
		a.Targets[i].Defects = a.defects(&a.Targets[i])
	}
	a.Logs = l.logs(a)
	a.Matmuls, _ = l.matmuls.list()
	a.Notes = l.notes(a)
	return a
}

// list returns the functions whose lines are not calls for a reason.
func (l *Log) list(state lines.State) []Function {
	list := []Function{}
	for of, f := range l.functions {
		if of.state == state {
			list = append(list, *f)
		}
	}
	slices.SortFunc(list, func(x, y Function) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Kind, y.Kind))
	})
	return list
}

func (l *Log) target(i int, a *Answer) Target {
	t := Target{Target: l.targets[i], Missing: l.missing(a, i)}
	t.Bytes, t.Decides = largest(a, i, l.notListed.Most[i], func(*Call) bool { return true })
	if t.Decides != nil && t.Decides.MayBeQuery {
		t.ExecutedBytes, t.ExecutedDecides = largest(a, i, l.notListed.Most[i],
			func(c *Call) bool { return !c.MayBeQuery })
	}
	for _, c := range a.Calls {
		if !c.Needs[i].Known() {
			t.Unknown++
		}
	}
	t.Managed = l.managed(i)
	t.Managed.Exact = t.Managed.Exact && t.Unknown == 0 && !l.atMost(i) && !l.mayQuery() &&
		len(a.NotModeled)+len(a.Cut) == 0
	return t
}

// largest returns the largest need of some calls on target i, unlisted calls included, and the first call that has
// this need.
func largest(a *Answer, i int, unlisted uint64, of func(*Call) bool) (bytes uint64, decides *Call) {
	bytes = unlisted
	for _, c := range a.Calls {
		n := c.Needs[i].Bytes
		earlier := decides == nil || c.File < decides.File || c.File == decides.File && c.Line < decides.Line
		if of(c) && (n > bytes || n > 0 && n == bytes && earlier) {
			bytes, decides = n, c
		}
	}
	return bytes, decides
}

// atMost reports whether only an upper bound is known for a call that could grow a handle.
func (l *Log) atMost(i int) bool {
	return slices.ContainsFunc(l.order, func(c *Call) bool { return c.Needs[i].AtMost && c.large })
}

// managed collects the growths of the handles of all processes.
func (l *Log) managed(i int) Managed {
	m := Managed{Growths: []Growth{}, Initial: workspace.NewGrowing(l.targets[i].Profile, l.targets[i].Arch).Default}
	m.Final = m.Initial
	if l.targets[i].Profile.Release.ManagedStreamOrdered {
		m.Exact = true
		return m // its handles never grow
	}
	together := l.simulated()
	m.Exact = len(together) > 0 && !l.hidden() && !l.onlyCounted() && !l.withoutSizes()
	for _, s := range together {
		handles := s.handleCount()
		several := s.severalHandles() || handles > 1 && s.creates == 0
		for _, h := range s.handles() {
			h := &h.memory[i]
			m.Final = max(m.Final, h.final)
			m.Growths = append(m.Growths, h.growths...)
			m.More += h.more
			if several {
				m.Most += min(handles*int64(len(h.chains.ends)), s.large)
			} else {
				m.Most += int64(len(h.growths)) + h.more
			}
		}
		m.Exact = m.Exact && !several && (s.creates > 0 || !s.hasBLAS())
	}
	slices.SortStableFunc(m.Growths, func(a, b Growth) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Line, b.Line))
	})
	solver := slices.ContainsFunc(together, func(s *session) bool { return s.hasSolver() && !s.hasBLAS() })
	if solver && len(together) > 1 {
		m.Exact = false
	}
	return m
}
