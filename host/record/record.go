// Package record runs a program with the recorder, a library that is loaded before the program's own and writes the
// calls that it makes to rocBLAS, rocSOLVER and HIP. Package recording reads the files.
package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"roclua/hip/release"
	"roclua/host/exit"
	"roclua/host/recording"
	"roclua/internal/units"
)

// The variables with the name of a recorder's file, and with the file that lists these names.
const (
	fileVariable = "ROCLUA_RECORD"
	listVariable = "ROCLUA_RECORD_LIST"
)

// The exit codes of shells for commands that cannot be started.
const (
	notExecutable exit.Code = 126
	notFound      exit.Code = 127
)

// DefaultFile is the name of recordings by default: one for each process.
const DefaultFile = "roclua-%p.rec"

// Request is a program to record.
type Request struct {
	File    string   // of the first process that makes a call; %p is the number of a process, %h the host
	Command []string // the program and its arguments
	Environ []string // of the program, without the recorder's variables
	Runtime string   // a library in the place of HIP; "" for none
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
}

// Result describes the ended program and its recordings.
type Result struct {
	Code   int       // exit code of the program; 128 and its number if a signal ended it
	Signal os.Signal // that ended the program; nil for none
	Files  []string
	CUDA   bool // nothing was recorded, and the program uses CUDA

	Calls, Handles, Growths int
	Problems                []string // of the files, and of processes without one
}

// Run runs the program and counts the recorded calls. The program has the exit code of the result; an error means that
// it did not run.
func Run(ctx context.Context, r Request) (*Result, error) {
	program, err := Find(r.Command[0])
	if err != nil {
		return nil, err
	}
	if file := variable(r.Environ, fileVariable); file != "" {
		return nil, fmt.Errorf("this program is already recorded, to %s: record cannot record itself", file)
	}
	file, err := checkFile(r.File)
	if err != nil {
		return nil, err
	}
	libraries, err := libraries(ctx)
	if err != nil {
		return nil, exit.With(exit.Unavailable, err)
	}
	list, err := os.CreateTemp("", "roclua-record-")
	if err != nil {
		return nil, err
	}
	list.Close()
	defer os.Remove(list.Name())
	c := &exec.Cmd{Path: program, Args: r.Command, Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr}
	c.Env = append(slices.Clone(r.Environ), fileVariable+"="+file, listVariable+"="+list.Name())
	before := func(name, value string) { c.Env = append(c.Env, name+"="+join(value, variable(r.Environ, name))) }
	// AddressSanitizer refuses to start if its library is not the first one.
	before("ASAN_OPTIONS", "verify_asan_link_order=0")
	before("LD_AUDIT", libraries[1])
	if r.Runtime == "" {
		before("LD_PRELOAD", libraries[0])
	} else {
		before("LD_PRELOAD", join(libraries[0], r.Runtime))
		before("LD_LIBRARY_PATH", filepath.Dir(r.Runtime))
	}
	result, err := runProgram(c)
	if err != nil {
		return nil, exit.With(notExecutable, fmt.Errorf("%s cannot be started: %w", r.Command[0], cause(err)))
	}
	return result, result.read(list.Name())
}

// Find finds the program of a command.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, exec.ErrDot):
		return path, nil // as a shell does
	case errors.Is(err, fs.ErrPermission):
		return "", exit.With(notExecutable, fmt.Errorf("%s cannot be executed: %w", name, cause(err)))
	case err != nil:
		return "", exit.With(notFound, fmt.Errorf("%s: command not found", name))
	}
	return path, nil
}

// cause returns the error of the operating system in an error that repeats the name.
func cause(err error) error {
	var inPath *fs.PathError
	var inCommand *exec.Error
	switch {
	case errors.As(err, &inPath):
		return inPath.Err
	case errors.As(err, &inCommand):
		return inCommand.Err
	}
	return err
}

