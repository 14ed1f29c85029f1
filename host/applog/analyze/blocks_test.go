package analyze_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// readFrom analyzes a log.
func readFrom(t testing.TB, in io.Reader) (*analyze.Answer, error) {
	l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-7.2")}, Order: true})
	err := l.Read(context.Background(), "app.log", in)
	return l.Answer(), err
}

// described is the whole answer as text.
func described(a *analyze.Answer) string {
	var b strings.Builder
	for _, c := range a.Calls {
		fmt.Fprintln(&b, c.Routine.Name, values(c), c.Known, c.File, c.Line, c.Times, c.Needs)
	}
	for _, t := range a.Targets {
		fmt.Fprintln(&b, t.Bytes, t.Unknown, t.Managed.Final, t.Managed.Most, t.Managed.More, t.Managed.Exact)
		for _, g := range t.Managed.Growths {
			fmt.Fprintln(&b, g.File, g.Line, g.From, g.To, g.Call.Routine.Name)
		}
	}
	fmt.Fprintln(&b, a.Files, a.NotListed, a.NotModeled, a.Cut, a.Empty, a.Notes)
	return b.String()
}

// TestLongLines truncates lines longer than 64 KiB, newline included, and reads the following ones.
func TestLongLines(t *testing.T) {
	const longest = 1 << 16
	for _, test := range []struct {
		about string
		text  string
		calls int64
		lines int64
		other int64
	}{
		{"as long as possible", strings.Repeat("x", longest-len(large)) + large + small, 2, 2, 0},
		{"longer by a byte", strings.Repeat("x", longest-len(large)+1) + large + small, 2, 2, 0},
		{"longer by a few bytes", strings.Repeat("x", longest-len(large)+20) + large + small, 1, 2, 0},
		{"as long as possible, without its end",
			small + strings.Repeat("x", longest-len(large)+1) + large[:len(large)-1], 2, 2, 0},
		{"of many blocks", small + strings.Repeat("x", 10*longest) + large + small, 2, 3, 1},
		{"the first", strings.Repeat("x", 10*longest) + "\n" + small, 1, 2, 1},
		{"the last", small + strings.Repeat("x", 10*longest), 1, 2, 1},
		{"two", strings.Repeat("x", 2*longest) + "\n" + strings.Repeat("y", 2*longest) + "\n" + small, 1, 3, 2},
		{"a call at its begin", strings.TrimSpace(large) + strings.Repeat("x", 5*longest) + "\n" + small, 2, 2, 0},
		{"empty", "", 0, 0, 0},
		{"an empty line", "\n", 0, 1, 1},
	} {
		a, err := readFrom(t, strings.NewReader(test.text))
		if f := a.Files[0]; err != nil || f.Calls != test.calls || f.Lines != test.lines || f.Other != test.other {
			t.Errorf("%s: %v, %d calls in %d lines, %d other", test.about, err, f.Calls, f.Lines, f.Other)
		}
	}
}

// TestReaders reads from files that return few bytes at a time, or an error.
func TestReaders(t *testing.T) {
	text := created + large + small + larger
	want := described(read(t, "rocm-7.2", text))
	for about, in := range map[string]io.Reader{
		"a byte": iotest.OneByteReader(strings.NewReader(text)), "half": iotest.HalfReader(strings.NewReader(text)),
		"the end with data": iotest.DataErrReader(strings.NewReader(text)),
	} {
		if a, err := readFrom(t, in); err != nil || described(a) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", about, err, described(a), want)
		}
	}
	broken := errors.New("the disk is broken")
	in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
	if a, err := readFrom(t, in); !errors.Is(err, broken) || described(a) != want {
		t.Errorf("%v\n%s", err, described(a))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-7.2")}})
	if err := l.Read(ctx, "app.log", strings.NewReader(text)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
