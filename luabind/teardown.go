package luabind

import (
	"context"
	"time"

	"roclua/luabind/vm"
)

// graceForTeardown is how long teardown and deferred functions may take after the case has ended early.
const graceForTeardown = time.Second

// graceForDevice is how long the device may then take to finish its work, before it is abandoned.
const graceForDevice = 300 * time.Millisecond

// Teardown may use this much beyond the limits of the case.
const (
	instructionsForTeardown = 1 << 20
	outputForTeardown       = 64 << 10 // bytes
)

// allowTeardown extends the limits for teardown if the case has ended, and reports whether it has.
func (s *state) allowTeardown() bool {
	if s.VM.Context().Err() == nil {
		return false
	}
	if s.opts.Over != nil {
		s.opts.Over()
	}
	s.VM.Grace(vm.Limits{Timeout: graceForTeardown, Instructions: instructionsForTeardown, Output: outputForTeardown})
	rt := s.Runtime
	if rt == nil {
		return true
	}
	s.Thread.Enter()
	defer s.Thread.Leave()
	if s.DeviceLimit > 0 {
		s.DeviceLimit = max(s.DeviceLimit, rt.HeldBytes())
	}
	if s.release != nil {
		s.release()
	}
	device, release := context.WithTimeout(s.VM.Context(), graceForDevice)
	s.release = release
	rt.SetContext(device)
	return true
}
