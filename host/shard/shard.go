// Package shard divides the cases of a plan among several machines, and finds out from the environment of a scheduler
// which part a task has.
//
//	s, err := shard.Parse("auto", os.Getenv)
//	for _, position := range s.Positions(cases) { ... }
//
// Every case belongs to exactly one of the shards 1/N to N/N, whatever the number of cases and N are. The package does
// not depend on what cases are.
package shard

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Count parts of a plan. The zero value is not a shard; see IsZero.
type Shard struct {
	Index int `json:"index"` // number of the part, from 1
	Count int `json:"count"` // number of parts
}

// IsZero reports whether s is the zero value, which means that the plan is not divided.
func (s Shard) IsZero() bool { return s == Shard{} }

// String returns the shard as Parse reads it: "3/6".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// maxCount bounds the number of shards.
const maxCount = 1_000_000

const want = "want K/N with K from 1 to N, such as 2/6, or auto"

// Parse reads "K/N", "auto" or "auto/N". auto is the part that the environment of a scheduler assigns to this task;
// some schedulers do not pass the number of tasks, for which auto/N adds it.
func Parse(text string, getenv func(string) string) (Shard, error) {
	first, second, found := strings.Cut(text, "/")
	count, err := 0, error(nil)
	if found {
		if count, err = number(second); err != nil {
			return Shard{}, fmt.Errorf("%s: %s", text, want)
		}
		if err := (Shard{1, count}).check(); err != nil {
			return Shard{}, fmt.Errorf("%s: %w; %s", text, err, want)
		}
	}
	if first == "auto" {
		s, err := fromEnvironment(getenv, count)
		if err != nil {
			return Shard{}, fmt.Errorf("%s: %w", text, err)
		}
		return s, nil
	}
	index, err := number(first)
	if err != nil || !found {
		return Shard{}, fmt.Errorf("%q: %s", text, want)
	}
	s := Shard{index, count}
	if err := s.check(); err != nil {
		return Shard{}, fmt.Errorf("%s: %w; %s", text, err, want)
	}
	return s, nil
}

// check reports a number that is out of range.
func (s Shard) check() error {
	switch {
	case s.Count < 1:
		return errors.New("there must be at least one shard")
	case s.Count > maxCount:
		return fmt.Errorf("there are more than %d shards", maxCount)
	case s.Index < 1:
		return errors.New("shards are counted from 1")
	case s.Index > s.Count:
		return fmt.Errorf("there is no shard %d of %d", s.Index, s.Count)
	}
	return nil
}

// number reads a number without a sign.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err
}

// Positions returns which of n cases belong to the shard, in ascending order, from 0. They are dealt one by one, so
// that neighbours, which often take similar times, go to different shards.
func (s Shard) Positions(n int) []int {
	var list []int
	for i := s.Index - 1; i < n; i += s.Count {
		list = append(list, i)
	}
	return list
}
