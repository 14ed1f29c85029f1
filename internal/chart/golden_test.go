package chart

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected charts")

// line returns n points with x from, from+step, ... and y = of(x).
func line(n int, from, step float64, of func(float64) float64) []Point {
	var list []Point
	for i := range n {
		x := from + float64(i)*step
		list = append(list, Point{x, of(x)})
	}
	return list
}

// TestExpectedCharts compares charts with those in testdata, which -update rewrites. After an update, check them in a
// browser.
func TestExpectedCharts(t *testing.T) {
	powers := func() []Point {
		var list []Point
		for x := 1.0; x <= 1<<20; x *= 2 {
			list = append(list, Point{x, 24 * x})
		}
		return append([]Point{{0.5, 0}}, list...)
	}()
	var many []Series
	for i := range 8 {
		many = append(many, Series{Name: strings.Repeat("n", 50) + strings.Repeat("=", i), Points: line(3, 1, 1,
			func(x float64) float64 { return x * 64 * float64(i+1) })})
	}
	for _, c := range []Chart{
		{Title: "linear", XLabel: "n", YLabel: "workspace", Series: []Series{{Name: "bytes", Points: line(14, 30, 7,
			func(x float64) float64 { return 100 * x * x })}},
			Marks: []Mark{{Label: "low", Y: 1 << 16}, {Label: "high", Y: 1 << 21}, {Label: "above", Y: 1<<21 + 1},
				{Label: "below", Y: 1<<16 - 1}}},
		{Title: "logarithm", XLabel: "n", YLabel: "bytes", Series: []Series{{Name: "powers", Points: powers}}},
		{Title: "legend", XLabel: "n", YLabel: "bytes", Series: many},
		{Title: "labels", XLabel: "n", YLabel: "bytes", Series: []Series{{Name: "twelve",
			Points: line(12, 4, 5.4545454545454545, func(x float64) float64 { return 1024 })}}},
		{Title: "memory", XLabel: "call", YLabel: "bytes", Linear: true, FromZero: true, SpanName: "handles",
			Series: []Series{{Name: "all", Steps: true, Points: []Point{{0, 0}, {2, 32 << 20}, {5, 96 << 20}, {9, 0}}},
				{Name: "growths", Dots: true, Points: []Point{{5, 96 << 20}}}},
			Spans: []Span{{"handle 1", 2, 6}, {"handle 2", 3, 9}, {"handle 3", 6, 9}},
			Marks: []Mark{{Label: "the peak", X: 5}, {Label: "beyond", X: 10}}},
		{Title: "counts", XLabel: "bytes", YLabel: "products", FromZero: true, Counts: true,
			Series: []Series{{Name: "lost", Steps: true, Points: []Point{{64, 3}, {1 << 20, 1}, {1 << 21, 0}}}}},
		{Title: "bars", YLabel: "bytes", FromZero: true, Names: []string{"managed", "manual", "user_owned"},
			Series: []Series{{Name: "a", Points: []Point{{1, 32 << 20}, {2, 1 << 20}, {3, 0}}},
				{Name: "b", Points: []Point{{1, 96 << 20}, {3, 1 << 20}}}},
			Marks: []Mark{{Label: "budget", Y: 120 << 20}}},
	} {
		t.Run(c.Title, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", c.Title+".svg")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("differs from %s (%v):\n%s", path, err, b.String())
			}
		})
	}
}

// TestMarkers checks that a line of very many points has no circles.
func TestMarkers(t *testing.T) {
	for n, want := range map[int]int{120: 120, 121: 0} {
		var b bytes.Buffer
		c := Chart{Series: []Series{{Name: "s", Points: line(n, 1, 1, func(x float64) float64 { return x })}}}
		if err := c.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if have := strings.Count(b.String(), "<circle"); have != want {
			t.Errorf("%d points: %d circles, want %d", n, have, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for v, want := range map[float64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1 << 20: "1 MiB",
		1 << 60: "1 EiB", 1 << 70: "1024 EiB"} {
		if have := bytesText(v); have != want {
			t.Errorf("%g bytes: %s, want %s", v, have, want)
		}
	}
	for text, want := range map[string]string{"four": "four", "fives": "fives", "sixsix": "sixs…"} {
		if have := clip(text, 5); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
	for at, want := range map[float64]string{844: "middle", 844.1: "end", 800: "middle"} {
		if have := anchor(tick{at, "1024"}); have != want {
			t.Errorf("a label at %g: %s, want %s", at, have, want)
		}
	}
}

func TestScales(t *testing.T) {
	for v, want := range map[float64]float64{0.2: 1, 1: 1, 1.1: 2, 2: 2, 4: 5, 5: 5, 7: 10, 10: 10, 11: 20, 300: 500,
		501: 1000} {
		if have := niceStep(v); have != want {
			t.Errorf("step for %g: %g, want %g", v, have, want)
		}
	}
	linear := scale{low: 10, high: 30, from: 100, to: 500}
	logarithm := scale{low: 2, high: 32, from: 100, to: 500, log: true, zero: 7}
	for _, test := range []struct {
		s       scale
		v, want float64
	}{{linear, 10, 100}, {linear, 15, 200}, {linear, 30, 500}, {logarithm, 2, 100}, {logarithm, 4, 200},
		{logarithm, 32, 500}, {logarithm, 0, 7}, {scale{low: 3, high: 3, from: 100, to: 500}, 3, 300}} {
		if have := test.s.at(test.v); have != test.want {
			t.Errorf("%+v: %g is at %g, want %g", test.s, test.v, have, test.want)
		}
	}
	for _, test := range []struct {
		s    scale
		n    int
		want []float64
	}{
		{linear, 10, []float64{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}}, {linear, 4, []float64{10, 15, 20, 25, 30}},
		{scale{low: 11, high: 29}, 4, []float64{15, 20, 25}}, {logarithm, 5, []float64{2, 4, 8, 16, 32}},
		{logarithm, 4, []float64{2, 8, 32}}, {scale{low: 3, high: 33, log: true}, 9, []float64{4, 8, 16, 32}},
		{scale{low: 3, high: 33, fixed: []float64{5}}, 9, []float64{5}},
	} {
		if have := test.s.places(test.n); !slices.Equal(have, test.want) {
			t.Errorf("%+v: %g, want %g", test.s, have, test.want)
		}
	}
}

// TestNoMemory checks that an axis of bytes has one number if all values are 0.
func TestNoMemory(t *testing.T) {
	c := Chart{Series: []Series{{Points: []Point{{X: 1}, {X: 2}}}}}
	var texts []string
	for _, tick := range c.yScale().ticks(labelsUp, c.yText) {
		texts = append(texts, tick.text)
	}
	if !slices.Equal(texts, []string{"0 B"}) {
		t.Errorf("the axis has %q, want 0 B", texts)
	}
}

// TestLogarithm checks the ratio above which an axis is logarithmic.
func TestLogarithm(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		want      bool
	}{{2, 32, true}, {2, 31.9, false}, {0, 32, false}, {-1, 32, false}, {1, 16, true}} {
		c := Chart{Series: []Series{{Points: []Point{{X: test.low}, {X: test.high}}}}}
		if have := c.xScale().log; have != test.want {
			t.Errorf("%g to %g: %v, want %v", test.low, test.high, have, test.want)
		}
	}
}
