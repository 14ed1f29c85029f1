package page

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"roclua/host/answer"
)

// TestLabelsOfBarsAreReadable checks the contrast of the labels with the bars of kernels in light mode, in dark mode
// and in print. The Web Content Accessibility Guidelines require a ratio of 4.5.
func TestLabelsOfBarsAreReadable(t *testing.T) {
	labels := regexp.MustCompile(`--onbar: #([0-9a-f]+)`).FindAllStringSubmatch(answer.Style, -1)
	bars := regexp.MustCompile(`--kernel: #([0-9a-f]+)`).FindAllStringSubmatch(answer.Style, -1)
	if len(labels) != 3 || len(bars) != 3 {
		t.Fatalf("%d colors of labels, %d of bars, want 3", len(labels), len(bars))
	}
	for i := range bars {
		a, b := luminance(t, labels[i][1]), luminance(t, bars[i][1])
		if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
			t.Errorf("#%s on #%s: contrast %.1f, want at least 4.5", labels[i][1], bars[i][1], ratio)
		}
	}
}

// luminance returns the relative luminance of a hexadecimal color, as defined by the guidelines.
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) == 3 {
		color = string([]byte{color[0], color[0], color[1], color[1], color[2], color[2]})
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(color[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
