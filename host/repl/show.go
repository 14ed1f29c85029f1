package repl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/luabind"
)

// Greet describes an interactive session.
func (s *Session) Greet() {
	if s.Interactive {
		fmt.Fprintf(s.Out, "roclua %s, Lua 5.1. :help lists commands, Tab completes, ctrl-d ends.\n", s.Version)
	}
	s.greet()
}

func (s *Session) greet() {
	if !s.Interactive {
		return
	}
	// Probing does not use the runtime, because its calls count for the script.
	report, profile := hip.Probe(s.settings.Platform, s.settings.Devices), s.settings.Profile
	for _, d := range report.Devices[:min(len(report.Devices), 1)] {
		fmt.Fprintf(s.Out, "%s: %s (%s), %s\n", s.settings.Platform, d.Name, d.Arch,
			units.FormatBytes(d.MemoryBytes))
	}
	fmt.Fprintf(s.Out, "%s: rocBLAS %s, rocSOLVER %s; %s\n", profile.Name, profile.RocBLAS, profile.RocSOLVER,
		computes(report))
	fmt.Fprintf(s.Out, "rocblas, rocsolver, hip and array are loaded; %s\n", s.handleText())
}

// computes names the library that computes for a platform.
func computes(report driver.Report) string {
	if len(report.Parts) == 0 {
		return report.Numbers
	}
	var parts []string
	for _, p := range report.Parts {
		switch {
		case p.Path == "":
			parts = append(parts, "no "+p.Name+" ("+p.Missing+")")
		case strings.HasPrefix(p.Version, p.Name):
			parts = append(parts, p.Version)
		default:
			parts = append(parts, p.Name+" "+p.Version)
		}
	}
	return strings.Join(parts, ", ")
}

func (s *Session) handleText() string {
	if s.settings.Scheme == "" {
		return "no handle is open"
	}
	return "handle is open, scheme " + s.settings.Scheme
}

// show writes the values of an entry on one line, or on separate lines if a value has several.
func (s *Session) show(values []string) {
	if len(values) == 0 {
		return
	}
	separator := "  "
	if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "\n") }) {
		separator = "\n"
	}
	fmt.Fprintln(s.Out, strings.Join(values, separator))
}

// showError writes an error, a syntax error with its source line, others with the traceback if it has several calls.
func (s *Session) showError(err error) {
	var script *luabind.Error
	var abort *luabind.Abort
	var internal *luabind.InternalError
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "interrupted")
		return
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(s.Err, "ran longer than its limit of %s\n", s.settings.Limit)
		return
	}
	fmt.Fprintln(s.Err, err)
	switch {
	case errors.As(err, &internal):
		fmt.Fprintln(s.Err, internal.Stack)
	case errors.As(err, &abort):
		fmt.Fprintf(s.Err, "  the session continues; %sreset starts again\n", prefix)
	case errors.As(err, &script):
		s.showPlace(script)
	}
}

func (s *Session) showPlace(err *luabind.Error) {
	if err.Column > 0 {
		fmt.Fprintf(s.Err, "  %s\n", err.Source)
	}
	calls := slices.DeleteFunc(strings.Split(err.Traceback, "\n"), func(call string) bool {
		return strings.HasPrefix(call, "(tailcall)") // an expression is a tail call of its entry
	})
	if len(calls) > 1 {
		for _, call := range calls {
			fmt.Fprintf(s.Err, "  %s\n", call)
		}
	}
}

func (s *Session) table(rows [][]string) {
	w := tabwriter.NewWriter(s.Out, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	w.Flush()
}

// showCalls writes HIP calls, one per line.
func (s *Session) showCalls(calls []trace.Call) {
	rows := [][]string{{"call", "bytes", "stream", "cause", "at", "result"}}
	for _, c := range calls {
		bytes, stream := "", ""
		if c.HasBytes {
			bytes = strconv.FormatUint(c.Bytes, 10)
		}
		if c.HasStream {
			stream = strconv.Itoa(c.Stream)
		}
		rows = append(rows, []string{c.Name, bytes, stream, c.Cause, c.Origin, c.Result.Error()})
	}
	s.table(rows)
}

// showTraced writes the calls of the last entry, if they are traced.
func (s *Session) showTraced() {
	if !s.tracing {
		return
	}
	if calls := s.runtime.Trace(); len(calls) > 0 {
		s.showCalls(calls)
	}
}

// showStats writes the number of calls so far.
func (s *Session) showStats() {
	stats := s.runtime.Stats()
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(stats.Calls)) {
		rows = append(rows, []string{name, strconv.Itoa(stats.Calls[name])})
	}
	for _, cause := range slices.Sorted(maps.Keys(stats.Syncs)) {
		rows = append(rows, []string{"waits for the device, by " + cause, strconv.Itoa(stats.Syncs[cause])})
	}
	rows = append(rows, []string{"routines executed", strconv.Itoa(stats.Kernels)},
		[]string{"open streams", strconv.Itoa(stats.Streams)}, []string{"open events", strconv.Itoa(stats.Events)},
		[]string{"live", units.FormatBytes(stats.LiveBytes)}, []string{"peak",
			units.FormatBytes(stats.PeakBytes)})
	s.table(rows)
}

func (s *Session) showMemory() {
	stats := s.runtime.Stats()
	s.table([][]string{{"live", fmt.Sprintf("%s in %s", units.FormatBytes(stats.LiveBytes),
		units.Count(stats.LiveBlocks, "block"))},
		{"peak", units.FormatBytes(stats.PeakBytes)}, {"capacity",
			units.FormatBytes(s.runtime.History().Capacity)}})
	var rows [][]string
	for _, h := range s.lua.Holders() {
		made := "opened as " + s.settings.Scheme
		if h.Made != "" {
			made = "made at " + h.Made
		}
		rows = append(rows, []string{h.Text, made})
	}
	for _, l := range s.runtime.Leaks() {
		if l.Kind == "device memory" && l.Cause == trace.CauseScript {
			rows = append(rows, []string{"block of " + units.FormatBytes(l.Bytes),
				strings.TrimSpace(l.Call + " " + l.Origin)})
		}
	}
	s.table(rows)
}
