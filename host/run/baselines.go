package run

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/baseline"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Baselines are the baseline files of a run. A nil *Baselines has none.
type Baselines struct {
	files map[string]*baseline.File // by path
	added int                       // cases that an update has added
}

// mostAdded is how many of the cases that an update added it lists.
const mostAdded = 20

// OpenBaselines reads baselines, and all others in folders. A file that does not exist is an empty baseline.
func OpenBaselines(paths []string, folders ...string) (*Baselines, error) {
	b := &Baselines{files: map[string]*baseline.File{}}
	for _, path := range paths {
		f, err := baseline.Read(path)
		if err != nil {
			return nil, err
		}
		b.files[path] = f
	}
	for _, folder := range folders {
		if err := baseline.Below(folder, b.files); err != nil {
			return nil, err
		}
	}
	for _, f := range b.files {
		escape.Clean(&f.Cases) // as the results, with which they are compared
		escape.Clean(&f.Numbers)
	}
	return b, nil
}

// Paths lists the files, sorted.
func (b *Baselines) Paths() []string {
	if b == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(b.files))
}

// IsEmpty reports whether no case has a baseline.
func (b *Baselines) IsEmpty() bool { return b == nil || len(b.files) == 0 }

// Compare compares a case with its baseline and sets the changes of its result. A case that ended early or failed is
// not compared.
func (b *Baselines) Compare(c *plan.Case, r *result.Result) {
	if b == nil || c.Baseline == "" || r.Record.End != nil || !r.Record.Passed() {
		return
	}
	before, ok := b.files[c.Baseline].Cases[r.ID]
	if !ok { // repetitions that the baseline does not have compare with the first
		before, ok = b.files[c.Baseline].Cases[c.First]
	}
	if !ok {
		r.Changes = []baseline.Change{{Kind: baseline.New, Case: r.ID}}
		return
	}
	after := baselined(r.Record)
	for i := range r.Record.Measurements {
		m := &r.Record.Measurements[i]
		if median, ok := before[m.Name+baseline.MedianOf].(float64); ok {
			noise, _ := before[m.Name+baseline.NoiseOf].(float64)
			m.Baseline = &record.BaselineTime{Median: median, Noise: noise}
		}
	}
	if before[baseline.Skipped] != nil || after[baseline.Skipped] != nil { // one line is enough then
		before = baseline.Values{baseline.Skipped: skipReason(before)}
		after = baseline.Values{baseline.Skipped: skipReason(after)}
	}
	r.Changes = baseline.Differences(baseline.Compare(r.ID, before, after, tolerances(c, r, before, after)))
}

// baselined returns the values of a case that its baseline has, times of measurements that are not simulated included.
func baselined(r *record.Record) baseline.Values {
	v := result.BaselineValues(r)
	for _, m := range r.Measurements {
		if !m.Simulated && !r.WasSkipped() {
			v[m.Name+baseline.MedianOf], v[m.Name+baseline.NoiseOf] = m.Device.Median, m.Noise
		}
	}
	return v
}

// tolerances returns how far the values of a case may move.
func tolerances(c *plan.Case, r *result.Result, before, after baseline.Values) baseline.Tolerances {
	var names []string
	for _, m := range r.Record.Measurements {
		names = append(names, m.Name)
	}
	return c.Tolerances.WithResiduals(result.Residuals(r.Record)).WithMeasurements(names, before, after)
}

// skipReason is the reason why a case was skipped, or false.
func skipReason(v baseline.Values) any {
	if reason, ok := v[baseline.Skipped]; ok {
		return reason
	}
	return false
}

// Gone lists the cases of the baselines that a whole run does not have.
func (b *Baselines) Gone(cases plan.List) []baseline.Change {
	if b.IsEmpty() {
		return nil
	}
	known := map[string]bool{}
	for _, c := range cases {
		known[c.ID] = true
	}
	var list []baseline.Change
	for _, path := range b.Paths() {
		for _, id := range slices.Sorted(maps.Keys(b.files[path].Cases)) {
			if !known[id] {
				list = append(list, baseline.Change{Kind: baseline.Gone, Case: id})
			}
		}
	}
	return list
}

