package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/merge"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// source is where a run takes results from that earlier runs have.
type source interface {
	// open sets the results that the source has, and describes the earlier runs in the report. It returns the identity
	// of the plan if there are events to write.
	open(ctx context.Context, r *pipeline, o *events.Options) (*events.Identity, error)
}

// kept are the results of the run before, with --watch: nil for a case that runs. nil has no results.
type kept []*result.Result

func (k kept) open(_ context.Context, r *pipeline, o *events.Options) (*events.Identity, error) {
	r.kept = k
	if len(o.Files) == 0 {
		return nil, nil
	}
	return r.identify(o)
}

// identify returns the identity of the plan. It is an error if a file has the events of another part of it.
func (r *pipeline) identify(o *events.Options) (*events.Identity, error) {
	for _, path := range o.Files {
		if r.Part.IsWhole() || path == r.Resume {
			continue
		}
		if err := events.CheckPart(path, r.Part); err != nil {
			return nil, fmt.Errorf("--out jsonl: %w", err)
		}
	}
	return events.Identify(r.Args, r.plan)
}

// resumed returns the source of --resume, or one without results.
func (s *Session) resumed() source {
	path := s.Resume
	if path == "" {
		return kept(nil)
	}
	return recorded(path)
}

// recorded is the file of --resume, which has results.
type recorded string

func (f recorded) open(_ context.Context, r *pipeline, o *events.Options) (*events.Identity, error) {
	id, err := r.identify(o)
	if err != nil {
		return nil, err
	}
	now := events.Planned{Version: r.Version, Plan: id, Part: r.Part, Cases: r.cases,
		Keep: func(c *plan.Case, one *result.Result) {
			r.compared().Compare(c, one)
			r.Store.Put(one)
		}}
	err = events.CheckPart(string(f), r.Part)
	if err == nil {
		o.Resumed, err = events.Resume(o.System, string(f), now)
	}
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if earlier := o.Resumed; !earlier.Started.IsZero() {
		r.kept, r.elapsed = earlier.Results, earlier.Elapsed
		r.report.Argv, r.report.Started = earlier.Argv, earlier.Started
	}
	if r.plain {
		return id, r.printEarlierLogs(r.scriptOutput())
	}
	return id, nil
}

// printEarlierLogs prints the output of the plain scripts that an earlier run finished.
func (r *pipeline) printEarlierLogs(w io.Writer) error {
	var positions []int
	for i := range r.kept {
		if r.isKept(i) {
			positions = append(positions, i)
		}
	}
	slices.SortStableFunc(positions, func(i, j int) int { return strings.Compare(r.cases[i].ID, r.cases[j].ID) })
	for _, i := range positions {
		full, err := r.Store.Full(r.kept[i])
		if err != nil {
			return err
		}
		io.WriteString(w, full.Record.Log)
	}
	return nil
}

// merged are the results of the shards of a run. They have all cases.
type merged struct{ *merge.Merge }

// open reads and judges one result after the other.
func (m *merged) open(ctx context.Context, r *pipeline, _ *events.Options) (*events.Identity, error) {
	begin := &m.Files[0].Begin
	r.report.Shards, r.report.Profiles = m.Shards(), nil
	r.report.Environment = func() *record.Environment { return begin.Environment }
	if begin.Environment != nil {
		r.report.Profiles = begin.Environment.Profiles
	}
	r.started, r.elapsed = m.Time()
	r.report.Started = r.started
	r.kept = make([]*result.Result, 0, len(m.Cases))
	err := m.Each(func(i int, c *plan.Case, one *result.Result) error {
		r.compared().Compare(c, one)
		one.CheckKnownFailure()
		r.Store.Put(one)
		r.kept = append(r.kept, one)
		if ctx.Err() != nil {
			return exit.With(exit.Interrupted, errors.New("interrupted before an output was written"))
		}
		return nil
	})
	return begin.Plan, err
}

// Merge reports the shards of a run as one run.
func (s *Session) Merge(ctx context.Context, m *merge.Merge) error {
	p := &plan.Plan{Config: m.Config, Outline: plan.Outline{Whole: m.Whole}, Cases: m.Cases}
	r := &pipeline{Session: s, plan: p, config: m.Config, cases: m.Cases, source: &merged{m}}
	for _, f := range m.Files {
		s.FailOnFlaky = s.FailOnFlaky || f.Begin.FailOnFlaky
		r.reads = append(r.reads, f.Path)
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	s.warn(m.Warnings)
	r.report.Results = r.kept
	return r.finish()
}
