package chart_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"roclua/internal/chart"
)

func draw(t *testing.T, c chart.Chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			return b.String()
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
}

func TestChart(t *testing.T) {
	svg := draw(t, chart.Chart{Title: "a < b & c", XLabel: "n", YLabel: "workspace",
		Marks: []chart.Mark{{Label: "32 MiB", Y: 32 << 20}, {Label: "never", Y: 1 << 60}},
		Series: []chart.Series{{Name: "one", Points: []chart.Point{{X: 64, Y: 0}, {X: 128, Y: 64},
			{X: 8192, Y: 64 << 20}}}}})
	for _, want := range []string{"a &lt; b &amp; c", ">0 B<", ">64 B<", ">32 MiB<", ">128<",
		"n = 8192: 67108864 bytes", "prefers-color-scheme:dark"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "never") || strings.Contains(svg, "NaN") {
		t.Errorf("drawn beyond the plot:\n%s", svg)
	}
}

// TestOddCharts draws charts without extent.
func TestOddCharts(t *testing.T) {
	for name, points := range map[string][]chart.Point{
		"nothing":   nil,
		"one point": {{X: 5, Y: 5}},
		"all zero":  {{X: 1, Y: 0}, {X: 2, Y: 0}},
		"same size": {{X: 1, Y: 64}, {X: 2, Y: 64}},
		"huge":      {{X: 1, Y: math.MaxUint64}, {X: 1 << 62, Y: 1}},
		"many":      make([]chart.Point, 500),
	} {
		svg := draw(t, chart.Chart{Title: name, Series: []chart.Series{{Name: name, Points: points}}})
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s:\n%s", name, svg)
		}
	}
}

// TestLastLabelIsNotClipped draws a wide number at the right end of the axis.
func TestLastLabelIsNotClipped(t *testing.T) {
	svg := draw(t, chart.Chart{Series: []chart.Series{{Points: []chart.Point{{X: 1, Y: 1}, {X: 1073741824, Y: 64}}}}})
	for _, want := range []string{`text-anchor="end">1073741824<`, `text-anchor="middle">1<`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
}

// TestStems draws vertical lines from the axis to the points of series, next to each other, on a linear axis.
func TestStems(t *testing.T) {
	points := []chart.Point{{X: 0, Y: 64}, {X: 1000, Y: 128}}
	svg := draw(t, chart.Chart{Linear: true, Series: []chart.Series{{Name: "a", Points: points, Stems: true},
		{Name: "b", Points: points, Stems: true}}})
	for _, want := range []string{`d="M84.0,464V464.0M836.0,464V`, `d="M87.0,464V464.0M839.0,464V`, ">500</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "<polyline") {
		t.Error("the points are joined")
	}
	for _, linear := range []bool{true, false} {
		wide := []chart.Point{{X: 1, Y: 1}, {X: 500, Y: 2}, {X: 1000, Y: 1}}
		svg := draw(t, chart.Chart{Linear: linear, Series: []chart.Series{{Name: "a", Points: wide}}})
		if strings.Contains(svg, ">200</text>") != linear {
			t.Errorf("linear %v:\n%s", linear, svg)
		}
	}
}

// TestGroups checks that the series of a group have one color, which no other group has.
func TestGroups(t *testing.T) {
	points := []chart.Point{{X: 1, Y: 64}, {X: 2, Y: 128}}
	svg := draw(t, chart.Chart{Series: []chart.Series{{Name: "calls of a", Group: "a", Points: points, Stems: true},
		{Name: "b", Points: points, Stems: true}, {Name: "a grows", Group: "a", Points: points}}})
	colors := regexp.MustCompile(`stroke="(#[0-9a-f]{6})"[^>]* x1=`).FindAllStringSubmatch(svg, -1) // of the legend
	if len(colors) != 3 || colors[0][1] != colors[2][1] || colors[0][1] == colors[1][1] {
		t.Errorf("the colors of a, b and a are %q", colors)
	}
}
