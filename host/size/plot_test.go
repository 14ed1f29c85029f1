package size

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/internal/atomicfile"
	"roclua/internal/chart"
)

// sweepOf checks a request for a factorization on gfx90a.
func sweepOf(t *testing.T, profiles string, sweeps ...string) *Query {
	t.Helper()
	q, err := New(Request{Calls: []string{"dgetrf lda=8192", "dgetrs n=64 nrhs=1"}, Archs: []string{"gfx90a"},
		Profiles: strings.Split(profiles, ","), Sweeps: sweeps})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestSweepChart checks the axis and the lines of a chart.
func TestSweepChart(t *testing.T) {
	for _, test := range []struct {
		name, profiles string
		sweeps         []string
		axis           string
		lines          []string
	}{
		{"one axis has two values", "rocm-7.2", []string{"m=64", "n=64:512:x2"}, "n", []string{"m = 64"}},
		{"two targets", "rocm-6.4,rocm-7.2", []string{"m=64", "n=64:512:x2"}, "n",
			[]string{"m = 64, rocm-6.4/gfx90a", "m = 64, rocm-7.2/gfx90a"}},
		{"the longer axis", "rocm-7.2", []string{"n=64,128", "m=64:512:x2"}, "m", []string{"n = 64", "n = 128"}},
		{"a longer axis of choices", "rocm-7.2", []string{"trans=none,T,C", "m=64", "n=64,128"}, "n",
			[]string{"trans = none, m = 64", "trans = T, m = 64", "trans = C, m = 64"}},
		{"the first of equal axes", "rocm-7.2", []string{"n=64,128", "m=256,512"}, "n",
			[]string{"m = 256", "m = 512"}},
	} {
		q := sweepOf(t, test.profiles, test.sweeps...)
		c, err := q.chart()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var names []string
		for _, s := range c.Series {
			names = append(names, s.Name)
		}
		if c.XLabel != test.axis || !slices.Equal(names, test.lines) {
			t.Errorf("%s: lines %q over %s, want %q over %s", test.name, names, c.XLabel, test.lines, test.axis)
		}
	}
}

// TestSweepChartPoints checks that a line has a point for each known size.
func TestSweepChartPoints(t *testing.T) {
	q, err := New(Request{Calls: []string{"rocblas_dtrtri uplo=upper"}, Archs: []string{"gfx90a"},
		Profiles: []string{"rocm-7.2"}, Sweeps: []string{"n=63,64,1073741824"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := q.chart()
	if err != nil {
		t.Fatal(err)
	}
	want := []chart.Series{{Name: "rocm-7.2/gfx90a", Points: []chart.Point{{X: 63, Y: 7936}, {X: 64, Y: 0}}}}
	if len(c.Series) != 1 || c.Series[0].Name != want[0].Name || !slices.Equal(c.Series[0].Points, want[0].Points) {
		t.Errorf("%+v, want %+v", c.Series, want)
	}
}

// TestPlotFile draws into a file, and checks requests that cannot be plotted.
func TestPlotFile(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		file   string
		sweeps []string
		want   string
	}{
		{"a.svg", []string{"m=1:12", "n=1:13"}, ""},
		{"b.svg", []string{"m=1:13", "n=1:14"}, "13 lines are more than the limit of 12; " +
			"use fewer values for the axes other than n"},
		{"c.png", []string{"m=1:12", "n=1:13"}, "the file must be a .svg"},
		{"d.svg", []string{"m=1", "n=1"}, "no axis of numbers has more than one value"},
		{"missing/e.svg", []string{"m=1", "n=1:3"}, "missing/e.svg"},
	} {
		path := filepath.Join(folder, test.file)
		err := sweepOf(t, "rocm-7.2", test.sweeps...).Plot(atomicfile.OS, path)
		text, missing := os.ReadFile(path)
		if test.want == "" {
			if err != nil || missing != nil || !bytes.Contains(text, []byte("<polyline")) {
				t.Errorf("%s: %v, %v", test.file, err, missing)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || missing == nil {
			t.Errorf("%s: %v, want %q", test.file, err, test.want)
		}
	}
	q, err := New(Request{Calls: []string{"dgetrf m=8 n=8"}, Profiles: []string{"rocm-7.2"}, Archs: []string{"gfx90a"}})
	if err != nil {
		t.Fatal(err)
	}
	err = sweepOf(t, "rocm-6.4,rocm-7.2", "m=1:7", "n=1:8").Plot(atomicfile.OS, filepath.Join(folder, "g.svg"))
	if err == nil || !strings.HasPrefix(err.Error(), "14 lines") {
		t.Errorf("two targets: %v", err)
	}
	if err := q.Plot(atomicfile.OS, filepath.Join(folder, "f.svg")); err == nil ||
		!strings.HasPrefix(err.Error(), "there is no sweep to draw") {
		t.Errorf("no sweep: %v", err)
	}
	q = sweepOf(t, "rocm-7.2", "m=1", "n=64")
	if c, err := q.chart(); err == nil {
		t.Errorf("a chart of one point: %+v", c)
	}
}
