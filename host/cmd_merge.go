package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/events"
	"roclua/host/merge"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/host/run"
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
	flags.StringArrayVar(&o.out, "out", nil, "write the report as FORMAT[=FILE]: "+strings.Join(report.Formats(),
		", ")+" (repeatable)")
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
	b := &batch{session: s, config: m.Config}
	if err := b.openMerged(m); err != nil {
		return err
	}
	warn(env, m.Warnings)
	return b.finish()
}

// openMerged reads the results of the shards, compares them with the baselines, and opens the outputs.
func (b *batch) openMerged(m *merge.Merge) error {
	s := b.session
	b.kept = map[string]*result.Result{}
	var results []*result.Result
	for i := range m.Cases.Len() {
		c, r, err := m.Result(i)
		if err != nil {
			return err
		}
		b.cases, results, b.kept[c.ID] = append(b.cases, c), append(results, r), r
	}
	if err := b.openBaselines(); err != nil {
		return err
	}
	for i, c := range b.cases {
		if !s.options.update {
			b.baselines.Compare(c, results[i])
		}
		results[i].CheckKnownFailure()
		s.store.Put(results[i])
	}
	b.began = s.env.Now()
	started, seconds := m.Time()
	b.report = &report.Report{Version: version(), Argv: append([]string{"roclua"}, s.env.Args...), Config: b.config,
		Results: results, Store: &s.store, Started: started, Color: s.color, Verbose: s.options.verbose,
		Shards:      m.Shards(),
		Environment: func() *run.Environment { return m.Files[0].Begin.Environment },
		SummaryFile: s.env.Getenv("GITHUB_STEP_SUMMARY")}
	b.elapsed = seconds
	begin := events.Begin{Version: b.report.Version, Argv: b.report.Argv, Started: started,
		Plan: m.Files[0].Begin.Plan, Environment: b.report.Environment()}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	err := b.checkFiles(paths...)
	if err != nil {
		return err
	}
	if b.logs, err = events.Open(b.eventOptions(), begin, b.cases, b.kept); err != nil {
		return fmt.Errorf("--out jsonl: %w", err)
	}
	return nil
}
