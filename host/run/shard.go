package run

import (
	"fmt"

	"roclua/host/events"
	"roclua/host/plan"
)

// shardCases returns the cases of the session's shard.
func (s *Session) shardCases(p *plan.Plan) (*plan.Cases, error) {
	positions := s.Part.Positions(p.Len())
	if s.ShardBy != "" {
		durations, err := events.ReadDurations(s.ShardBy)
		if err != nil {
			return nil, fmt.Errorf("--shard-by: %w", err)
		}
		seconds, known := make([]float64, p.Len()), false
		for i := range seconds {
			seconds[i] = durations.Seconds(p.ID(i))
			known = known || seconds[i] >= 0
		}
		if !known {
			return nil, fmt.Errorf("--shard-by %s: it has the duration of no case of the plan", s.ShardBy)
		}
		s.Part.By = durations.Digest
		positions = s.Part.Balanced(seconds)
	}
	cases, err := p.Some(positions)
	if err == nil && !s.Quiet {
		fmt.Fprintf(s.Stderr, "roclua: %s: %d of %d cases\n", s.Part, cases.Len(), p.Len())
	}
	return cases, err
}
