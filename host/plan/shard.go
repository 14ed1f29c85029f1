package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Count parts of a plan; the zero value is all of it. Every case belongs to exactly one of the shards
// 1/N to N/N.
type Shard struct {
	Index int `json:"index"` // number of the part, from 1
	Count int `json:"count"` // number of parts
}

// IsWhole reports whether s is all of a plan.
func (s Shard) IsWhole() bool { return s == Shard{} }

func (s Shard) String() string {
	if s.IsWhole() {
		return "the whole plan"
	}
	return fmt.Sprintf("shard %d/%d", s.Index, s.Count)
}

// maxShards bounds the number of shards.
const maxShards = 1_000_000

// ParseShard reads "K/N".
func ParseShard(text string) (Shard, error) {
	index, count, found := strings.Cut(text, "/")
	k, errIndex := strconv.ParseUint(index, 10, 31)
	n, errCount := strconv.ParseUint(count, 10, 31)
	var err error
	switch {
	case index == "auto":
		err = errors.New("roclua does not read the environment of schedulers; name the shard, as in " +
			"--shard $SLURM_ARRAY_TASK_ID/6 (see roclua docs shard)")
	case !found || errIndex != nil || errCount != nil:
		err = errors.New("want K/N with K from 1 to N, such as 2/6")
	case n < 1 || n > maxShards:
		err = fmt.Errorf("want 1 to %d shards", maxShards)
	case k < 1 || k > n:
		err = fmt.Errorf("there is no shard %d of %d, want 1 to %d", k, n, n)
	default:
		return Shard{int(k), int(n)}, nil
	}
	return Shard{}, fmt.Errorf("%q: %w", text, err)
}

// of returns the cases of the shard. They are dealt in turn, so that neighbours, which often take similar times, go to
// different shards.
func (s Shard) of(places []place) []place {
	if s.IsWhole() {
		return places
	}
	var dealt []place
	for i := s.Index - 1; i < len(places); i += s.Count {
		dealt = append(dealt, places[i])
	}
	return dealt
}
