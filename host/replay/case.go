package replay

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Devices returns the devices of a target for a recording: as many as the program could use. On another release than
// the recorded one they have as much memory as the recorded devices had for the program, unless the target sets it.
func Devices(f *recording.File, t config.Target, recorded bool) driver.Config {
	c := t.DriverConfig()
	w, _ := Source(&f.Process)
	c.Archs = t.Archs()
	for len(c.Archs) < len(w.Archs) {
		c.Archs = append(c.Archs, c.Archs[len(c.Archs)-1])
	}
	c.Unchecked, c.Kernels = true, driver.KernelsClaim
	switch {
	case t.DeviceMemory != config.DefaultDeviceMemory():
	case recorded:
		c.MemoryBytes = deviceBytes
	default:
		c.Memories = capacities(f, len(c.Archs))
	}
	return c
}

// capacities returns the memory that the recorded devices had for the program: the free memory after the first handle
// was created, and the memory allocated by then. In version 1, which lacks it, it is all memory of a device.
func capacities(f *recording.File, devices int) []uint64 {
	list, known := make([]uint64, devices), false
	fact := func(device int, name string) uint64 {
		bytes, err := strconv.ParseUint(f.Process.Facts[fmt.Sprintf("device.%d.%s", device, name)], 10, 64)
		known = known || err == nil
		return min(bytes, deviceBytes)
	}
	for i := range list {
		list[i] = fact(i, "free")
	}
	if !known {
		for i := range list {
			list[i] = fact(i, "memory")
		}
		return list
	}
	var live memory
	for c := range inEffect(f.Calls()) {
		live.follow(c)
		for inner := range runtimeOf(c) {
			live.follow(inner)
		}
		if createsHandle(c) {
			break
		}
	}
	for _, b := range live {
		if d := min(b.device, devices-1); !b.freed && list[d] > 0 {
			list[d] += b.bytes
		}
	}
	return list
}

