package load

import (
	"math"
	"math/rand/v2"
	"time"

	"roclua/luabind/record"
)

// ramp is a number that changes at an even pace.
type ramp struct {
	start, duration time.Duration
	from, to        float64
}

// value returns the number at a moment from the start on. After the end it does not change.
func (r *ramp) value(at time.Duration) float64 {
	if at >= r.start+r.duration {
		return r.to
	}
	return r.from + (r.to-r.from)*float64(at-r.start)/float64(r.duration)
}

// arrivals draws the times of arrivals at a rate, which may change.
type arrivals struct {
	ramps  []ramp // without gaps; the last one has no end without a duration
	at     float64
	even   bool
	random rand.PCG
}

// endless is the length of a load without an end.
const endless = 1 << 62

func newArrivals(w *record.Workload, seed uint64) arrivals {
	a := arrivals{even: w.Even}
	a.random.Seed(seed, 0x9e3779b97f4a7c15)
	at, rate := time.Duration(0), w.Rate
	for _, s := range w.Stages {
		to := s.Rate
		if to < 0 {
			to = rate
		}
		if s.Start > at {
			a.ramps = append(a.ramps, ramp{at, s.Start - at, rate, rate})
		}
		a.ramps = append(a.ramps, ramp{s.Start, s.Duration, rate, to})
		at, rate = s.Start+s.Duration, to
	}
	if len(w.Stages) == 0 {
		a.ramps = []ramp{{0, endless, rate, rate}}
	}
	return a
}

// next returns the time of the next arrival; ok is false if there is none.
func (a *arrivals) next() (at time.Duration, ok bool) {
	need := 1.0 // expected arrivals until the next one
	if !a.even {
		x := float64(a.random.Uint64()>>11) / (1 << 53)
		need = -math.Log1p(-x)
	}
	for len(a.ramps) > 0 {
		r := &a.ramps[0]
		begin, end := r.start.Seconds(), (r.start + r.duration).Seconds()
		slope := (r.to - r.from) / (end - begin)
		rate, left := r.from+slope*(a.at-begin), end-a.at
		if expected := (rate + r.to) / 2 * left; expected < need {
			need -= expected
			a.at, a.ramps = end, a.ramps[1:]
			continue
		}
		if slope == 0 {
			a.at += need / rate
		} else {
			// rate*d + slope/2*d*d = need, in the form that is exact for small slopes
			a.at += 2 * need / (rate + math.Sqrt(max(0, rate*rate+2*slope*need)))
		}
		return time.Duration(a.at * float64(time.Second)), true
	}
	return 0, false
}
