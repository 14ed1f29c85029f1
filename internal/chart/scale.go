package chart

import (
	"fmt"
	"math"
	"strconv"
)

// scale maps numbers to pixels.
type scale struct {
	low, high float64 // numbers at the ends
	from, to  float64 // pixels at the ends
	log       bool
	zero      float64   // pixel of 0 on a logarithmic scale; 0 if it has none
	fixed     []float64 // numbers to label; nil lets the scale choose
}

// at returns the pixel of a number.
func (s scale) at(v float64) float64 {
	switch {
	case s.log && v <= 0:
		return s.zero
	case s.high == s.low:
		return (s.from + s.to) / 2
	case s.log:
		return s.from + (s.to-s.from)*math.Log2(v/s.low)/math.Log2(s.high/s.low)
	}
	return s.from + (s.to-s.from)*(v-s.low)/(s.high-s.low)
}

// tick is a labelled position.
type tick struct {
	at   float64
	text string
}

// ticks chooses at most n positions to label.
func (s scale) ticks(n int, text func(float64) string) []tick {
	var list []tick
	if s.zero != 0 {
		list = append(list, tick{s.zero, text(0)})
	}
	for _, v := range s.places(n) {
		list = append(list, tick{s.at(v), text(v)})
	}
	return list
}

func (s scale) places(n int) []float64 {
	switch {
	case s.fixed != nil:
		return s.fixed
	case s.log:
		return s.powers(n)
	}
	step := niceStep((s.high - s.low) / float64(n))
	var list []float64
	for v := math.Ceil(s.low/step) * step; v <= s.high; v += step {
		list = append(list, v)
	}
	return list
}

// powers returns at most n evenly spaced powers of two.
func (s scale) powers(n int) []float64 {
	low, high := math.Ceil(math.Log2(s.low)), math.Floor(math.Log2(s.high))
	step := max(1, math.Ceil((high-low)/float64(n-1)))
	var list []float64
	for e := low; e <= high; e += step {
		list = append(list, math.Exp2(e))
	}
	return list
}

// niceStep rounds a distance up to 1, 2 or 5 times a power of ten, and to a whole number.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(v, 1))))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= v {
			return f * power
		}
	}
	return 10 * power
}

func numberText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// bytesText writes a number of bytes with its unit: "64 B", "32 MiB".
func bytesText(v float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	for v >= 1024 && i < len(units)-1 {
		v /= 1024
		i++
	}
	return fmt.Sprintf("%g %s", v, units[i])
}