// Case replays a recording as a case, by the name that its messages have. It returns an error if the context ends.
func Case(ctx context.Context, name string, f *recording.File, rt *hip.Runtime, o Options) (*record.Record, error) {
	start := time.Now()
	result, err := Run(ctx, f, rt, o)
	if err != nil {
		return nil, err
	}
	r := &record.Record{Statuses: result.Statuses, Defects: result.Defects}
	result.describe(r, name)
	r.Stats.Add(rt.Stats())
	r.Faults = record.FaultsOf(rt.Recorder().Faults())
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// describe records the failures, and other facts of the recording.
func (r *Result) describe(to *record.Record, name string) {
	written, err := Source(&r.Process)
	var log strings.Builder
	fmt.Fprintf(&log, "recorded on %s/%s; %s on %s\n", written.Profile.Name,
		strings.Join(written.Archs, ","), units.Count(r.Calls, "rocBLAS and rocSOLVER call"),
		units.Count(len(r.Handles), "handle"))
	fmt.Fprintf(&log, "the handles hold at most %s at once\n", units.FormatBytes(r.Memory.PeakBytes))
	if r.Left > 0 {
		fmt.Fprintf(&log, "%s are allocated when the program ends\n", units.FormatBytes(r.Left))
	}
	to.Metrics = append(to.Metrics, record.Metric{Name: "workspace_peak_bytes", Value: int64(r.Memory.PeakBytes),
		Unit: "bytes"})
	r.Times.describe(to, &log)
	to.Metrics = append(to.Metrics, record.Metric{Name: "left_bytes", Value: int64(r.Left), Unit: "bytes"})
	if r.Broken.New == 0 {
		to.Checks = append(to.Checks, record.Check{Text: "calls that succeeded when they were recorded succeed",
			Where: name, Passed: true})
	}
	var failing []Failure // already in the recording
	for _, f := range r.Failures {
		where := fmt.Sprintf("%s, %s", name, f.String())
		switch isRuntime := isRuntime(f.Name); {
		case !f.Succeeded && !isRuntime:
			failing = append(failing, f)
		case f.Succeeded && len(to.Checks) < record.ProblemsShown:
			to.Checks = append(to.Checks, record.Check{Text: fmt.Sprintf("%s returns %s, as on %s", f.Name, f.Recorded,
				written.Profile.Name), Where: where, Have: f.Why(), Want: f.Recorded})
		}
	}
	if more := r.Broken.New - record.ProblemsShown; more > 0 {
		to.Checks = append(to.Checks, record.Check{Text: "calls that succeeded when they were recorded succeed",
			Where: name, Have: units.Count(more, "more call") + " failed", Want: "none"})
	}
	to.AddProblems(len(failing), func(i int) string {
		f := &failing[i]
		return fmt.Sprintf("%s failed when it was recorded (%s), and fails: %s", f.String(), f.Recorded, f.Why())
	}, "%[1]d more calls failed when they were recorded, and fail")
	for _, f := range r.Findings {
		text := fmt.Sprintf("%s: %s: %s", f.Code, f.String(), f.Text)
		if f.Times > 1 {
			text += fmt.Sprintf(" (%d times)", f.Times)
		}
		if f.Code == Short || f.Code == NoMemory {
			continue // a call that failed is listed already
		}
		if f.Fails() {
			to.Problems = append(to.Problems, text)
		} else {
			fmt.Fprintln(&log, text)
		}
	}
	for _, text := range r.Gaps() {
		to.Problems = append(to.Problems, record.NotKnown+text)
	}
	if err != nil {
		to.Problems = append(to.Problems, err.Error())
	}
	for _, h := range r.InSeveralThreads() {
		fmt.Fprintf(&log, "handle %d is used in %d threads, and the recording shows nothing that orders these "+
			"threads\n", h.Number, len(h.Threads))
	}
	to.Log = log.String()
}

// InSeveralThreads returns the handles that several threads use without a recorded overlap.
func (r *Result) InSeveralThreads() (list []*Handle) {
	for _, h := range r.Handles {
		overlap := slices.ContainsFunc(r.Findings, func(f *Finding) bool {
			return f.Code == Threads && f.Handle == h.Number
		})
		if len(h.Threads) > 1 && !overlap {
			list = append(list, h)
		}
	}
	return list
}

// Gaps lists the parts that could not be read, the calls that are not modelled, and those whose need is not known.
func (r *Result) Gaps() []string {
	list := slices.Clone(r.Problems)
	if r.Process.DiskFull {
		list = append(list, "the disk was full, and later calls are missing")
	}
	for _, function := range slices.Sorted(maps.Keys(r.NotModelled)) {
		list = append(list, fmt.Sprintf("%s of %s: not modelled",
			units.Count(r.NotModelled[function], "call"), function))
	}
	list = append(list, r.Unfollowed()...)
	if r.Calls == 0 {
		list = append(list, "the recording has no rocBLAS or rocSOLVER calls")
	}
	if r.NotMade > 0 {
		list = append(list, units.Count(r.NotMade, "call")+" of routines: the handle could not be created")
	}
	if r.Unknown > 0 {
		list = append(list, "the model does not know the needs of "+units.Count(r.Unknown, "call"))
	}
	return list
}

// Unfollowed describes the HIP calls whose effects the replay does not follow.
func (r *Result) Unfollowed() (list []string) {
	for _, text := range slices.Sorted(maps.Keys(r.NotFollowed)) {
		list = append(list, fmt.Sprintf("%s of %s", units.Count(r.NotFollowed[text], "call"), text))
	}
	return list
}

// String names a call of the recording: "call 3, rocblas_dtrsm in hipblasDtrsm, thread 1, after 2ms".
func (p *Place) String() string {
	name := p.Name
	if p.Outer != "" {
		name += " in " + p.Outer
	}
	call := fmt.Sprintf("call %d", p.Call)
	if isRuntime(p.Name) {
		call = "after " + call
	}
	return fmt.Sprintf("%s, %s, thread %d, after %s", call, name, p.Thread, p.Time.Round(time.Millisecond))
}

// Why explains the failure of a call, without its name.
func (f *Failure) Why() string {
	return cmp.Or(strings.TrimPrefix(f.Text, f.Name+": "), f.Predicted)
}