// checkFile returns the absolute name of the recording, and removes an old one. Its folder must be writable.
func checkFile(name string) (string, error) {
	refuse := func(why string) error { return fmt.Errorf("--output %s: %s", name, why) }
	numbers := strings.NewReplacer("%p", "", "%h", "")
	if name == "" || strings.HasSuffix(name, "/") {
		return "", refuse("write the name of a file, such as app.rec")
	}
	if strings.Contains(strings.ReplaceAll(numbers.Replace(name), "%%", ""), "%") {
		return "", refuse("%p is the number of the process, %h the host and %% a percent sign; nothing else follows %")
	}
	pattern := name
	if !filepath.IsAbs(name) {
		working, err := os.Getwd()
		if err != nil {
			return "", refuse(cause(err).Error())
		}
		pattern = strings.ReplaceAll(working, "%", "%%") + "/" + name
	}
	file := filepath.Clean(strings.ReplaceAll(pattern, "%%", "%"))
	if numbers.Replace(pattern) != pattern { // the names of files are not known yet
		file = filepath.Join(filepath.Dir(file), fmt.Sprintf("roclua-record-%d", os.Getpid()))
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return "", refuse("is not a regular file")
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return "", refuse(cause(err).Error())
	}
	defer f.Close()
	if err := checkOld(f); err != nil {
		return "", refuse(err.Error())
	}
	return pattern, os.Remove(file) // the first process that records creates it
}

// checkOld returns an error for a file that would be lost: one that is not a recording, or that is still written.
func checkOld(f *os.File) error {
	if !lock(f) {
		return errors.New("another command records to it now; name another file, or use %p in the name")
	}
	begin := make([]byte, len(recording.Magic))
	if n, _ := io.ReadFull(f, begin); n > 0 && !recording.Is(begin[:n]) {
		return errors.New("exists and is not a recording; it would be lost")
	}
	return nil
}

// variable returns the value of a variable; "" if it is not set.
func variable(environ []string, name string) string {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// join adds the libraries that are set already.
func join(library, others string) string {
	if others == "" {
		return library
	}
	return library + ":" + others
}

// read reads the list, which has lines with the number of a process and the path or the state of its recording, and the
// recordings.
func (r *Result) read(list string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	begun := map[string]int{} // recordings that are not complete, by process
	for line := range strings.Lines(string(text)) {
		process, entry, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch entry {
		case "CUDA":
			r.CUDA = true
		case "begins":
			begun[process]++
		case "refused": // the process itself says why
			begun[process]--
		default:
			begun[process]--
			r.Files = append(r.Files, entry)
		}
	}
	for _, process := range slices.Sorted(maps.Keys(begun)) {
		if begun[process] > 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("process %s ended before its recording was complete", process))
		}
	}
	for _, name := range r.Files {
		if err := r.count(name); err != nil {
			r.Problems = append(r.Problems, err.Error())
		}
	}
	return nil
}

// count adds the calls of a recording.
func (r *Result) count(name string) error {
	f, err := recording.Open(name)
	if err != nil {
		return err
	}
	r.Calls += f.Totals.Calls
	r.Handles += f.Totals.Handles
	r.Growths += f.Totals.Growths
	facts := f.Process.Facts
	if _, err := release.Of(facts["rocblas.version"], facts["rocsolver.version"]); err != nil && f.Totals.Calls > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", name, err))
	}
	for _, p := range f.Problems {
		r.Problems = append(r.Problems, name+": "+p)
	}
	return f.Close()
}

// Summary describes the recordings in one line.
func (r *Result) Summary() string {
	if len(r.Files) == 0 {
		return "nothing was recorded: " + r.nothing()
	}
	names := make([]string, 0, len(r.Files))
	working, _ := os.Getwd()
	for _, name := range r.Files {
		if short, err := filepath.Rel(working, name); err == nil && !strings.HasPrefix(short, "..") {
			name = short
		}
		names = append(names, name)
	}
	const most = 8
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("and %d more", n-most))
	}
	return fmt.Sprintf("%s, %s, %s: %s", units.Count(r.Calls, "call"), units.Count(r.Handles, "handle"),
		units.Count(r.Growths, "growth"), strings.Join(names, " "))
}

// nothing explains an empty recording.
func (r *Result) nothing() string {
	if r.CUDA {
		return "the program uses CUDA, which ran as without record; rocBLAS, rocSOLVER and HIP calls are recorded"
	}
	if len(r.Problems) > 0 {
		return "no recording was completed"
	}
	if r.Code == int(notFound) || r.Code == int(notExecutable) {
		return fmt.Sprintf("the command ended with exit code %d, as where a program, a library or a function that it "+
			"needs is missing; its message says which", r.Code)
	}
	return "no process of the command called rocBLAS, rocSOLVER or HIP where the recorder is loaded; programs that " +
		"are linked statically, setuid, built for another C library or processor, or started with an empty " +
		"environment do not load it"
}
