package size

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"roclua/hip/release"
	"roclua/host/answer"
	"roclua/host/output"
	"roclua/host/targets"
	"roclua/workspace/footprint"
)

// mostDrawn bounds the points of a picture, so that a large sweep is not computed twice.
const mostDrawn = 10_000

// sweepAnswer has a picture, a row for each point with the bytes of all targets, and the points where a larger problem
// needs less.
func sweepAnswer(s *footprint.Sequence, list []footprint.Target) *answer.Answer {
	var labels, names []string
	for _, a := range s.Axes {
		labels = append(labels, a.Name)
	}
	for _, t := range list {
		names = append(names, t.String())
	}
	if len(s.Calls) > 1 {
		labels = append(labels, "decided by")
	}
	t := answer.NewTable(labels...).Targets(names)
	falls := &fallFinder{sequence: s, targets: list}
	var point []int
	for i := range s.Points() {
		point = s.Point(i, point)
		row, cells := pointLabels(s, point), []string(nil)
		decides := -1
		for k, target := range list {
			bytes, by, err := s.Bytes(target, point)
			falls.add(k, point, bytes, err)
			if k == 0 {
				decides = by
			}
			if err != nil {
				cells = append(cells, refusalCell(err))
			} else {
				cells = append(cells, targets.ShortBytes(bytes))
			}
		}
		if len(s.Calls) > 1 {
			row = append(row, fmt.Sprintf("%d  %s", decides+1, s.Calls[decides].Routine.UniqueName()))
		}
		t.Row(append(row, cells...)...)
	}
	if falls.more > 0 {
		falls.lines = append(falls.lines, fmt.Sprintf("and %d more points", falls.more))
	}
	a := &answer.Answer{Sections: []answer.Section{{Table: t, Below: takenLines(s)},
		{Heading: "warning: a smaller problem needs more", List: falls.lines}}}
	if s.Points()*len(list) > mostDrawn {
		return a
	}
	if c, err := sweepChart(s, list); err == nil { // else there is nothing to draw, or too many lines
		a.Sections = append([]answer.Section{{Picture: c, Caption: "The bytes over " + c.XLabel + "."}}, a.Sections...)
	}
	return a
}

func pointLabels(s *footprint.Sequence, point []int) []string {
	var labels []string
	for k, a := range s.Axes {
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

func sweepTable(s *footprint.Sequence, targets []footprint.Target) output.Table {
	columns := []string{"profile", "arch"}
	for _, a := range s.Axes {
		columns = append(columns, a.Name)
	}
	rows := func(add func(row []string) error) error {
		var point []int
		var row []string
		for i := range s.Points() {
			point = s.Point(i, point)
			for _, t := range targets {
				row = append(append(row[:0], t.Profile.Name, t.Arch), pointLabels(s, point)...)
				bytes, by, err := s.Bytes(t, point)
				if err != nil {
					row = append(row, "", "", err.Error())
				} else {
					row = append(row, decimal(bytes), strconv.Itoa(by+1), "")
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

// writeSweepJSON writes one object: calls, axes, builds, and a list of points. The points are formatted without
// encoding/json, because a sweep may have millions.
func writeSweepJSON(w io.Writer, s *footprint.Sequence, targets []footprint.Target) error {
	head, err := json.Marshal(sweepHead(s, targets))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s,\n\"points\":[", head[:len(head)-1]); err != nil {
		return err
	}
	tails := make([]string, len(targets))
	for i, t := range targets {
		tails[i] = fmt.Sprintf("\"profile\":%q,\"arch\":%q", t.Profile.Name, t.Arch)
	}
	var point []int
	line, separator := []byte(nil), "\n"
	for i := range s.Points() {
		point = s.Point(i, point)
		for k, t := range targets {
			line = append(append(line[:0], separator...), '{')
			line = appendPoint(line, s, point)
			line = append(line, tails[k]...)
			line = appendResult(line, s, t, point)
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

func appendResult(line []byte, s *footprint.Sequence, t footprint.Target, point []int) []byte {
	bytes, by, err := s.Bytes(t, point)
	if err != nil {
		text, _ := json.Marshal(err.Error())
		return append(append(line, `,"error":`...), text...)
	}
	line = strconv.AppendUint(append(line, `,"bytes":`...), bytes, 10)
	return strconv.AppendInt(append(line, `,"decided_by":`...), int64(by+1), 10)
}

// fallFinder finds points where the bytes decrease while a numeric axis increases, so a workspace for the largest
// problem is too small for a smaller one.
type fallFinder struct {
	sequence *footprint.Sequence
	targets  []footprint.Target
	before   []uint64 // previous point, by target
	known    []bool
	lines    []string
	more     int
}

// shownFalls bounds the listed points.
const shownFalls = 8

// add takes the next point of a target. The last axis varies fastest.
func (f *fallFinder) add(target int, point []int, bytes uint64, err error) {
	if f.before == nil {
		f.before, f.known = make([]uint64, len(f.targets)), make([]bool, len(f.targets))
	}
	last := len(f.sequence.Axes) - 1
	axis := &f.sequence.Axes[last]
	rising := axis.Labels == nil && point[last] > 0 && axis.Values[point[last]] > axis.Values[point[last]-1]
	if rising && err == nil && f.known[target] && bytes < f.before[target] {
		if len(f.lines) < shownFalls {
			f.lines = append(f.lines, f.describe(target, point, bytes))
		} else {
			f.more++
		}
	}
	f.before[target], f.known[target] = bytes, err == nil
}

func (f *fallFinder) describe(target int, point []int, bytes uint64) string {
	last := len(point) - 1
	axis, where := &f.sequence.Axes[last], ""
	for k := range last {
		where += fmt.Sprintf(" at %s = %s", f.sequence.Axes[k].Name, f.sequence.Axes[k].Label(point[k]))
	}
	if len(f.targets) > 1 {
		where += " on " + f.targets[target].String()
	}
	return fmt.Sprintf("%s = %s needs %s, more than the %s of %s = %s%s", axis.Name, axis.Label(point[last]-1),
		targets.ShortBytes(f.before[target]),
		targets.ShortBytes(bytes), axis.Name, axis.Label(point[last]), where)
}
