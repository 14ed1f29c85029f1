// Package merge reads the event files of the shards of a run, and finds the result of each case of the plan. It uses
// every whole line: a file may end in the middle of a line, and several attempts of a shard may have the same cases.
//
//	m, err := merge.Open(ctx, []string{"events"}, version)
//	defer m.Close()
//	err = m.Each(func(i int, c *plan.Case, r *result.Result) error { ... })
//
// The package does not change results: they are as the shards recorded them, without baselines.
package merge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/input"
)

// Merge is a run whose cases are in several files.
type Merge struct {
	Cases    plan.List
	Config   *config.Config
	Whole    bool     // all cases of the configuration are selected
	Files    []*File  // sorted by shard, then by their start
	Warnings []string // damaged lines, devices that differ

	store   result.Store
	found   []*recorded       // the result of each case that counts; nil for a case that no shard has run
	modules map[string]module // that scripts have required
}

// File is the events of one attempt of a shard.
type File struct {
	Path  string
	Cases int // lines of cases
	*events.Past
}

// module is a file that a script has required.
type module struct{ digest, file string }

// Open reads the event files, and the files *.jsonl in folders. All must be of one plan, by this version of the
// program.
func Open(ctx context.Context, paths []string, version string) (*Merge, error) {
	files, err := list(paths)
	if err != nil {
		return nil, err
	}
	m := &Merge{modules: map[string]module{}}
	if err := m.readBegins(files); err != nil {
		return nil, err
	}
	if err := m.check(version); err != nil {
		return nil, err
	}
	positions := m.Cases.Positions()
	for _, f := range m.Files {
		if err := m.read(ctx, f, positions); err != nil {
			m.Close()
			return nil, err
		}
	}
	m.compareDevices()
	return m, nil
}

// Close removes the stored results.
func (m *Merge) Close() error { return m.store.Close() }

// Each calls f with every case of the plan and its result, in their order, and returns the first error. It can be
// called once: f takes over the results.
func (m *Merge) Each(f func(i int, c *plan.Case, r *result.Result) error) error {
	for i, c := range m.Cases {
		r, err := m.lost(c), error(nil)
		if found := m.found[i]; found != nil {
			r, err = m.store.Full(found.result)
			m.found[i] = nil
		}
		if err == nil {
			err = f(i, c, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func list(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("the events cannot be read: %w", err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		inside, err := eventFiles(path)
		if err != nil {
			return nil, err
		}
		if len(inside) == 0 {
			return nil, fmt.Errorf("%s: the folder has no files *.jsonl", path)
		}
		files = append(files, inside...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// eventFiles lists the event files in a folder and the folders in it.
func eventFiles(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// readBegins reads the first line of each file.
func (m *Merge) readBegins(paths []string) error {
	for _, path := range paths {
		file, err := open(path)
		if err != nil {
			return err
		}
		past, err := events.ParseBegin(path, file)
		file.Close()
		switch {
		case err == io.EOF:
			m.Warnings = append(m.Warnings, path+": the attempt ended before it wrote its first event")
		case err != nil:
			return err
		default:
			m.Files = append(m.Files, &File{Path: path, Past: past})
		}
	}
	if len(m.Files) == 0 {
		return errors.New(strings.Join(append([]string{"there are no events to merge"}, m.Warnings...), "; "))
	}
	slices.SortStableFunc(m.Files, func(a, b *File) int {
		return cmp.Or(a.Begin.Part.Index-b.Begin.Part.Index, a.Begin.Started.Compare(b.Begin.Started))
	})
	return nil
}

func open(path string) (*input.Reader, error) {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	return file, nil
}

func (m *Merge) read(ctx context.Context, f *File, positions map[string][]int) error {
	file, err := open(f.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	var damaged []int
	unknown := 0
	past := &events.Past{Damaged: func(line int) { damaged = append(damaged, line) }}
	past.Each = func(l *result.Line) error {
		if ctx.Err() != nil {
			return exit.With(exit.Interrupted, errors.New("interrupted before an output was written"))
		}
		f.Cases++
		at := positions[l.ID]
		if at == nil {
			unknown++
			return nil
		}
		return m.add(at[0], f, l)
	}
	if err := past.Read(f.Path, file); err != nil {
		return err
	}
	past.Begin = f.Begin // its plan is that of all files
	f.Past = past
	m.warnDamaged(f, damaged, unknown)
	return nil
}

// check makes sure that all files are of one plan, and lists its cases.
func (m *Merge) check(version string) error {
	first := m.Files[0]
	for _, f := range m.Files {
		switch {
		case f.Begin.SchemaVersion != result.SchemaVersion:
			return fmt.Errorf("%s: the events have schema_version %d, this program reads %d", f.Path,
				f.Begin.SchemaVersion, result.SchemaVersion)
		case f.Begin.Plan == nil || f.Begin.Plan.Outline == nil:
			return fmt.Errorf("%s: the events do not have the plan of the run", f.Path)
		case f.Begin.Version != first.Begin.Version:
			return fmt.Errorf("the events are of different versions of the program: %s of %s, %s of %s", first.Path,
				first.Begin.Version, f.Path, f.Begin.Version)
		case f.Begin.Version != version:
			return fmt.Errorf("%s: version %s of the program wrote the events, this is %s", f.Path, f.Begin.Version,
				version)
		}
		if err := first.samePlan(f); err != nil {
			return err
		}
		f.Begin.Plan = first.Begin.Plan // a thousand copies would take much memory
	}
	return m.build()
}

// samePlan reports how the plan of another file differs.
func (f *File) samePlan(other *File) error {
	a, b := f.Begin.Plan, other.Begin.Plan
	if a.Digest == b.Digest {
		return nil
	}
	changes, err := b.Changes(a)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		changes = []string{"cases: others are selected"}
	}
	return fmt.Errorf("the events are of different runs:\n  %s\nwas in %s, is in %s", strings.Join(changes, "\n  "),
		f.Path, other.Path)
}

// Time returns when the first attempt began, and how long it took from then until the last case ended.
func (m *Merge) Time() (started time.Time, elapsed time.Duration) {
	var until time.Time
	for i, f := range m.Files {
		if i == 0 || f.Begin.Started.Before(started) {
			started = f.Begin.Started
		}
		if t := f.Until(); t.After(until) {
			until = t
		}
	}
	return started, max(0, until.Sub(started))
}

// Shards describes the attempts for reports.
func (m *Merge) Shards() []report.Shard {
	var list []report.Shard
	for _, f := range m.Files {
		s := report.Shard{File: f.Path, Started: f.Begin.Started, Cases: f.Cases, Ended: f.Ended,
			Environment: f.Begin.Environment}
		if p := f.Begin.Part; !p.IsWhole() {
			s.Shard = fmt.Sprintf("%d/%d", p.Index, p.Count)
		}
		list = append(list, s)
	}
	return list
}
