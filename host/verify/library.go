package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/exit"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// replyTimeout bounds an operation. It takes less than a second unless a library hangs.
const replyTimeout = time.Minute

// request is the number of a case, and the indexes of its operations that the library performs.
type request struct {
	Case int
	Ops  []int
}

// reply is the result of an operation, or why there are no results.
type reply struct {
	sequence.Result
	Problem string
	Missing bool // a library is not installed
}

// Serve performs operations on the libraries of this process, for the process that compares: its requests name cases
// in ascending order. A reply follows each operation, so that a crash of the library shows which one ended the process.
func Serve(o Options, requests io.Reader, replies io.Writer) error {
	next, stop := iter.Pull(o.cases())
	defer stop()
	in, out := json.NewDecoder(requests), json.NewEncoder(replies)
	for {
		var q request
		if err := in.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		c, ok := next()
		for ok && c.number < q.Case {
			c, ok = next()
		}
		if !ok {
			return fmt.Errorf("there is no case %d", q.Case)
		}
		if err := o.serve(c, q.Ops, out); err != nil {
			return err
		}
	}
}

// serve performs operations of a case and writes their results.
func (o *Options) serve(c *testCase, ops []int, out *json.Encoder) error {
	side, err := newSide(Platform, driver.Config{Devices: o.Devices}, o.Profile, o.Library.Calls)
	if err != nil {
		return out.Encode(reply{Problem: err.Error()})
	}
	defer side.Runtime.Close()
	for _, i := range ops {
		if side.Lacks(c.ops[i]) {
			err = out.Encode(reply{Result: sequence.Result{Status: "no handle"}})
		} else {
			result, failed := side.Run(c.ops[i])
			var missing *driver.NoLayer
			a := reply{Result: result, Missing: errors.As(failed, &missing)}
			if failed != nil {
				a.Problem = failed.Error()
			}
			err = out.Encode(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// newSide opens devices and allocates the memory for operations.
func newSide(platform string, c driver.Config, p *workspace.Profile, calls bool) (*sequence.Side, error) {
	rt, err := hip.Open(platform, c)
	if err != nil {
		return nil, err
	}
	side := &sequence.Side{Runtime: rt, Profile: p}
	if calls {
		side.Log = func() []string { return sequence.MemoryCalls(rt) }
	}
	if err := side.Prepare(); err != nil {
		rt.Close()
		return nil, err
	}
	return side, nil
}

// library is a process that serves.
type library struct {
	start    func(context.Context) (*exec.Cmd, error)
	command  *exec.Cmd // nil if none runs
	requests io.WriteCloser
	pipe     *os.File
	replies  *json.Decoder
	stderr   bytes.Buffer
}

// run performs operations of a case, and returns their results. If the process ends early, the remaining operations
// have no result and ended describes the end.
func (l *library) run(ctx context.Context, c *testCase, ops []int) (have []sequence.Result, ended string, err error) {
	if l.command == nil {
		if err := l.open(ctx); err != nil {
			return nil, "", err
		}
	}
	failed := json.NewEncoder(l.requests).Encode(request{c.number, ops})
	hang := ""
	for range ops {
		var a reply
		timer := time.AfterFunc(replyTimeout, func() {
			hang = fmt.Sprintf("no result after %s", replyTimeout)
			l.command.Process.Kill()
		})
		if failed == nil {
			failed = l.replies.Decode(&a)
		}
		if !timer.Stop() || failed != nil {
			ended = cmp.Or(hang, l.close())
			return have, ended, ctx.Err()
		}
		if a.Problem != "" {
			err = fmt.Errorf("platform %s: %s", Platform, a.Problem)
			if a.Missing {
				err = exit.With(exit.Unavailable, err)
			}
			return nil, "", err
		}
		have = append(have, a.Result)
	}
	return have, "", ctx.Err()
}

func (l *library) open(ctx context.Context) (err error) {
	if l.command, err = l.start(ctx); err != nil {
		return err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer writer.Close()
	l.stderr.Reset()
	l.command.Stderr, l.command.ExtraFiles = &l.stderr, []*os.File{writer}
	l.pipe, l.replies = reader, json.NewDecoder(bufio.NewReader(reader))
	if l.requests, err = l.command.StdinPipe(); err != nil {
		return err
	}
	return l.command.Start()
}

// close ends the process and describes how it ended.
func (l *library) close() string {
	if l.command == nil {
		return ""
	}
	l.requests.Close()
	l.command.Wait()
	l.pipe.Close()
	ended := l.command.ProcessState.String()
	for line := range strings.Lines(l.stderr.String()) { // the Go runtime writes the signal before it exits
		if strings.HasPrefix(line, "SIG") || strings.HasPrefix(line, "fatal error: ") {
			ended = strings.TrimSpace(line)
			break
		}
	}
	l.command = nil
	return "the process ended: " + ended
}
