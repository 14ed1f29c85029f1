package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// build lists the cases of the plan, and where each is.
func (m *Merge) build() error {
	m.identity = m.Files[0].Begin.Plan
	outline := m.identity.Outline
	if err := outline.Restore(); err != nil {
		return fmt.Errorf("%s: the plan cannot be read: %w", m.Files[0].Path, err)
	}
	var err error
	if m.Cases, err = outline.Cases(); err != nil {
		return fmt.Errorf("%s: the plan cannot be read: %w", m.Files[0].Path, err)
	}
	m.Whole = outline.IsWhole()
	if m.Config, err = config.FromJSON(m.identity.Config); err != nil {
		return fmt.Errorf("%s: the configuration cannot be read: %w", m.Files[0].Path, err)
	}
	index, err := m.Cases.Index(seed)
	if err != nil {
		return err
	}
	m.places = make([]place, m.Cases.Len())
	for i, f := range m.Files {
		unknown := 0
		for _, c := range f.found {
			position, ok := index.FindHash(c.hash)
			if !ok {
				unknown++
				continue
			}
			at := place{int32(i + 1), c.size, c.offset}
			if m.places[position].file == 0 {
				m.places[position] = at
			} else {
				m.more[int32(position)] = append(m.more[int32(position)], at)
			}
		}
		f.found = nil
		m.warnDamaged(f, unknown)
	}
	m.compareDevices()
	return nil
}

func (m *Merge) warnDamaged(f *File, unknown int) {
	if len(f.torn) > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s:%d: %s cannot be read and %s left out", f.Path, f.torn[0],
			count(len(f.torn), "line"), isOrAre(len(f.torn))))
	}
	if unknown > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s: %s %s not in the plan and left out", f.Path,
			count(unknown, "case"), isOrAre(unknown)))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// read is a case and its result, and what Each checks in the order of the cases.
type read struct {
	*plan.Case
	result   *result.Result
	err      error
	attempts []*recorded // that have the case
	warnings []string
}

// read returns a case of the plan, counted from 0, and its result. A case that no shard has run is Lost.
func (m *Merge) read(i int) (out read) {
	out.Case = m.Cases.Case(i)
	var have *recorded
	for _, at := range append([]place{m.places[i]}, m.more[int32(i)]...) {
		if at.file == 0 {
			continue
		}
		line := make([]byte, at.size)
		f := m.Files[at.file-1]
		if _, err := f.file.ReadAt(line, at.offset); err != nil {
			out.err = fmt.Errorf("%s: the events cannot be read: %w", f.Path, err)
			return out
		}
		if have != nil && bytes.Equal(line, have.line) {
			continue // an attempt repeats the results of earlier ones
		}
		next, err := restore(out.Case, f, line)
		if err != nil {
			out.warnings = append(out.warnings, fmt.Sprintf("%s: the line of %s cannot be read and is left out", f.Path,
				out.ID))
		}
		if next != nil {
			out.attempts = append(out.attempts, next)
		}
		have = have.with(next)
	}
	if have == nil {
		lost := &record.Record{End: &record.End{Kind: record.EndLost, Message: "no shard has run the case"}}
		out.result = &result.Result{Case: &out.Case.Case, Record: lost, Started: m.Files[0].Begin.Started,
			HistoryMissing: true}
		return out
	}
	out.result = have.result
	return out
}

// recorded is a result of a case, as one attempt recorded it.
type recorded struct {
	*File
	line     []byte
	result   *result.Result
	required map[string]string // digests of the files that require looked at
}

// restore reads the line of a case; nil when it is of an earlier merge, which knew of no shard with the case.
func restore(c *plan.Case, f *File, line []byte) (*recorded, error) {
	e, err := result.DecodeLine(line)
	if err != nil {
		return nil, err
	}
	if e.ID != c.ID {
		return nil, fmt.Errorf("the line is of case %s", e.ID)
	}
	if e.Outcome == result.Lost {
		return nil, nil
	}
	r := events.Restored(c, e)
	r.UncheckKnownFailure()
	r.Record.Required = nil // the modules may not be on this machine
	return &recorded{f, line, r, e.Required}, nil
}

// checkModules reports a module that has changed between two cases.
func (m *Merge) checkModules(a *recorded) error {
	for path, digest := range a.required {
		if have, known := m.modules[path]; !known {
			m.modules[path] = module{digest, a.Path}
		} else if have.digest != digest {
			return fmt.Errorf("the events are of different runs:\n  %s: has changed\nwas in %s, is in %s", path,
				have.file, a.Path)
		}
	}
	return nil
}

// with returns the one of two results that counts. A case that was unfinished and then ran counts once. Two that
// ended with different results are a failure of the case.
func (a *recorded) with(b *recorded) *recorded {
	switch {
	case b == nil:
		return a
	case a == nil, a.result.Outcome().IsUnfinished():
		return b
	case b.result.Outcome().IsUnfinished():
		return a
	}
	if text := contradiction(a, b); text != "" {
		a.result.Record.Problems = append(a.result.Record.Problems, text)
	}
	return a
}

// contradiction describes how two results of a case differ, except for times; "" when they do not.
func contradiction(a, b *recorded) string {
	x, y := a.result, b.result
	var list []string
	if x.Outcome() != y.Outcome() {
		list = append(list, fmt.Sprintf("%s and %s", x.Outcome(), y.Outcome()))
	}
	v, w := result.BaselineValues(x.Record), result.BaselineValues(y.Record)
	for _, d := range baseline.Differences(baseline.Compare(x.ID, v, w, nil)) {
		list = append(list, d.String())
	}
	if len(list) == 0 && !reflect.DeepEqual(failures(x), failures(y)) {
		list = append(list, "different problems")
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s and %s have different results of the case: %s", a.Path, b.Path, strings.Join(list, "; "))
}

// failures lists what failed in a case.
func failures(r *result.Result) []string {
	list := append([]string{}, r.Record.Problems...)
	for _, c := range r.Record.Checks {
		if !c.Passed {
			list = append(list, c.Where+c.Text)
		}
	}
	return list
}

// compareDevices warns when shards ran on different devices, or with different libraries.
func (m *Merge) compareDevices() {
	first := devices(m.Files[0])
	for _, f := range m.Files[1:] {
		if other := devices(f); other != first {
			m.Warnings = append(m.Warnings, fmt.Sprintf("the shards ran on different devices: %s in %s, %s in %s",
				cmp.Or(first, "none"), m.Files[0].Path, cmp.Or(other, "none"), f.Path))
			return
		}
	}
}

// devices describes the devices of a file and their libraries.
func devices(f *File) string {
	var list []string
	if f.Begin.Environment == nil {
		return ""
	}
	for _, p := range f.Begin.Environment.Platforms {
		for _, d := range p.Devices {
			list = append(list, fmt.Sprintf("%s (%s)", d.Name, d.Arch))
		}
		for _, l := range p.Libraries {
			if l.Version != "" {
				list = append(list, l.Name+" "+l.Version)
			}
		}
	}
	return strings.Join(list, ", ")
}
