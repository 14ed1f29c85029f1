package size

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"roclua/hip/release"
	"roclua/host/answer"
	"roclua/host/output"
	"roclua/host/targets"
	"roclua/workspace/footprint"
)

// mostDrawn bounds the points of a picture, so that a large sweep is not computed twice.
const mostDrawn = 10_000

// need is the need of a sequence at a point on a target.
type need struct {
	bytes   uint64
	decides int // number of the call, from 0
	err     error
}

// points yields each point with the need on each target. Both are valid until the next one.
func (q *Query) points() iter.Seq2[[]int, []need] {
	return func(yield func([]int, []need) bool) {
		var point []int
		needs := make([]need, len(q.targets))
		for i := range q.sequence.Points() {
			point = q.sequence.Point(i, point)
			for k, t := range q.targets {
				n := &needs[k]
				n.bytes, n.decides, n.err = q.sequence.Bytes(t, point)
			}
			if !yield(point, needs) {
				return
			}
		}
	}
}

// sweepAnswer has a picture, a row for each point with the bytes of all targets, and the points where a larger problem
// needs less.
func (q *Query) sweepAnswer() *answer.Answer {
	s := q.sequence
	var labels, names, falls []string
	for _, a := range s.Axes {
		labels = append(labels, a.Name)
	}
	for _, t := range q.targets {
		names = append(names, t.String())
	}
	if len(s.Calls) > 1 {
		labels = append(labels, "decided by")
	}
	t := answer.NewTable(labels...).Targets(names)
	before := make([]need, len(q.targets))
	for point, needs := range q.points() {
		row := q.labels(point)
		if decides := needs[0].decides; len(s.Calls) > 1 {
			row = append(row, fmt.Sprintf("%d  %s", decides+1, s.Calls[decides].Routine.UniqueName()))
		}
		for k, n := range needs {
			if text := q.fall(k, point, before[k], n); text != "" {
				falls = append(falls, text)
			}
			if n.err != nil {
				row = append(row, refusalCell(n.err))
			} else {
				row = append(row, targets.ShortBytes(n.bytes))
			}
		}
		t.Row(row...)
		copy(before, needs)
	}
	if more := len(falls) - shownFalls; more > 0 {
		falls = append(falls[:shownFalls], fmt.Sprintf("and %d more points", more))
	}
	a := &answer.Answer{Sections: []answer.Section{{Table: t, Below: takenLines(s)},
		{Heading: "warning: a smaller problem needs more", List: falls}}}
	if s.Points()*len(q.targets) > mostDrawn {
		return a
	}
	if c, err := q.chart(); err == nil { // else there is nothing to draw, or too many lines
		a.Sections = append([]answer.Section{{Picture: c, Caption: "The bytes over " + c.XLabel + "."}}, a.Sections...)
	}
	return a
}

// labels returns the values of the axes at a point.
func (q *Query) labels(point []int) []string {
	var labels []string
	for k, a := range q.sequence.Axes {
		labels = append(labels, a.Label(point[k]))
	}
	return labels
}

// refusalCell returns one word for the reason that a point has no bytes.
func refusalCell(err error) string {
	if r, ok := err.(*footprint.Refusal); ok && r.Result() != "" {
		return r.Result()
	}
	return "unknown"
}

