package load

import (
	"maps"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"roclua/luabind/record"
)

// Histograms count nanoseconds. Quantiles are at most 1 % above the exact ones.
const (
	longest = int64(time.Hour)
	digits  = 2
)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, longest, digits) }

// The intervals of a load: at first shorter than a second, so that a peak shows; when there are mostIntervals, two
// become one.
const (
	shortest        = 10 * time.Millisecond
	shortestVirtual = 50 * time.Microsecond
	usual           = 200 // intervals of a load with a duration
	mostIntervals   = 600
)

// Recorder collects the latencies of a load.
type Recorder struct {
	length time.Duration        // of an interval
	now    func() time.Duration // since the start of the load
	names  []string

	mu      sync.Mutex
	kinds   []*hdrhistogram.Histogram // by kind of event
	recent  *hdrhistogram.Histogram   // of the current interval
	second  *hdrhistogram.Histogram   // of the current second
	max     int64                     // of the current interval, exact
	most    []int64                   // by kind
	sums    []time.Duration           // of the latencies, by kind
	errors  map[string]int64
	current record.Interval // the counts of the interval so far
	inSec   record.Interval // and of the second
	dropped int64           // before the interval
	list    []record.Interval
}

func newRecorder(w *record.Workload, shortest time.Duration) *Recorder {
	r := &Recorder{length: shortest, recent: newHistogram(), second: newHistogram(), errors: map[string]int64{},
		most: make([]int64, len(w.Events)), sums: make([]time.Duration, len(w.Events))}
	if d := w.Length(); d > 0 {
		r.length = max(shortest, d/usual)
	}
	r.length = min(r.length, time.Second)
	for _, e := range w.Events {
		r.kinds, r.names = append(r.kinds, newHistogram()), append(r.names, e.Name)
	}
	return r
}

// add counts an event that ended without an error.
func (r *Recorder) add(kind int, latency time.Duration) {
	ns := min(max(1, int64(latency)), longest)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[kind].RecordValue(ns)
	r.recent.RecordValue(ns)
	r.second.RecordValue(ns)
	r.sums[kind] += latency
	r.max, r.most[kind] = max(r.max, ns), max(r.most[kind], ns)
	r.current.Events++
}

// fail counts an event that failed.
func (r *Recorder) fail(status string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors[status]++
	r.current.Errors++
}

// interval ends the current interval. If a second is over, it returns its counts.
func (r *Recorder) interval(now time.Duration, s Sample, clients int, dropped int64) (second record.Interval, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.current
	i.End, i.Clients, i.Held, i.Growths, i.Waits = now.Seconds(), clients, s.Held, s.Growths, s.Waits
	i.P50, i.P99, i.Max = seconds(r.recent.ValueAtPercentile(50)), seconds(r.recent.ValueAtPercentile(99)),
		seconds(r.max)
	i.P50, i.P99 = min(i.P50, i.Max), min(i.P99, i.Max)
	i.Dropped, r.dropped = dropped-r.dropped, dropped
	r.append(i)
	r.inSec = join(r.inSec, i)
	r.current, r.max = record.Interval{Start: i.End}, 0
	r.recent.Reset()
	if r.inSec.End-r.inSec.Start < 1-r.length.Seconds()/2 {
		return second, false
	}
	second = r.inSec
	second.P50 = min(second.Max, seconds(r.second.ValueAtPercentile(50)))
	second.P99 = min(second.Max, seconds(r.second.ValueAtPercentile(99)))
	r.second.Reset()
	r.inSec = record.Interval{Start: i.End}
	return second, true
}

// append adds an interval. When there are too many, two become one.
func (r *Recorder) append(i record.Interval) {
	r.list = append(r.list, i)
	if len(r.list) < mostIntervals {
		return
	}
	for k := range len(r.list) / 2 {
		r.list[k] = join(r.list[2*k], r.list[2*k+1])
	}
	r.list = r.list[:len(r.list)/2]
	r.length = min(2*r.length, time.Second)
}

// join joins two intervals. The median is the mean of theirs by events, and the 99 % quantile the larger one.
func join(a, b record.Interval) record.Interval {
	out := b
	out.Start = a.Start
	if n := a.Events + b.Events; n > 0 {
		out.P50 = (a.P50*float64(a.Events) + b.P50*float64(b.Events)) / float64(n)
	}
	out.P99, out.Max = max(a.P99, b.P99), max(a.Max, b.Max)
	out.Events, out.Errors, out.Dropped = a.Events+b.Events, a.Errors+b.Errors, a.Dropped+b.Dropped
	out.Growths, out.Waits = a.Growths+b.Growths, a.Waits+b.Waits
	return out
}

// So returns the load until now, without intervals.
func (r *Recorder) So() *record.Load {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.load(r.now())
}

func (r *Recorder) load(now time.Duration) *record.Load {
	l := &record.Load{Seconds: now.Seconds(), Errors: maps.Clone(r.errors)}
	all := r.kinds[0]
	if len(r.kinds) > 1 {
		all = newHistogram()
	}
	most, sum := int64(0), time.Duration(0)
	for i, h := range r.kinds {
		sum += r.sums[i]
		most = max(most, r.most[i])
		if len(r.kinds) > 1 {
			all.Merge(h)
		}
		if r.names[i] != "" {
			l.Named = append(l.Named, record.Latency{Name: r.names[i], Events: h.TotalCount(),
				Latencies: latencies(h, r.most[i], r.sums[i])})
		}
	}
	l.Events, l.Latency = all.TotalCount(), latencies(all, most, sum)
	return l
}

// rest ends the last interval. It returns the counts of the last second, unless it was short.
func (r *Recorder) rest(now time.Duration, s Sample) (second record.Interval, ok bool) {
	if r.current.Events+r.current.Errors == 0 && s.Growths+s.Waits == 0 {
		return second, false
	}
	second, ok = r.interval(now, s, 0, r.dropped)
	if !ok && r.inSec.End-r.inSec.Start > 0.5 {
		return r.inSec, true
	}
	return second, ok
}

// result returns the whole load. now is its end.
func (r *Recorder) result(now time.Duration) *record.Load {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.load(now)
	l.Intervals = r.list
	return l
}

// latencies returns the quantiles of a histogram, whose largest value and sum are known.
func latencies(h *hdrhistogram.Histogram, most int64, sum time.Duration) record.Latencies {
	at := func(percent float64) float64 { return seconds(min(most, h.ValueAtPercentile(percent))) }
	mean := sum.Seconds() / float64(max(1, h.TotalCount()))
	return record.Latencies{Mean: mean, P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Max: seconds(most),
		Histogram: histogram(h)}
}

// steps are the largest latencies of the buckets of a decade, in hundredths.
var steps = [...]int64{100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
	315, 355, 400, 450, 500, 560, 630, 710, 800, 900}

// histogram returns the buckets from the first to the last one with events.
func histogram(h *hdrhistogram.Histogram) (list []record.Bucket) {
	most, power, i := int64(0), int64(1), 0
	for _, bar := range h.Distribution() {
		for ; bar.Count > 0 && bar.To > most; i = (i + 1) % len(steps) {
			if most = steps[i] * power; list != nil || bar.To <= most {
				list = append(list, record.Bucket{Most: seconds(most)})
			}
			if i == len(steps)-1 {
				power *= 10
			}
		}
		if bar.Count > 0 {
			list[len(list)-1].Events += bar.Count
		}
	}
	return list
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
