// Package merge reads the event files of the shards of a run, and finds the result of each case of the plan. It uses
// every whole line: a file may end in the middle of a line, and several attempts of a shard may have the same cases.
//
//	m, err := merge.Open([]string{"events"}, version)
//	defer m.Close()
//	err = m.Each(func(i int, c *plan.Case, r *result.Result) error { ... })
//
// Opening notes where each case is. Each reads the results, a few at a time on each processor, so that memory is needed
// for these only. The package does not change results: they are as the shards recorded them, without baselines.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/input"
)

// Merge is a run whose cases are in several files.
type Merge struct {
	Cases    *plan.Cases
	Config   *config.Config
	Whole    bool     // all cases of the configuration are selected
	Files    []*File  // sorted by shard, then by their start
	Warnings []string // what the user should know: damaged lines, devices that differ

	identity *events.Identity
	places   []place           // of each case; the first one that was found
	more     map[int32][]place // others of the same case
	modules  map[string]module // what scripts have required
}

// File is the events of one attempt of a shard.
type File struct {
	Path  string
	Begin events.Begin
	Until time.Time // when the last known case ended
	Cases int       // lines of cases
	Ended bool      // the attempt ended by itself

	file  *input.Reader
	since time.Time // when the last run that wrote the file began
	last  []byte    // when the last case began
	found []found   // until they are added to the index
	torn  []int64   // lines that are damaged
}

// place is where the line of a case is.
type place struct {
	file   int32 // index into Merge.Files, plus 1; 0 for none
	size   int32
	offset int64
}

// module is a file that a script has required.
type module struct{ digest, file string }

// Open reads the event files, and the files *.jsonl in folders. All must be of one plan, by this version of the
// program.
func Open(paths []string, version string) (*Merge, error) {
	files, err := list(paths)
	if err != nil {
		return nil, err
	}
	m := &Merge{more: map[int32][]place{}, modules: map[string]module{}}
	if err := m.scan(files); err != nil {
		m.Close()
		return nil, err
	}
	if err := m.check(version); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close closes the files.
func (m *Merge) Close() {
	for _, f := range m.Files {
		f.file.Close()
	}
}

// list expands folders.
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

// scan reads the files, several at a time.
func (m *Merge) scan(paths []string) error {
	files, errs := make([]*File, len(paths)), make([]error, len(paths))
	next := make(chan int)
	var readers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for i := range next {
				files[i], errs[i] = scanFile(paths[i])
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	readers.Wait()
	for i, f := range files {
		switch {
		case f == nil:
		case f.Begin.Tool == "" && errs[i] == nil:
			m.Warnings = append(m.Warnings, paths[i]+": the attempt ended before it wrote its first event")
			f.file.Close()
		default:
			m.Files = append(m.Files, f)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if len(m.Files) == 0 {
		return errors.New(strings.Join(append([]string{"there are no events to merge"}, m.Warnings...), "; "))
	}
	slices.SortStableFunc(m.Files, func(a, b *File) int {
		return cmp.Or(a.Begin.Part.Index-b.Begin.Part.Index, a.Begin.Started.Compare(b.Begin.Started))
	})
	return nil
}

// check makes sure that all files are of one plan, and finds the places of its cases.
func (m *Merge) check(version string) error {
	first := m.Files[0]
	for _, f := range m.Files {
		switch {
		case f.Begin.SchemaVersion != result.SchemaVersion:
			return fmt.Errorf("%s: the events have schema_version %d, this program reads %d", f.Path,
				f.Begin.SchemaVersion, result.SchemaVersion)
		case f.Begin.Plan == nil || f.Begin.Plan.Outline == nil:
			return fmt.Errorf("%s: the events do not say what was run", f.Path)
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
