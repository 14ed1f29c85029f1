package applog

import (
	"fmt"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// readCalls counts the calls of a list, which one handle makes. It returns the handle; nil for an empty list.
func readCalls(l *analyze.Log, texts []string) ([]*analyze.Handle, error) {
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
	return to.Handles(), nil
}
