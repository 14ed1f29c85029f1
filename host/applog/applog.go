// Package applog reads the logs that rocBLAS and rocSOLVER wrote for an application, and recordings of its calls, for
// the command roclua log.
package applog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/exit"
	"roclua/host/files"
	"roclua/host/recording"
	"roclua/input"
	"roclua/workspace/footprint"
)

// Request selects the logs to read and the needs to compute.
type Request struct {
	Files     []string // "-" is standard input
	Profiles  []string // library releases; nil for the ones of the recordings, or the default
	Archs     []string // architectures; nil for the ones of the recordings, or the default
	Tuning    string   // where tuning files are; "" for nowhere
	Workspace *uint64  // bytes of a user-owned workspace; nil for none
	Stdin     io.Reader
	Order     bool // keep the order of the calls, for a script

	// Matmuls: products of hipBLASLt count as calls.
	Matmuls bool

	Form   files.Options // of files that list calls
	Listed bool          // all files list calls

	Calls     []string // that one handle makes, in addition to the files: "dgetrf m=1024 n=1024"
	OneHandle bool     // one handle makes all calls in a recording
	Runs      bool     // make the calls of recordings on all targets, with all that the programs set
	Sharing   bool     // find out whether the handles of a recording can share a workspace

	// Progress, if not nil, is called periodically with the lines and bytes read so far.
	Progress func(lines, bytes int64)
}

// Read reads the logs. It returns a usage error for a file that is not a log, and an error with the code exit.Nothing
// if the logs have no calls.
func Read(ctx context.Context, r Request) (*render.Report, error) {
	recordings := map[string]*recording.File{}
	for _, name := range r.Files {
		f, err := openRecording(name)
		if err != nil {
			return nil, err
		}
		if f != nil {
			defer f.Close()
			if r.Order {
				return nil, fmt.Errorf("--lua: %s is a recording, which runs without a script: roclua run %[1]s", name)
			}
			recordings[name] = f
		}
	}
	list, err := targetsOf(&r, recordings)
	if err != nil {
		return nil, err
	}
	l := analyze.New(analyze.Options{Targets: list, Progress: r.Progress, Order: r.Order})
	report := &render.Report{Workspace: r.Workspace, Order: l.Order}
	for _, name := range r.Files {
		f := recordings[name]
		if f == nil {
			if err := readFile(ctx, l, name, &r); err != nil {
				return nil, err
			}
			continue
		}
		recorded, err := readRecording(ctx, l, list, name, f, &r)
		if err != nil {
			return nil, err
		}
		report.Recordings = append(report.Recordings, recorded)
	}
	if report.Given, err = readCalls(l, r.Calls); err != nil {
		return nil, err
	}
	report.Answer = l.Answer()
	addFileNotes(report)
	if r.Matmuls && len(report.Matmuls) > 0 {
		return report, nil
	}
	return report, check(report.Answer, recordings, len(r.Files))
}

// defaultArch is the architecture that is used when none is named.
var defaultArch = arch.Default().Name

// stdinName names standard input in messages.
const stdinName = "standard input"

// headBytes is the size of the part of a file that shows its form.
const headBytes = 1 << 16

func readFile(ctx context.Context, l *analyze.Log, name string, r *Request) error {
	in := r.Stdin
	if name == "-" {
		name = stdinName
	} else {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory; name the logs in it", name)
		}
		in = file
	}
	head := bufio.NewReaderSize(in, headBytes)
	begin, _ := head.Peek(headBytes)
	if recording.Is(begin) { // from standard input
		return fmt.Errorf("%s is a recording, which is read from a file: roclua log FILE", name)
	}
	return readText(ctx, l, name, begin, head, r)
}

// readText reads a file that lists calls, or a log.
func readText(ctx context.Context, l *analyze.Log, name string, begin []byte, in io.Reader, r *Request) error {
	if !r.Listed && files.FormOf(name, begin) == nil {
		return wrap(name, l.Read(ctx, name, in))
	}
	text, err := input.Stream(ctx, in, name, input.Lines)
	if err != nil {
		return err
	}
	if err = l.List(ctx, name, text, r.Form); exit.Of(err) == exit.Nothing && len(r.Files) > 1 {
		return nil // others have calls, and may include it
	}
	return err
}

