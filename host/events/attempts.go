package events

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/result"
	"roclua/host/shard"
	"roclua/input"
)

// Part is the part of a plan that a run has.
type Part struct {
	shard.Shard
	By string `json:"by,omitempty"` // digest of the durations by which cases were divided; absent if one by one
}

// String returns the part as --shard has it.
func (p *Part) String() string {
	if p == nil {
		return "the whole plan"
	}
	return "shard " + p.Shard.String()
}

func (p *Part) equal(q *Part) bool { return p == q || p != nil && q != nil && *p == *q }

// checkPart reports a file that has the events of another part of the plan.
func (p *Past) checkPart(path string, part *Part) error {
	have := p.Begin.Part
	switch {
	case have.equal(part):
		return nil
	case have != nil && part != nil && have.Shard == part.Shard:
		return fmt.Errorf("%s: the cases of %s were divided by other durations (--shard-by)", path, have)
	}
	return fmt.Errorf("%s has the events of %s, this is %s; give each shard its file, such as jsonl=%s-%d.jsonl", path,
		have, part, strings.TrimSuffix(path, filepath.Ext(path)), max(1, part.number()))
}

func (p *Part) number() int {
	if p == nil {
		return 0
	}
	return p.Index
}

// CheckPart reports a file that has the events of another part of a plan than this run has.
func CheckPart(path string, part *Part) error {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil // opening the file for events reports the error, unless there are none yet
	}
	defer file.Close()
	past, err := ParseBegin(file)
	if err != nil {
		return nil
	}
	return past.checkPart(path, part)
}

// Attempts reads what the attempts of a shard have recorded in a folder, each in a file that only it writes: lines that
// are not whole are left out, and so are files without a whole line. A folder that does not exist has no attempts.
func Attempts(folder string, now Planned) (*Resumed, error) {
	paths, err := filepath.Glob(filepath.Join(literal(folder), attemptName(now.Part, "*")))
	if err != nil {
		return nil, err
	}
	var all *Resumed
	results := make([]*result.Result, now.Cases.Len())
	for _, path := range paths {
		file, err := input.Open(path, input.Results)
		if err != nil {
			return nil, fmt.Errorf("the events cannot be read: %w", err)
		}
		past := &Past{hint: "another folder keeps the runs apart"}
		_, err = past.restore(path, file, now, results)
		file.Close()
		switch {
		case past.Begin.Tool == "":
			continue // killed before the first event
		case err != nil:
			return nil, err
		}
		if err := past.checkPart(path, now.Part); err != nil {
			return nil, err
		}
		all = all.with(past, results)
	}
	return all, nil
}

// with adds another attempt, whose results are in the list of all.
func (r *Resumed) with(past *Past, results []*result.Result) *Resumed {
	if r == nil {
		r = &Resumed{Argv: past.Begin.Argv, Started: past.Begin.Started, Results: results}
	}
	if past.Begin.Started.Before(r.Started) {
		r.Argv, r.Started = past.Begin.Argv, past.Begin.Started
	}
	r.Elapsed += past.duration()
	return r
}

// NewAttempt creates a file for the events of another attempt of a shard, and the folder when it does not exist. No
// other attempt gets the same file, also on a file system without locks.
func NewAttempt(folder string, part *Part) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		path := filepath.Join(folder, attemptName(part, fmt.Sprint(n)))
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, file.Close()
	}
}

// attemptName is the name of the file of an attempt: "3-of-6.1.jsonl".
func attemptName(part *Part, attempt string) string {
	return fmt.Sprintf("%d-of-%d.%s.jsonl", part.Index, part.Count, attempt)
}

// literal quotes the characters of a path that a pattern would interpret.
func literal(path string) string {
	var b strings.Builder
	for _, r := range path {
		if slices.Contains([]rune(`*?[\`), r) && filepath.Separator == '/' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
