// Package size computes the workspace that calls need, for the command roclua size, as text, JSON, a table or a
// picture. It needs neither a device nor a script.
//
//	q, err := size.New(size.Request{Calls: []string{"dgetrf m=n n=n"}, Profiles: []string{"rocm-7.2"},
//		Archs: []string{"gfx90a"}, Sweeps: []string{"n=64:8192:x2"}})
//	err = output.WriteText(os.Stdout, q)
//
// A query without sweeps has one answer for each target, which lists the buffers of each call. A query with sweeps has
// one number of bytes for each point and target, and is written as it is computed: a sweep of a million points needs no
// more memory than one of ten.
package size

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/config"
	"roclua/host/files"
	"roclua/host/output"
	"roclua/host/targets"
	"roclua/input"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
)

// Request specifies the computation.
type Request struct {
	Calls    []string // routines with their arguments, "dgetrf m=1024 n=1024"
	Profiles []string // library releases
	Archs    []string // architectures
	Tuning   string   // where tuning files are; "" for nowhere
	Sweeps   []string // values of a parameter, "n=64:8192:x2"; several multiply
	Unknown  string   // assumed bytes for calls with unknown needs, "32M"; "" for no bound
}

// Query is a checked request.
type Query struct {
	sequence *footprint.Sequence
	targets  []footprint.Target // each profile on each architecture
}

// New checks a request.
func New(r Request) (*Query, error) {
	list, err := targets.Of(r.Profiles, r.Archs, r.Tuning)
	if err != nil {
		return nil, err
	}
	if err := setBound(list, r.Unknown); err != nil {
		return nil, err
	}
	var calls []*footprint.Call
	for _, text := range r.Calls {
		c, err := footprint.Parse(text)
		if err != nil {
			return nil, err
		}
		calls = append(calls, c)
	}
	axes, err := axesOf(r.Sweeps, calls)
	if err != nil {
		return nil, err
	}
	if err := checkPoints(axes); err != nil {
		return nil, err
	}
	s, err := footprint.NewSequence(calls, axes)
	if err != nil {
		return nil, err
	}
	return &Query{s, list}, nil
}

// ReadCalls replaces the argument "-" by the calls of an input: of a file of a known form, or its lines without blank
// lines and comments.
func ReadCalls(ctx context.Context, args []string, stdin io.Reader, o files.Options) ([]string, error) {
	var calls []string
	for _, arg := range args {
		if arg != "-" {
			calls = append(calls, arg)
			continue
		}
		text, err := input.Stream(ctx, stdin, "standard input", input.Lines)
		if err != nil {
			return nil, err
		}
		list, ok, err := files.Texts(ctx, "standard input", text, o)
		if err != nil {
			return nil, err
		}
		if ok {
			calls = append(calls, list...)
			continue
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "#")
			if strings.TrimSpace(line) != "" {
				calls = append(calls, line)
			}
		}
	}
	if len(calls) == 0 {
		return nil, fmt.Errorf("standard input has no calls")
	}
	return calls, nil
}

func setBound(list []footprint.Target, text string) error {
	if text == "" {
		return nil
	}
	var bytes config.Size
	if err := bytes.UnmarshalText([]byte(text)); err != nil {
		return fmt.Errorf("--unknown: %w", err)
	}
	for i := range list {
		list[i].Bound = behavior.Bound{Bytes: uint64(bytes), Given: true}
	}
	return nil
}

func axesOf(sweeps []string, calls []*footprint.Call) ([]footprint.Axis, error) {
	var axes []footprint.Axis
	for _, text := range sweeps {
		name, values, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--sweep %s: want NAME=VALUES, such as n=64:8192:x2", text)
		}
		if slices.ContainsFunc(axes, func(a footprint.Axis) bool { return a.Name == name }) {
			return nil, fmt.Errorf("--sweep %s: %s is swept twice", text, name)
		}
		list, err := config.ParseAxis(values)
		if err != nil {
			return nil, fmt.Errorf("--sweep %s: %w", name, err)
		}
		axis, err := footprint.NewAxis(name, list, calls)
		if err != nil {
			return nil, fmt.Errorf("--sweep: %w", err)
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

// maxPoints bounds the points of a sweep; each takes a few microseconds.
const maxPoints = 1_000_000_000

// checkPoints returns an error if axes multiply to more than maxPoints.
func checkPoints(axes []footprint.Axis) error {
	points := 1
	var factors []string
	for _, a := range axes {
		factors = append(factors, fmt.Sprintf("%s(%d)", a.Name, len(a.Values)))
		points *= len(a.Values) // each is at most config.MaxValues, so the product cannot overflow
		if points > maxPoints {
			return fmt.Errorf("--sweep: %s has more than %d points; use larger steps or factors, such as 64:8192:x2",
				strings.Join(factors, " x "), maxPoints)
		}
	}
	return nil
}

// footprints computes a query without sweeps for each target.
func (q *Query) footprints() ([]*footprint.Footprint, error) {
	var list []*footprint.Footprint
	for _, t := range q.targets {
		f, err := q.sequence.On(t, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

func (q *Query) isSweep() bool { return len(q.sequence.Axes) > 0 }

// Sections has the need of each call and of the sequence, a handle's memory under each scheme, and warnings; or a row
// for each point of a sweep.
func (q *Query) Sections() (*answer.Answer, error) {
	if err := q.CheckText(); err != nil {
		return nil, err
	}
	if q.isSweep() {
		return q.sweepAnswer(), nil
	}
	list, err := q.footprints()
	if err = cmp.Or(err, refused(list)); err != nil {
		return nil, err
	}
	return answerOf(q.sequence, list), nil
}

// CheckText returns an error for a sweep with more than maxRows points.
func (q *Query) CheckText() error {
	if n := q.sequence.Points(); n > maxRows {
		return fmt.Errorf("--sweep: %d points are too many for a table, which can have %d; "+
			"use --csv or --json, or larger steps", n, maxRows)
	}
	return nil
}

// maxRows bounds the rows of a table in text form, which is built in memory.
const maxRows = 100_000

// Table has a row for each buffer, or for each point of a sweep.
func (q *Query) Table() (output.Table, error) {
	if q.isSweep() {
		return q.sweepTable(), nil
	}
	list, err := q.footprints()
	return bufferTable(q.sequence, list), cmp.Or(err, refused(list))
}

// Title names the calls.
func (q *Query) Title() string { return "roclua size: " + q.sequence.String() }

// One returns the need of one call on a target, without the warnings of a Query. Errors do
// not name the call.
func One(t footprint.Target, text string, buffers bool) (Entry, error) {
	c, err := footprint.Parse(text)
	if err != nil {
		return Entry{}, err
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return Entry{}, errors.Unwrap(err) // without the number of the call
	}
	n, err := s.Need(t, 0, nil)
	var refused *footprint.Refusal
	if errors.As(err, &refused) {
		refused.Call = 0
	}
	if err != nil {
		return Entry{}, err
	}
	n.Defects = s.Defects(t, 0, nil)
	return entryOf(t, c, &n, buffers), nil
}
