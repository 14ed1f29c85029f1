package render

import (
	"fmt"

	"roclua/host/applog/analyze"
	"roclua/host/replay"
)

// Step is a routine call on a handle, or another step of a recording.
type Step struct {
	Call *analyze.Call // nil for another step
	replay.Step
}

// mostSteps bounds the steps that are kept.
const mostSteps = 2_000_000

// AddStep keeps a step.
func (r *Recording) AddStep(s Step) {
	if len(r.Steps) < mostSteps {
		r.Steps = append(r.Steps, s)
	} else {
		r.Omitted++
	}
}

// mostHandles is the difference between the numbers of the handles, streams and events of two recordings in a script.
const mostHandles = 100_000

// setDevice is the word of a script that makes a device the current one.
const setDevice = 'g'

// addTo adds the steps to a script. offset is added to all numbers of handles, streams and events.
func (r *Recording) addTo(s *script, offset int) {
	at := func(number int) int {
		if number == 0 {
			return 0
		}
		return number + offset
	}
	current := 0
	for _, step := range r.Steps {
		if step.Device != s.device {
			s.device = step.Device
			s.devices = max(s.devices, step.Device+1)
			s.step(fmt.Sprintf("%c%d", setDevice, step.Device), 1)
		}
		if h := at(step.Handle); h != 0 && h != current {
			current = h
			if step.Op != replay.Create {
				s.step(fmt.Sprintf("h%d", h), 1)
			}
		}
		switch {
		case step.Call != nil:
			s.call(step.Call, 1)
		case step.Op == replay.Create:
			s.step(fmt.Sprintf("%c%d", step.Op, current), 1)
		case step.Op == replay.Destroy || step.Op == replay.WaitDevice:
			s.step(string(step.Op), 1)
		case step.Op == replay.Workspace || step.Op == replay.MemorySize:
			s.step(fmt.Sprintf("%c%d", step.Op, step.Bytes), 1)
		case step.Op == replay.RecordEvent:
			s.step(fmt.Sprintf("%c%d.%d", step.Op, at(step.Event), at(step.Stream)), 1)
		case step.Op == replay.WaitEvent:
			s.step(fmt.Sprintf("%c%d.%d", step.Op, at(step.Stream), at(step.Event)), 1)
		default:
			s.step(fmt.Sprintf("%c%d", step.Op, at(step.Stream)), 1)
		}
	}
}
