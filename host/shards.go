package host

import (
	"fmt"
	"os"

	"roclua/host/events"
	"roclua/host/plan"
	"roclua/host/shard"
)

// checkShard reads --shard and reports flags that cannot be combined with it. It sets the part of the session, which
// has no durations yet.
func (s *session) checkShard() error {
	o := s.options
	if o.shard == "" {
		if o.shardBy != "" {
			return fmt.Errorf("--shard-by %s: has no effect without --shard", o.shardBy)
		}
		return nil
	}
	for _, other := range []struct{ flag, why string }{
		{"update", "a shard does not have all values; write the baselines with roclua merge --update"},
		{"rerun-failed", "each machine remembers other cases; resume the shard with --resume"},
		{"watch", "it divides one run"},
	} {
		if s.cmd.Flags().Changed(other.flag) {
			return fmt.Errorf("--shard cannot be combined with --%s: %s", other.flag, other.why)
		}
	}
	one, err := shard.Parse(o.shard, s.env.Getenv)
	if err != nil {
		return fmt.Errorf("--shard %w", err)
	}
	s.part = &events.Part{Shard: one}
	if file := s.env.Getenv("TEST_SHARD_STATUS_FILE"); file != "" {
		return touch(file) // Bazel then knows that the test divides itself
	}
	return nil
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("--shard: TEST_SHARD_STATUS_FILE: %w", err)
	}
	return f.Close()
}

// shardCases returns the cases of the shard.
func (s *session) shardCases(p *plan.Plan) (*plan.Cases, error) {
	positions := s.part.Positions(p.Len())
	if by := s.options.shardBy; by != "" {
		durations, err := events.ReadDurations(by)
		if err != nil {
			return nil, fmt.Errorf("--shard-by: %w", err)
		}
		seconds, known := make([]float64, p.Len()), false
		for i := range seconds {
			seconds[i] = durations.Seconds(p.ID(i))
			known = known || seconds[i] >= 0
		}
		if !known {
			return nil, fmt.Errorf("--shard-by %s: it has the duration of no case of the plan", by)
		}
		s.part.By = durations.Digest
		positions = s.part.Balanced(seconds)
	}
	cases, err := p.Some(positions)
	if err != nil {
		return nil, err
	}
	if !s.options.quiet {
		fmt.Fprintf(s.env.Stderr, "roclua: %s: %d of %d cases\n", s.part, cases.Len(), p.Len())
	}
	return cases, nil
}

// resumesFolder reports whether --resume names a folder, in which each attempt of a shard has a file.
func (s *session) resumesFolder() bool {
	path := s.options.resume
	if path == "" {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1])
}

// resumeFolder takes the results of the earlier attempts of the shard, and records this one in a new file.
func (b *batch) resumeFolder(o *events.Options, now events.Planned) error {
	s := b.session
	if s.part == nil {
		return fmt.Errorf("%s is a folder, which records the attempts of a shard: add --shard, or name a file",
			s.options.resume)
	}
	earlier, err := events.Attempts(s.options.resume, now)
	if err != nil {
		return err
	}
	if earlier != nil {
		b.resume(earlier)
	}
	file, err := events.NewAttempt(s.options.resume, s.part)
	o.Files = append(o.Files, file)
	return err
}