func wrap(name string, err error) error {
	var path *os.PathError // already has the name
	if err == nil || errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// lookedFor describes the lines of a log.
const lookedFor = "no line has a trace (rocblas_dgemm,N,N,...), a command (rocblas-bench -f gemm ..., " +
	"rocsolver-bench -f getrf ...), a profile (rocblas_function: ...), a trace tree (ENTER rocsolver_dgetrf trace " +
	"tree) or a row of rocprofv3 (\"MARKER_CORE_API\",...); roclua docs logging says how to write a log"

// check returns an error for files that are not logs, and for logs without a call. Recordings without one have
// handles.
func check(a *analyze.Answer, recordings map[string]*recording.File, files int) error {
	for i := range a.Files {
		switch f := &a.Files[i]; {
		case f.Recorded && f.Lines == 0:
			r := recordings[f.Name]
			text := []string{f.Name + " is a recording without rocBLAS or rocSOLVER calls"}
			text = slices.Concat(text, r.Process.Missing(), r.Problems)
			return exit.With(exit.Nothing, errors.New(strings.Join(text, "; ")))
		case f.Recorded:
		case f.Format != nil && (f.Other == f.Lines || f.Format.Binary):
			name := f.Name
			if name == stdinName {
				name = "FILE"
			}
			return fmt.Errorf("%s is %s: %s", f.Name, f.Format.Is, f.Format.Advice(name, "log"))
		case f.Lines == 0:
			return fmt.Errorf("%s is empty: the libraries wrote no line, or the program that was recorded ended at "+
				"its start; roclua docs logging says how to write a log", f.Name)
		case f.Other == f.Lines:
			return fmt.Errorf("%s is not a log of rocBLAS or rocSOLVER: %s", f.Name, lookedFor)
		}
	}
	if len(a.Calls) > 0 || len(recordings) == files {
		return nil
	}
	text := "no call is understood"
	if len(a.Cut)+len(a.NotModeled)+len(a.Empty) == 0 {
		text += ": the lines that are not other text are of handles, headers, or other functions that need no memory"
	}
	for _, of := range []struct {
		list []analyze.Function
		why  string
	}{
		{a.Cut, "the line is cut or has an unknown format"}, {a.NotModeled, "not modelled"},
		{a.Empty, "its trace tree has no arguments: a size query, or a call that failed"},
	} {
		for _, f := range of.list[:min(len(of.list), 3)] {
			text += fmt.Sprintf("; %s: %s (line %d)", f.Name, of.why, f.Line)
		}
	}
	why := []string{analyze.HiddenSolver, analyze.NoSizes, analyze.OtherLibrary}
	for _, n := range a.Notes {
		if slices.Contains(why, n.Code) {
			text += "; " + n.Text
		}
	}
	return exit.With(exit.Nothing, errors.New(text))
}

// readCalls counts the calls in a list, which one handle makes. It returns the handle; nil for an empty list.
func readCalls(l *analyze.Log, texts []string) (*analyze.Handle, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	calls := make([]*footprint.Call, 0, len(texts))
	for _, text := range texts {
		c, err := footprint.Parse(text)
		if err != nil {
			return nil, err
		}
		if c.Routine.Library == routine.HipSOLVER {
			return nil, fmt.Errorf("%s computes a buffer of hipSOLVER; a plan is of calls that use a handle: "+
				"use roclua size", c.Routine.Name)
		}
		calls = append(calls, c)
	}
	s, err := footprint.NewSequence(calls, nil)
	if err != nil {
		return nil, err
	}
	to := l.Recorded("calls", "")
	for i := range calls {
		to.Call(1, 0, s.Args(i), int64(i+1))
	}
	to.Lines(int64(len(calls)))
	return to.Handle(1), nil
}
