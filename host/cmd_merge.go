package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/merge"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/luabind/record"
)

// newMerge returns the command that reports the shards of a run as one run.
func newMerge(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "merge FILE|FOLDER...",
		Short: "Report the shards of a run as one run",
		Long: `merge reads the event files of shards, which roclua run --shard K/N --out jsonl=FILE or --resume FOLDER
wrote, and the files *.jsonl in folders. It checks the expectations over all cases, compares with the
baselines, and writes the same outputs with the same exit code as one run of the whole plan.

Cases that no shard has run are lost, and fail the run. A case that several attempts have run counts
once; when their results differ, it fails. Files of different plans, versions or scripts are refused.

  roclua merge events --out text --out json=results.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.merge(cmd, args, env) },
	}
	flags := cmd.Flags()
	o.out.add(cmd, "report")
	flags.StringVar(&o.color, "color", "auto", strings.Join(colorChoices, ", "))
	flags.BoolVar(&o.verbose, "verbose", false, "show the logs of passed cases")
	flags.BoolVar(&o.update, "update", false, "write the measured values to the baselines")
	return cmd
}

func (o *runOptions) merge(cmd *cobra.Command, args []string, env Env) error {
	if len(args) == 0 {
		return errors.New("merge needs the event files of shards, or a folder of them")
	}
	s, err := newSession(o, cmd, env)
	if err != nil {
		return err
	}
	m, err := merge.Open(args, version())
	if err != nil {
		return err
	}
	defer m.Close()
	defer s.store.Close()
	s.planned = &plan.Plan{Config: m.Config, Outline: plan.Outline{Whole: m.Whole}, Cases: m.Cases}
	b := &batch{session: s, config: m.Config, cases: m.Cases, merged: true}
	if err := b.openMerged(m); err != nil {
		return err
	}
	warn(env, m.Warnings)
	return b.finish()
}

// openMerged reads and judges the results of the shards, and opens the outputs.
func (b *batch) openMerged(m *merge.Merge) error {
	s := b.session
	b.began = s.env.Now()
	environment := m.Files[0].Begin.Environment
	b.report = &report.Report{Version: version(), Argv: append([]string{"roclua"}, s.env.Args...), Config: b.config,
		Store: &s.store, Color: s.color, Verbose: s.options.verbose, Shards: m.Shards(),
		Environment: func() *record.Environment { return environment }}
	if environment != nil {
		b.report.Profiles = environment.Profiles
	}
	b.report.Started, b.elapsed = m.Time()
	if err := b.openBaselines(); err != nil {
		return err
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	if err := b.checkFiles(paths...); err != nil {
		return err
	}
	if err := b.judge(m); err != nil {
		return err
	}
	o := b.eventOptions()
	o.Kept = events.Kept{Count: len(b.report.Results), Each: func(f func(*result.Result) error) error {
		return b.report.Each(func(_ int, r *result.Result) error { return f(r) })
	}}
	begin := events.Begin{Version: b.report.Version, Argv: b.report.Argv, Started: b.report.Started,
		Cases: len(b.report.Results), Plan: m.Files[0].Begin.Plan, Environment: b.report.Environment()}
	var err error
	if b.logs, err = events.Open(o, begin, b.cases); err != nil {
		return fmt.Errorf("--out jsonl: %w", err)
	}
	return nil
}

// judge reads one result after the other, compares it with its baseline, and puts it into the store. It checks the
// expectations over several cases.
func (b *batch) judge(m *merge.Merge) error {
	s := b.session
	b.shareResults()
	overall, err := plan.NewOverall(b.config)
	if err != nil {
		return err
	}
	b.report.Results = make([]*result.Result, 0, m.Cases.Len())
	err = m.Each(func(i int, c *plan.Case, r *result.Result) error {
		if !s.options.update {
			b.baselines.Compare(c, r)
		}
		r.CheckKnownFailure()
		overall.Add(b.cases.Space(i), r.Record)
		b.report.Results = append(b.report.Results, s.store.PutAt(r, i))
		if s.cmd.Context().Err() != nil {
			return exit.With(exit.Interrupted, errors.New("interrupted before an output was written"))
		}
		return nil
	})
	b.report.Overall = overall.Checks()
	return err
}
