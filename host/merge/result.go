package merge

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// build lists the cases of the plan.
func (m *Merge) build() error {
	first := m.Files[0]
	outline := first.Begin.Plan.Outline
	err := outline.Restore()
	if err == nil {
		m.Cases, _, err = outline.Cases(plan.Shard{})
	}
	if err != nil {
		return fmt.Errorf("%s: the plan cannot be read: %w", first.Path, err)
	}
	m.Whole, m.found = outline.IsWhole(), make([]*recorded, len(m.Cases))
	if m.Config, err = config.FromJSON(first.Begin.Plan.Config); err != nil {
		return fmt.Errorf("%s: the configuration cannot be read: %w", first.Path, err)
	}
	return nil
}

func (m *Merge) warnDamaged(f *File, damaged []int, unknown int) {
	if len(damaged) > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s:%d: %s cannot be read and %s left out", f.Path, damaged[0],
			units.Count(len(damaged), "line"), isOrAre(len(damaged))))
	}
	if unknown > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s: %s %s not in the plan and left out", f.Path,
			units.Count(unknown, "case"), isOrAre(unknown)))
	}
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lost returns the result of a case that no shard has run.
func (m *Merge) lost(c *plan.Case) *result.Result {
	lost := &record.Record{End: &record.End{Kind: record.EndLost, Message: "no shard has run the case"}}
	return &result.Result{Case: &c.Case, Record: lost, Started: m.Files[0].Begin.Started, HistoryMissing: true}
}

// recorded is a result of a case, as one attempt recorded it. The store has the whole of it.
type recorded struct {
	*File
	result *result.Result
}

func (m *Merge) add(i int, f *File, l *result.Line) error {
	if l.Outcome == result.Lost { // of an earlier merge, which knew of no shard with the case
		return nil
	}
	if err := m.checkModules(f, l.Required); err != nil {
		return err
	}
	r := events.Restored(m.Cases[i], l)
	r.UncheckKnownFailure()
	r.Record.Required = nil // the modules may not be on this machine
	next := &recorded{f, r}
	if have := m.found[i]; have != nil {
		var err error
		if next, err = m.which(have, next); err != nil {
			return err
		}
	}
	m.found[i] = next
	m.store.Put(next.result)
	return nil
}

// checkModules reports a module that has changed between two cases.
func (m *Merge) checkModules(f *File, required map[string]string) error {
	for path, digest := range required {
		if have, known := m.modules[path]; !known {
			m.modules[path] = module{digest, f.Path}
		} else if have.digest != digest {
			return fmt.Errorf("the events are of different runs:\n  %s: has changed\nwas in %s, is in %s", path,
				have.file, f.Path)
		}
	}
	return nil
}

// which returns the one of two results that counts. A case that was unfinished and then ran counts once. Two that
// ended with different results are a failure of the case.
func (m *Merge) which(a, b *recorded) (*recorded, error) {
	switch {
	case a.result.Outcome().IsUnfinished():
		return b, nil
	case b.result.Outcome().IsUnfinished():
		return a, nil
	}
	whole, err := m.store.Full(a.result)
	if err != nil {
		return nil, err
	}
	a = &recorded{a.File, whole}
	if text := contradiction(a, b); text != "" {
		whole.Record.Problems = append(whole.Record.Problems, text)
	}
	return a, nil
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

// failures lists the problems and failed checks of a case.
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
