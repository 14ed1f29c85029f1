package trace

import "time"

// Timed is the record of a kernel that is queued or runs. The platform sets its times.
type Timed struct {
	Kernel
	in *Recorder
}

// Kernel begins the record of a kernel of a stream, which a call on a line of the script queues.
func (r *Recorder) Kernel(name string, device, stream int, origin string) *Timed {
	if r.unrecorded != nil {
		return &r.unrecorded.kernel
	}
	queued := r.Clock().Seconds()
	r.mu.Lock()
	r.total.kernels++
	if r.devices != nil {
		r.devices[device].kernels++
	}
	k, _ := r.kernels.next()
	k.Name, k.Device, k.Stream, k.Origin, k.Queued, k.in = name, device, stream, origin, queued, r
	r.mu.Unlock()
	return k
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
