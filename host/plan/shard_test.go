package plan

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]string{
		"1/1": "shard 1/1", "3/6": "shard 3/6", "1000000/1000000": "shard 1000000/1000000",
		"0/4": `"0/4": there is no shard 0 of 4, want 1 to 4`, "7/4": `"7/4": there is no shard 7 of 4, want 1 to 4`,
		"1/0": `"1/0": want 1 to 1000000 shards`, "1/1000001": `"1/1000001": want 1 to 1000000 shards`,
		"auto": "name the shard, as in --shard $SLURM_ARRAY_TASK_ID/6", "auto/6": "see roclua docs shard",
		"": `"": want K/N`, "3": `"3": want K/N`, "-1/4": `"-1/4": want K/N`, "1/x": `"1/x": want K/N`,
		"1/2/3": `"1/2/3": want K/N`, "+1/2": `"+1/2": want K/N`, " 1/2": `" 1/2": want K/N`,
	} {
		s, err := ParseShard(text)
		have := s.String()
		if err != nil {
			have = err.Error()
		}
		if (err == nil) != strings.HasPrefix(want, "shard ") || !strings.Contains(have, want) {
			t.Errorf("%q: %s, want %s", text, have, want)
		}
	}
}

// TestShardsArePartitions divides plans of random lengths among random numbers of shards.
func TestShardsArePartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 500 {
		n, count := r.IntN(60), 1+r.IntN(20)
		o := &Outline{Parts: []Part{{Spaces: []*Space{repeated("a", n)}}}}
		all, _, err := o.Cases(Shard{})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for k := 1; k <= count; k++ {
			some, of, err := o.Cases(Shard{k, count})
			if err != nil || of != n {
				t.Fatalf("%d cases, %v", of, err)
			}
			for i, c := range some {
				if c.ID != all[k-1+i*count].ID {
					t.Fatalf("case %d of shard %d/%d of %d is %s", i, k, count, n, c.ID)
				}
				seen[c.ID]++
			}
		}
		if len(seen) != n {
			t.Fatalf("%d of %d cases are in %d shards", len(seen), n, count)
		}
	}
	_, _, err := (&Outline{Parts: []Part{{Spaces: []*Space{repeated("a", 2*maxSelected+2)}}}}).Cases(Shard{1, 2})
	const want = "shard 1/2 has 200001 cases, a run can have at most 200000: divide the plan into more shards"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}
