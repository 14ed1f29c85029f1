package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/worker"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// Platform is the platform of the compared libraries.
const Platform = "amd"

// scriptTimeout bounds a script. It takes less than a second unless a library hangs.
const scriptTimeout = time.Minute

// library runs operations on handles of the library, in a worker process.
type library struct {
	queue   *worker.Queue
	printed bytes.Buffer
	target  config.Target
	scripts int
}

func newLibrary(o Options) *library {
	l := &library{target: config.Target{Platform: Platform, Arch: archs(o.Library)[0],
		Devices: config.Count(o.Devices), Profile: workspace.ProfileOfLibrary(o.Library.Version)}}
	l.queue = o.Pool.NewQueue(&l.printed)
	return l
}

func (l *library) close() { l.queue.Close() }

// run runs operations, starting with the creation of a handle, and returns their results by number. If the script ends
// early, the remaining operations have no result and ended describes the end.
func (l *library) run(ctx context.Context, ops []*sequence.Operation) (results map[int]sequence.Result, ended string,
	err error) {
	l.printed.Reset()
	l.scripts++
	l.queue.Send(&worker.Job{ID: fmt.Sprintf("script %d", l.scripts), Script: "verify.lua",
		Source: []byte(sequence.Numbered(ops)), Target: l.target, Sandbox: bounds.SandboxStrict,
		Limits: record.Limits{Timeout: scriptTimeout}})
	reply := l.queue.Next(ctx)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	end := reply.End
	if end != nil && end.Kind == record.EndUnavailable {
		return nil, "", exit.With(exit.Unavailable, fmt.Errorf("platform %s: %s", Platform, end.Message))
	}
	if reply.Skipped != "" { // a library is missing
		return nil, "", exit.With(exit.Unavailable, errors.New(reply.Skipped))
	}
	return sequence.Parse(ops, l.printed.String()+"\n"+reply.Log), describe(end), nil
}

// describe describes the end of a script before its last operation.
func describe(end *record.End) string {
	switch {
	case end == nil:
		return "no result"
	case end.Kind == record.EndDied && end.Func != "":
		return fmt.Sprintf("the process %s during %s", end.Message, end.Func)
	case end.Kind == record.EndDied:
		return "the process " + end.Message
	case end.Kind == record.EndTimeout || end.Kind == record.EndLimit:
		return fmt.Sprintf("no result after %s", scriptTimeout)
	}
	return end.Message
}