func (q *Query) sweepTable() output.Table {
	columns := []string{"profile", "arch"}
	for _, a := range q.sequence.Axes {
		columns = append(columns, a.Name)
	}
	rows := func(add func(row []string) error) error {
		var row []string
		for point, needs := range q.points() {
			for k, n := range needs {
				t := q.targets[k]
				row = append(append(row[:0], t.Profile.Name, t.Arch), q.labels(point)...)
				if n.err != nil {
					row = append(row, "", "", n.err.Error())
				} else {
					row = append(row, decimal(n.bytes), strconv.Itoa(n.decides+1), "")
				}
				if err := add(row); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return output.Table{Columns: append(columns, "bytes", "decided_by", "error"), Rows: rows}
}

// writeSweep writes one object: calls, axes, builds, and a list of points. The points are formatted without
// encoding/json, because a sweep may have millions.
func (q *Query) writeSweep(w io.Writer) error {
	head, err := json.Marshal(sweepHead(q.sequence, q.targets))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s,\n\"points\":[", head[:len(head)-1]); err != nil {
		return err
	}
	tails := make([]string, len(q.targets))
	for k, t := range q.targets {
		tails[k] = fmt.Sprintf("\"profile\":%q,\"arch\":%q", t.Profile.Name, t.Arch)
	}
	line, separator := []byte(nil), "\n"
	for point, needs := range q.points() {
		for k, n := range needs {
			line = append(append(line[:0], separator...), '{')
			line = append(appendPoint(line, q.sequence, point), tails[k]...)
			line = appendNeed(line, n)
			if _, err := w.Write(append(line, '}')); err != nil {
				return err
			}
			separator = ",\n"
		}
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

type (
	sweepReport struct {
		Schema   int            `json:"schema_version"`
		Calls    []string       `json:"calls"`
		Defaults []callDefaults `json:"defaults,omitempty"` // of the benchmark programs
		Axes     []string       `json:"axes"`
		Builds   []sweepBuild   `json:"builds,omitempty"` // builds reproduced by the profiles
	}
	callDefaults struct {
		Call     string   `json:"call"`
		Defaults []string `json:"defaults"` // "uplo=upper"
	}
	sweepBuild struct {
		Profile string `json:"profile"`
		release.Build
	}
)

func sweepHead(s *footprint.Sequence, targets []footprint.Target) sweepReport {
	r := sweepReport{Schema: schemaVersion}
	for _, c := range s.Calls {
		r.Calls = append(r.Calls, c.Text)
		if c.Taken() != nil {
			r.Defaults = append(r.Defaults, callDefaults{c.Text, c.Taken()})
		}
	}
	for _, a := range s.Axes {
		r.Axes = append(r.Axes, a.Name)
	}
	for _, p := range builtProfiles(targets) {
		build, _ := p.Build()
		r.Builds = append(r.Builds, sweepBuild{p.Name, build})
	}
	return r
}

func appendPoint(line []byte, s *footprint.Sequence, point []int) []byte {
	for k := range s.Axes {
		a := &s.Axes[k]
		line = append(line, '"')
		line = append(append(line, a.Name...), `":`...)
		if a.Labels != nil {
			line = strconv.AppendQuote(line, a.Labels[point[k]])
		} else {
			line = strconv.AppendInt(line, a.Values[point[k]], 10)
		}
		line = append(line, ',')
	}
	return line
}

func appendNeed(line []byte, n need) []byte {
	if n.err != nil {
		text, _ := json.Marshal(n.err.Error())
		return append(append(line, `,"error":`...), text...)
	}
	line = strconv.AppendUint(append(line, `,"bytes":`...), n.bytes, 10)
	return strconv.AppendInt(append(line, `,"decided_by":`...), int64(n.decides+1), 10)
}

// shownFalls bounds the points where a smaller problem needs more.
const shownFalls = 8

// fall describes a point where the bytes on a target are less than at the point before, which has a smaller value of
// the last axis: a workspace for the largest problem is too small for a smaller one. It returns "" for another point.
func (q *Query) fall(target int, point []int, before, now need) string {
	last := len(point) - 1
	axis, at := &q.sequence.Axes[last], point[last] // it varies fastest
	if axis.Labels != nil || at == 0 || axis.Values[at] <= axis.Values[at-1] || before.err != nil || now.err != nil ||
		now.bytes >= before.bytes {
		return ""
	}
	where := ""
	for k := range last {
		where += fmt.Sprintf(" at %s = %s", q.sequence.Axes[k].Name, q.sequence.Axes[k].Label(point[k]))
	}
	if len(q.targets) > 1 {
		where += " on " + q.targets[target].String()
	}
	return fmt.Sprintf("%s = %s needs %s, more than the %s of %s = %s%s", axis.Name, axis.Label(at-1),
		targets.ShortBytes(before.bytes), targets.ShortBytes(now.bytes), axis.Name, axis.Label(at), where)
}
