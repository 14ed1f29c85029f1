// Package shard divides the cases of a plan among several machines, and determines a task's part from the scheduler's
// environment.
//
//	s, err := shard.Parse("auto", os.Getenv)
//	for _, position := range s.Positions(cases) { ... }
//
// Every case belongs to exactly one of the shards 1/N to N/N, for any number of cases and any N. The package is
// independent of the type of cases.
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

// String returns the shard in the format of Parse: "3/6".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// maxCount bounds the number of shards.
const maxCount = 1_000_000

const want = "want K/N with K from 1 to N, such as 2/6, or auto"

// Parse reads "K/N", "auto" or "auto/N". auto is the part that the scheduler's environment assigns to this task; auto/N
// adds the number of tasks if the scheduler does not pass it.
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

// check reports numbers out of range.
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

// Positions returns the indexes of the shard's cases among n, in ascending order. Cases are dealt in turn, so that
// neighbours, which often take similar times, go to different shards.
func (s Shard) Positions(n int) []int {
	var list []int
	for i := s.Index - 1; i < n; i += s.Count {
		list = append(list, i)
	}
	return list
}
