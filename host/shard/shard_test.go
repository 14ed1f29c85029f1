package shard

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	slurm := func(id, first, last, count, step string) map[string]string {
		return map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": first,
			"SLURM_ARRAY_TASK_MAX": last, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_STEP": step}
	}
	for _, test := range []struct {
		text string
		env  map[string]string
		want string // shard, or part of the error
	}{
		{"1/1", nil, "1/1"}, {"3/6", nil, "3/6"}, {"1000000/1000000", nil, "1000000/1000000"},
		{"auto", slurm("3", "3", "3", "1", "1"), "1/1"}, {"auto", slurm("4", "1", "7", "3", "3"), "2/3"},
		{"2/2", slurm("1", "1", "2", "2", "1"), "2/2"},
		{"0/4", nil, "0/4: shards are counted from 1; want K/N"},
		{"7/4", nil, "7/4: there is no shard 7 of 4; want K/N"},
		{"1/0", nil, "there must be at least one shard"}, {"1/1000001", nil, "more than 1000000"},
		{"", nil, `"": want K/N`}, {"3", nil, `"3": want K/N`}, {"-1/4", nil, `"-1/4": want`},
		{"1/x", nil, "1/x: want"},
		{"1/2/3", nil, "1/2/3: want"}, {"+1/2", nil, `"+1/2": want`}, {" 1/2", nil, `" 1/2": want`},
		{"auto", nil, "auto: no environment of a scheduler assigns a shard: none of SLURM_ARRAY_TASK_ID (Slurm), "},
		{"auto", slurm("1", "1", "6", "6", "1"), "1/6"}, {"auto", slurm("6", "1", "6", "6", ""), "6/6"},
		{"auto", slurm("0", "0", "5", "6", "1"), "1/6"}, {"auto", slurm("5", "3", "5", "2", "2"), "2/2"},
		{"auto/6", slurm("6", "1", "6", "6", "1"), "6/6"},
		{"auto/6", slurm("5", "3", "5", "2", "2"), "the array has 2 tasks, not 6; name the shard"},
		{"auto", slurm("3", "3", "5", "2", "1"), "the ids 3 to 5 of 2 tasks do not have the step 1; name the shard"},
		{"auto", slurm("4", "3", "5", "2", "2"), "do not have the step 2"},
		{"auto", slurm("8", "1", "6", "6", "1"), "SLURM_ARRAY_TASK_ID is 8: there is no shard 8 of 6"},
		{"auto", slurm("1", "1", "6", "0", "0"), "do not have the step 0"},
		{"auto", slurm("x", "1", "6", "6", "1"), `SLURM_ARRAY_TASK_ID is "x", want a number`},
		{"auto", map[string]string{"SLURM_ARRAY_TASK_ID": "1"}, "SLURM_ARRAY_TASK_MIN is not set"},
		{"auto/4", map[string]string{"JOB_COMPLETION_INDEX": "0"}, "1/4"},
		{"auto/4", map[string]string{"JOB_COMPLETION_INDEX": "4"},
			"JOB_COMPLETION_INDEX is 4: there is no shard 5 of 4"},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "0"},
			"the environment of Kubernetes: no variable has the number of tasks; add it, as in --shard auto/6"},
		{"auto/3", map[string]string{"FLUX_JOB_CC": "2"}, "3/3"},
		{"auto", map[string]string{"TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "5"}, "1/5"},
		{"auto", map[string]string{"TEST_TOTAL_SHARDS": "5"}, "TEST_SHARD_INDEX is not set"},
		{"auto/4", map[string]string{"TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "5"},
			"TEST_TOTAL_SHARDS is 5, not 4"},
		{"auto", map[string]string{"CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "5"}, "5/5"},
		{"auto", map[string]string{"CI_NODE_TOTAL": "1"}, "no environment of a scheduler"},
		{"auto", map[string]string{"CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"}, "counted from 1"},
		{"auto", map[string]string{"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "TEST_SHARD_INDEX": "1",
			"TEST_TOTAL_SHARDS": "2"}, "the environment of Bazel assigns shard 2/2, but GitLab assigns 1/2; name"},
		{"auto", map[string]string{"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2", "TEST_SHARD_INDEX": "1",
			"TEST_TOTAL_SHARDS": "2"}, "2/2"},
		{"auto/0", nil, "there must be at least one shard"}, {"auto/x", nil, "auto/x: want K/N"},
	} {
		s, err := Parse(test.text, func(name string) string { return test.env[name] })
		have, isError := s.String(), strings.Contains(test.want, " ")
		if err != nil {
			have = err.Error()
		}
		if (err != nil) != isError || s.IsZero() != isError || have != test.want && !isError ||
			!strings.Contains(have, test.want) {
			t.Errorf("%q with %v: %s, want %s", test.text, test.env, have, test.want)
		}
	}
}

// TestShardsArePartitions divides plans of random lengths among random numbers of shards.
func TestShardsArePartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 2000 {
		n, count := r.IntN(60), 1+r.IntN(20)
		seconds := make([]float64, n)
		for i := range seconds {
			seconds[i] = float64(r.IntN(5) - 1)
		}
		dealt, balanced := make([]int, n), make([]int, n)
		for k := 1; k <= count; k++ {
			s := Shard{k, count}
			for _, of := range []struct {
				seen []int
				list []int
			}{{dealt, s.Positions(n)}, {balanced, s.Balanced(seconds)}} {
				if !slices.IsSorted(of.list) {
					t.Fatalf("%s of %d: %v", s, n, of.list)
				}
				for _, i := range of.list {
					of.seen[i]++
				}
			}
		}
		for i := range n {
			if dealt[i] != 1 || balanced[i] != 1 {
				t.Fatalf("case %d of %d is in %d and %d of %d shards", i, n, dealt[i], balanced[i], count)
			}
		}
	}
}

func TestBalanced(t *testing.T) {
	seconds := []float64{1, 1, 9, 1, 1, 5, 4, 1, -1} // the last one counts as 2.875
	for k, want := range [][]int{{2, 4, 8}, {0, 1, 3, 5, 6, 7}} {
		if have := (Shard{k + 1, 2}).Balanced(seconds); !slices.Equal(have, want) {
			t.Errorf("shard %d has %v, want %v", k+1, have, want)
		}
	}
	for k, want := range [][]int{{0, 1}, {2, 3}} { // a duration of zero is known
		if have := (Shard{k + 1, 2}).Balanced([]float64{0, 4, -1, -1}); !slices.Equal(have, want) {
			t.Errorf("shard %d has %v, want %v", k+1, have, want)
		}
	}
	for k := 1; k <= 3; k++ {
		s := Shard{k, 3}
		if have, want := s.Balanced([]float64{-1, -1, -1, -1, -1, -1, -1}), s.Positions(7); !slices.Equal(have, want) {
			t.Errorf("without durations shard %s has %v, want %v", s, have, want)
		}
	}
}

// BenchmarkBalanced divides a million cases among a thousand shards.
func BenchmarkBalanced(b *testing.B) {
	r := rand.New(rand.NewPCG(14, 2))
	seconds := make([]float64, 1_000_000)
	for i := range seconds {
		seconds[i] = r.ExpFloat64()
	}
	for b.Loop() {
		Shard{7, 1000}.Balanced(seconds)
	}
}
