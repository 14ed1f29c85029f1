// Package importing makes scenarios that measure the calls of files for other benchmark programs.
package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"roclua/hip/routine"
	"roclua/host/files"
	"roclua/input"
)

type call struct {
	name   string // of the measurement
	line   int
	args   routine.Args
	rotate int64 // copies of the arguments; 1 for none
}

// mostCalls bounds a scenario's calls.
const mostCalls = 10_000

// Read reads a file, or standard input if its name is "-", for Scenario.
func Read(ctx context.Context, name string, stdin io.Reader) (text []byte, err error) {
	if name == "-" {
		return input.Stream(ctx, stdin, "standard input", input.Lines)
	}
	return input.File(name, input.Lines)
}

// Scenario returns a scenario in Lua that measures the calls in a file, and describes the file. The error has a
// line for each wrong line of a file without calls.
func Scenario(ctx context.Context, name string, text []byte, o files.Options) ([]byte, *files.Content, error) {
	var list []call
	names, known := map[string]int{}, map[routine.Args]bool{}
	products := int64(0)
	content, err := files.Read(ctx, name, text, o, func(c *files.Call) error {
		if c.Args == nil {
			products += c.Times
			return nil
		}
		if c.Merges && known[*c.Args] {
			return nil
		}
		if len(list) == mostCalls {
			return fmt.Errorf("%s has more than %d calls to measure; --category selects tests, and roclua import "+
				"without --measure lists all calls", name, mostCalls)
		}
		known[*c.Args] = c.Merges
		list = append(list, call{nameOf(c.Args, names), c.Line, *c.Args, max(c.Copies, 1)})
		return nil
	})
	if err != nil {
		return nil, content, err
	}
	if len(list) == 0 && products > 0 {
		return nil, content, errors.New("products of hipBLASLt are not measured: roclua gemm --lt lists their kernels")
	}
	return write(filepath.Base(name), content.IgnoredNote(), list), content, nil
}

// nameOf returns the name of a measurement: the routine and its sizes, with a number if another one has that name.
func nameOf(a *routine.Args, names map[string]int) string {
	name := a.Routine.Name
	for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.NRHS, routine.BatchCount} {
		if p, ok := a.Routine.ParamAt(s); ok {
			name += fmt.Sprintf("_%s%d", strings.TrimSuffix(p.Name, "_count"), a.Int(s))
		}
	}
	if names[name]++; names[name] > 1 {
		return fmt.Sprintf("%s_%d", name, names[name])
	}
	return name
}
