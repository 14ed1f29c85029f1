package host

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/luabind"
)

// book is the baselines of a run, by the path of their files.
type book struct {
	files map[string]*baseline.File
}

// openBook reads the baselines of the cases.
func openBook(cases []*plannedCase) (*book, error) {
	b := &book{files: map[string]*baseline.File{}}
	for _, c := range cases {
		if c.baseline == "" || b.files[c.baseline] != nil {
			continue
		}
		f, err := baseline.Read(c.baseline)
		if err != nil {
			return nil, err
		}
		b.files[c.baseline] = f
	}
	return b, nil
}

// baselineFile is the file that keeps what a scenario measured: one of its own name in the configured folder, or the configured
// file.
func (sc *scenario) baselineFile(cfg *config.Config) string {
	path := cmp.Or(sc.settings.Baseline, cfg.Baseline)
	if path == "" {
		return ""
	}
	if filepath.Ext(path) != ".toml" {
		path = filepath.Join(path, filepath.FromSlash(sc.name)+".toml")
	}
	return cfg.Path(path)
}

// tolerances are the whole run's and the scenario's own, which come first.
func (sc *scenario) tolerances(cfg *config.Config) (baseline.Tolerances, error) {
	all := baseline.Tolerances{}
	for _, texts := range []map[string]string{cfg.Tolerance, sc.settings.Tolerance} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			t, err := baseline.ParseTolerance(texts[name])
			if err != nil {
				return nil, fmt.Errorf("tolerance: %s: %w", name, err)
			}
			all[name] = t
		}
	}
	return all, nil
}

// timeUnits are the units of metrics that never repeat exactly. They are no matter for a baseline; compare sets them side by
// side.
var timeUnits = map[string]float64{"s": 1, "seconds": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}

// kept are the values of a case that a baseline keeps: everything but times, and sums of what it keeps already.
func kept(r *luabind.Record) baseline.Values {
	if r.Skipped != "" {
		return baseline.Values{baseline.Skipped: r.Skipped}
	}
	v := baseline.Values(values(r))
	for _, name := range []string{"seconds", "hip.total", "syncs.total"} {
		delete(v, name)
	}
	for name := range v {
		if strings.HasPrefix(name, "status.") && strings.Count(name, ".") == 1 {
			delete(v, name)
		}
	}
	for _, m := range r.Metrics {
		if _, timed := timeUnits[m.Unit]; timed {
			delete(v, m.Name)
		} else {
			v[m.Name] = m.Value
		}
	}
	return v
}

// compare holds a case against its baseline. One that did not come to its end has nothing to compare.
func (b *book) compare(r *result) {
	if b == nil || r.baseline == "" || r.record.End != nil || !r.record.Passed() {
		return
	}
	before, ok := b.files[r.baseline].Cases[r.id]
	if !ok {
		r.changes = []baseline.Change{{Kind: baseline.New, Case: r.id}}
		return
	}
	after := kept(r.record)
	if before[baseline.Skipped] != nil || after[baseline.Skipped] != nil { // then one line says it all
		before, after = baseline.Values{baseline.Skipped: ran(before)}, baseline.Values{baseline.Skipped: ran(after)}
	}
	r.changes = baseline.Differences(baseline.Compare(r.id, before, after, r.within))
}

// ran says of a case why it was skipped, or that it was not.
func ran(v baseline.Values) any {
	if reason, ok := v[baseline.Skipped]; ok {
		return reason
	}
	return false
}

// gone lists the cases of the baselines that a whole run has no more.
func (b *book) gone(results []*result) []baseline.Change {
	have := map[string]bool{}
	for _, r := range results {
		have[r.id] = true
	}
	var list []baseline.Change
	for _, path := range slices.Sorted(maps.Keys(b.files)) {
		for _, id := range slices.Sorted(maps.Keys(b.files[path].Cases)) {
			if !have[id] {
				list = append(list, baseline.Change{Kind: baseline.Gone, Case: id})
			}
		}
	}
	return list
}

// update takes over what the cases that passed measured, and writes the files that changed. It says what it did.
func (b *book) update(results []*result, gone []baseline.Change) (string, error) {
	var told strings.Builder
	changed := map[string]bool{}
	left := 0
	for _, r := range results {
		switch {
		case r.baseline == "":
		case r.outcome() != passed && r.outcome() != skippedCase:
			left++
		default:
			f := b.files[r.baseline]
			after := kept(r.record)
			moved := baseline.Differences(baseline.Compare(r.id, f.Cases[r.id], after, r.within))
			if f.Cases[r.id] != nil && len(moved) == 0 {
				continue
			}
			if f.Cases[r.id] == nil {
				fmt.Fprintf(&told, "  new      %s\n", r.id)
			}
			for _, c := range moved {
				if f.Cases[r.id] != nil {
					fmt.Fprintf(&told, "  changed  %s\n             %s\n", r.id, c)
				}
			}
			f.Cases[r.id], changed[r.baseline] = after, true
		}
	}
	for _, c := range gone {
		fmt.Fprintf(&told, "  gone     %s\n", c.Case)
		for path, f := range b.files {
			if _, ok := f.Cases[c.Case]; ok {
				delete(f.Cases, c.Case)
				changed[path] = true
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		if err := b.files[path].Write(); err != nil {
			return "", err
		}
	}
	text := fmt.Sprintf("baselines: %d of %d file%s written\n%s", len(changed), len(b.files), plural(len(b.files)), told.String())
	if left > 0 {
		text += fmt.Sprintf("  %d case%s did not pass and stay%s as before\n", left, plural(left), map[bool]string{true: "s", false: ""}[left == 1])
	}
	return text, nil
}
