package shard

import (
	"errors"
	"fmt"
	"strings"
)

// scheduler is a program that starts tasks and numbers them in environment variables.
type scheduler struct {
	name     string
	variable string // set only by this scheduler
	read     func(variables) (Shard, error)
}

// schedulers lists the supported schedulers.
var schedulers = []scheduler{
	{"Slurm", "SLURM_ARRAY_TASK_ID", slurm},
	{"Kubernetes", "JOB_COMPLETION_INDEX", numbered("JOB_COMPLETION_INDEX", 0, "")},
	{"Flux", "FLUX_JOB_CC", numbered("FLUX_JOB_CC", 0, "")},
	{"Bazel", "TEST_TOTAL_SHARDS", numbered("TEST_SHARD_INDEX", 0, "TEST_TOTAL_SHARDS")},
	{"GitLab", "CI_NODE_INDEX", numbered("CI_NODE_INDEX", 1, "CI_NODE_TOTAL")},
}

// fromEnvironment returns the shard that the environment assigns to this task. count is the number of shards if
// specified, otherwise 0.
func fromEnvironment(getenv func(string) string, count int) (Shard, error) {
	var found []string
	var s Shard
	for _, sc := range schedulers {
		if getenv(sc.variable) == "" {
			continue
		}
		one, err := sc.read(variables{getenv, count})
		if err != nil {
			return Shard{}, fmt.Errorf("the environment of %s: %w", sc.name, err)
		}
		if len(found) > 0 && one != s {
			return Shard{}, fmt.Errorf("the environment of %s assigns shard %s, but %s assigns %s; name the "+
				"shard, as in --shard %s", strings.Join(found, " and "), s, sc.name, one, one)
		}
		found, s = append(found, sc.name), one
	}
	if len(found) == 0 {
		var names []string
		for _, sc := range schedulers {
			names = append(names, fmt.Sprintf("%s (%s)", sc.variable, sc.name))
		}
		return Shard{}, fmt.Errorf("no environment of a scheduler assigns a shard: none of %s is set; name the "+
			"shard, as in --shard 2/6", strings.Join(names, ", "))
	}
	return s, nil
}

// variables are the variables of a scheduler.
type variables struct {
	getenv func(string) string
	count  int // number of shards if specified, otherwise 0
}

// number reads a variable, which must be set.
func (v variables) number(name string) (int, error) {
	text := v.getenv(name)
	if text == "" {
		return 0, errors.New(name + " is not set")
	}
	n, err := number(text)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a number", name, text)
	}
	return n, nil
}

// numbered reads a task's number, counted from first, and the number of tasks, which some schedulers have no variable
// for.
func numbered(index string, first int, total string) func(variables) (Shard, error) {
	return func(v variables) (Shard, error) {
		i, err := v.number(index)
		if err != nil {
			return Shard{}, err
		}
		count := v.count
		switch {
		case total != "":
			if count, err = v.number(total); err != nil {
				return Shard{}, err
			}
			if v.count != 0 && v.count != count {
				return Shard{}, fmt.Errorf("%s is %d, not %d", total, count, v.count)
			}
		case count == 0:
			return Shard{}, errors.New("no variable has the number of tasks; add it, as in --shard auto/6")
		}
		s := Shard{i - first + 1, count}
		if err := s.check(); err != nil {
			return Shard{}, fmt.Errorf("%s is %d: %w", index, i, err)
		}
		return s, nil
	}
}

// slurm reads the variables of a job array, with ids from MIN to MAX in steps.
func slurm(v variables) (Shard, error) {
	var n [4]int
	for i, name := range []string{"ID", "MIN", "MAX", "COUNT"} {
		var err error
		if n[i], err = v.number("SLURM_ARRAY_TASK_" + name); err != nil {
			return Shard{}, err
		}
	}
	id, first, last, count := n[0], n[1], n[2], n[3]
	step := 1
	if v.getenv("SLURM_ARRAY_TASK_STEP") != "" {
		var err error
		if step, err = v.number("SLURM_ARRAY_TASK_STEP"); err != nil {
			return Shard{}, err
		}
	}
	const explicit = "name the shard, as in --shard $SLURM_ARRAY_TASK_ID/6"
	switch {
	case step < 1 || last < first || (last-first)/step+1 != count || (id-first)%step != 0:
		return Shard{}, fmt.Errorf("the ids %d to %d of %d tasks do not have the step %d; %s", first, last, count, step,
			explicit)
	case v.count != 0 && v.count != count:
		return Shard{}, fmt.Errorf("the array has %d tasks, not %d; %s", count, v.count, explicit)
	}
	s := Shard{(id-first)/step + 1, count}
	if err := s.check(); err != nil {
		return Shard{}, fmt.Errorf("SLURM_ARRAY_TASK_ID is %d: %w", id, err)
	}
	return s, nil
}
