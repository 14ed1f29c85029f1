package trace

import "time"

// Timed is the record of a kernel that is queued or runs. The platform sets its times.
type Timed struct {
	Kernel
	in *Recorder
}

// Kernel begins the record of a kernel.
func (r *Recorder) Kernel(k Kernel) *Timed {
	if r.unrecorded != nil {
		return &r.unrecorded.kernel
	}
	k.Queued = r.Clock().Seconds()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(k.Device, func(t *tally) { t.kernels++ })
	place, _ := r.kernels.add(Timed{k, r})
	return place
}

// NotLaunched removes the record of the last kernel, which could not be queued.
func (r *Recorder) NotLaunched(device int) {
	if r.unrecorded != nil {
		return
	}
	r.count(device, func(t *tally) { t.kernels-- })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels.removeLast()
}

// Now implements driver.Timer.
func (k *Timed) Now() time.Duration { return k.in.Clock() }

// Ran implements driver.Timer.
func (k *Timed) Ran(start, end time.Duration) {
	k.in.mu.Lock()
	defer k.in.mu.Unlock()
	k.Start, k.End = start.Seconds(), end.Seconds()
}
