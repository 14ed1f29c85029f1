package luabind

import (
	"context"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// limitDeviceMemory is the name of the limit of device memory in a LimitError. The others are those of package vm.
const limitDeviceMemory = "device_memory"

// LimitError reports that a case ended because it reached a limit. No pcall catches it.
type LimitError = vm.LimitError

// WithTimeout returns a context that ends after limit with a *LimitError as its cause. If limit is 0, it does not end
// by itself.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return vm.WithTimeout(ctx, limit)
}

// TimedOut returns the error of a case that took longer than limit.
func TimedOut(limit time.Duration) *LimitError { return vm.TimedOut(limit) }

// checkDevice ends the case if more device memory is allocated than its limit allows.
func (s *state) checkDevice(l *lua.LState) {
	limit := s.deviceLimit
	if limit == 0 || s.opts.Runtime == nil {
		return
	}
	if held := s.opts.Runtime.HeldBytes(); held > limit && s.vm.Ended() == nil {
		s.vm.Meter().Exceed(l, limitDeviceMemory, limit, held)
	}
}

// CollectSeldom lets garbage be collected as seldom as while scripts run: see [vm.CollectSeldom].
func CollectSeldom() (stop func()) { return vm.CollectSeldom() }