// Otherwise describes the baselines of changed cases whose rounding errors depend on other libraries than
// the run's, which numbers names by platform.
func (b *Baselines) Otherwise(numbers map[string]string, changed []*plan.Case) []string {
	var list []string
	for _, c := range changed {
		was, is := b.files[c.Baseline].Numbers[c.Platform], numbers[c.Platform]
		if was == "" || is == "" || was == is {
			continue
		}
		text := fmt.Sprintf("the numbers of %s depend on %s; this run computes with %s", c.Baseline, was, is)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Each calls f with each case of a run and its whole result, and returns the first error.
type Each func(f func(c *plan.Case, r *result.Result) error) error

// Update stores the values of the cases that passed or were skipped, removes the cases that are gone, and writes the
// files that changed. It returns a description of the changes, and the errors of the files that it could not write.
// numbers are the libraries that decide the rounding errors of each platform. Runs that update one file do so one after
// the other, and each reads the changes of the others.
func (b *Baselines) Update(s atomicfile.System, each Each, gone []baseline.Change, numbers map[string]string,
) (string, error) {
	unlock, err := b.lock()
	defer unlock()
	if err != nil {
		return "", err
	}
	now, err := OpenBaselines(b.Paths())
	if err != nil {
		return "", err
	}
	b.files = now.files
	var log strings.Builder
	changed := map[string]bool{}
	kept := 0
	err = each(func(c *plan.Case, r *result.Result) error {
		switch {
		case c.Baseline == "" || b.sharesBaseline(c):
		case r.Outcome() != result.Passed && r.Outcome() != result.Skipped: // a flaky case keeps its values
			kept++
		case b.store(&log, c, r):
			changed[c.Baseline] = true
			b.files[c.Baseline].SetNumbers(c.Platform, c.ID, numbers[c.Platform])
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if rest := b.added - mostAdded; rest > 0 {
		fmt.Fprintf(&log, "  new      %s more\n", units.Count(rest, "case"))
	}
	for _, g := range gone {
		fmt.Fprintf(&log, "  gone     %s\n", g.Case)
		for path, f := range b.files {
			if _, ok := f.Cases[g.Case]; ok {
				delete(f.Cases, g.Case)
				changed[path] = true
			}
		}
	}
	written := 0
	var failed []error
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		if err := b.files[path].Write(s); err != nil {
			failed = append(failed, err)
			continue
		}
		written++
	}
	text := fmt.Sprintf("baselines: %d of %s written\n%s", written, units.Count(len(b.files), "file"), &log)
	switch {
	case kept == 1:
		text += "  1 case did not pass and stays as before\n"
	case kept > 1:
		text += fmt.Sprintf("  %d cases did not pass and stay as before\n", kept)
	}
	return text, errors.Join(failed...)
}

// waitForUpdate is how long an update waits for another one.
const waitForUpdate = time.Minute

// lock locks the folders of the files, since a file is replaced when it is written.
func (b *Baselines) lock() (unlock func(), err error) {
	var folders []*os.File
	unlock = func() {
		for _, f := range folders {
			f.Close()
		}
	}
	locked := map[string]bool{}
	for _, path := range b.Paths() { // all runs in one order
		folder := filepath.Dir(path)
		if locked[folder] {
			continue
		}
		f, err := os.Open(folder)
		if err != nil {
			return unlock, err
		}
		locked[folder], folders = true, append(folders, f)
		if !atomicfile.Lock(f, waitForUpdate) {
			return unlock, fmt.Errorf("another roclua writes the baselines in %s; try again", folder)
		}
	}
	return unlock, nil
}

// sharesBaseline reports whether a case is a repetition that only has the baseline of the first.
func (b *Baselines) sharesBaseline(c *plan.Case) bool {
	_, own := b.files[c.Baseline].Cases[c.ID]
	return c.ID != c.First && !own
}

// store stores the values of a case and logs the changes. It reports whether there are any.
func (b *Baselines) store(log *strings.Builder, c *plan.Case, r *result.Result) bool {
	f := b.files[c.Baseline]
	after := baselined(r.Record)
	before, known := f.Cases[r.ID]
	changes := baseline.Differences(baseline.Compare(r.ID, before, after, tolerances(c, r, before, after)))
	switch {
	case !known:
		if b.added++; b.added <= mostAdded {
			fmt.Fprintf(log, "  new      %s\n", r.ID)
		}
	case len(changes) == 0:
		return false
	default:
		for _, change := range changes {
			fmt.Fprintf(log, "  changed  %s\n             %s\n", r.ID, change)
		}
	}
	f.Cases[r.ID] = after
	return true
}
