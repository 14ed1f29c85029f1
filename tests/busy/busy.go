// Package busy measures processor time, for tests with bounds on time: other programs of the machine do not change it.
package busy

import (
	"context"
	"sync/atomic"
	"time"
)

// After returns a function that returns the processor time that this process has used since ctx ended.
func After(ctx context.Context) (used func() time.Duration) {
	var end atomic.Int64
	stop := context.AfterFunc(ctx, func() { end.Store(int64(Time())) })
	return func() time.Duration {
		if stop() || end.Load() == 0 {
			return 0 // it has not ended, or ends now
		}
		return Time() - time.Duration(end.Load())
	}
}
