package progress

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind"
	"roclua/luabind/record"
)

// screen is a simple terminal: it stores the output, and returns the visible text.
type screen struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// shown returns the visible text: on each line, the output since it was last erased.
func (s *screen) shown() string {
	lines := strings.Split(s.String(), "\n")
	for i, line := range lines {
		lines[i] = line[strings.LastIndex(line, "\r\x1b[K")+1:]
		lines[i] = strings.TrimPrefix(lines[i], "\x1b[K")
	}
	return strings.Join(lines, "\n")
}

// optionsFor returns options for a terminal of 120 columns, with the clock of the test's synctest bubble.
func optionsFor(s *screen) Options {
	return Options{Out: s, Now: time.Now, Live: true, Width: func() int { return 120 }}
}

// casesOf returns n cases of a scenario.
func casesOf(name string, n int) plan.List {
	var list plan.List
	for i := range n {
		list = append(list, &plan.Case{Case: result.Case{ID: fmt.Sprintf("%s[n=%d]@cpu", name, i+1), Scenario: name}})
	}
	return list
}

func endOf(c *plan.Case, err error) *result.Result {
	return &result.Result{Case: &c.Case, Record: &record.Record{End: luabind.EndOf(err), Seconds: 0.25}}
}

func TestTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		list := append(casesOf("lu", 10), &plan.Case{Case: result.Case{ID: "skipped"}, Skip: "for a reason"})
		p := New(optionsFor(s), list, 2)
		p.Start()
		wait := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		want := func(line string) {
			t.Helper()
			if have := s.shown(); have != line {
				t.Errorf("after %s the terminal shows\n%q, want\n%q", time.Since(p.started), have, line)
			}
		}
		p.Began(list[0])
		p.Began(list[1])
		wait(100 * time.Millisecond)
		want("") // a short run shows nothing
		wait(1900 * time.Millisecond)
		want("[                    ] 0/11 cases, 2s")
		p.Finished(endOf(list[0], nil))
		p.Began(list[2])
		wait(2 * time.Second) // one took 2 s, two are overdue, eight wait: 7 s for two slots
		want("[=                   ] 1/11 cases, 4s, about 7s left")
		p.Finished(endOf(list[2], &luabind.Error{Message: "broken"}))
		p.Began(list[3])
		wait(2 * time.Second)
		want("[===                 ] 2/11 cases, 1 not passed, 6s, about 6s left, 6s in lu[n=2]@cpu")
		p.Stop()
		want("")
	})
}

// TestEndsWhileDrawing ends cases at the moments at which the line is drawn. The race detector sees what is not locked.
func TestEndsWhileDrawing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		list := casesOf("lu", 100)
		p := New(optionsFor(s), list, 1)
		p.Start()
		for _, c := range list {
			p.Began(c)
			time.Sleep(redrawEvery)
			p.Finished(endOf(c, nil))
		}
		p.Stop()
		if have := s.String(); !strings.Contains(have, " 98/100 cases") && !strings.Contains(have, " 99/100 cases") {
			t.Errorf("the line was not drawn near the end: %q", have)
		}
	})
}

func TestWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		list := casesOf("a_scenario_of_a_very_long_name_that_no_line_can_contain", 2)
		o, width := optionsFor(s), 120
		o.Width, o.Color = func() int { return width }, true
		text.EnableColors()
		p := New(o, list, 1)
		p.Began(list[0])
		p.Finished(endOf(list[0], &luabind.Error{Message: "broken"}))
		p.Began(list[1])
		time.Sleep(6 * time.Second)
		for _, width = range []int{2, 10, 40, narrow - 1, narrow, 80, 500} {
			p.show()
			if have := text.StringWidthWithoutEscSequences(s.shown()); have >= width {
				t.Errorf("on %d columns the line has %d: %q", width, have, s.shown())
			}
			if strings.Contains(s.shown(), "[===") != (width >= narrow) {
				t.Errorf("on %d columns the line is %q", width, s.shown())
			}
		}
		if !strings.Contains(s.shown(), text.FgRed.Sprint("1 not passed")) {
			t.Errorf("the line is not coloured: %q", s.shown())
		}
	})
}

func TestTimeLeft(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Unix(0, 0).Add(time.Duration(seconds * float64(time.Second)))
	}
	slow, quick := casesOf("slow", 3), casesOf("quick", 4)
	e := newEstimate(2)
	e.expect(append(slow, quick...))
	expect := func(now, want float64) {
		t.Helper()
		left, ok := e.left(at(now))
		if !ok || left.Round(time.Millisecond) != time.Duration(want*float64(time.Second)) {
			t.Errorf("after %g s: %s left (known: %v), want %g s", now, left, ok, want)
		}
	}
	e.began(slow[0], at(0))
	e.began(quick[0], at(0))
	if _, ok := e.left(at(1)); ok {
		t.Error("there is an estimate before any case has ended")
	}
	e.finished(&quick[0].Case, at(1))
	expect(1, 2.5) // 2 and 3 cases of 1 s wait
	e.finished(&slow[0].Case, at(9))
	expect(9, 12.5) // 5 of 5 s
	for _, c := range quick[1:] {
		e.began(c, at(9))
		e.finished(&c.Case, at(10))
	}
	e.began(slow[1], at(10))
	e.began(slow[2], at(10))
	expect(12, 0.6)
	expect(20, 0) // both are overdue
	e.finished(&slow[1].Case, at(20))
	expect(10, 3.833) // one slot is idle
}

// TestUnknownWidth uses the default width if the terminal reports an impossible one.
func TestUnknownWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := func(width func() int) string {
			s := &screen{}
			o := optionsFor(s)
			o.Width = width
			New(o, casesOf("lu", 2), 1).show()
			return s.shown()
		}
		want := shown(func() int { return defaultWidth })
		for _, columns := range []int{-1, 0, 1} {
			if have := shown(func() int { return columns }); have != want {
				t.Errorf("on %d columns the line is %q, want %q", columns, have, want)
			}
		}
		if have := shown(nil); have != want {
			t.Errorf("without a width the line is %q, want %q", have, want)
		}
	})
}

// TestLine shows the remaining time from one second, and names a case that has run for five seconds: the first by id if
// there are several.
func TestLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := casesOf("lu", 5)
		p := New(optionsFor(&screen{}), list, 4)
		p.Began(list[0])
		time.Sleep(5 * time.Second)
		p.Finished(endOf(list[0], nil))
		for _, c := range list[1:] {
			p.Began(c)
		}
		for _, test := range []struct {
			after time.Duration
			want  string
		}{
			{0, "1/5 cases, 5s, about 5s left"},
			{4 * time.Second, "1/5 cases, 9s, about 1s left"},
			{1, "1/5 cases, 9s"},
			{time.Second - 2, "1/5 cases, 10s"},
			{1, "1/5 cases, 10s, 5s in lu[n=2]@cpu"},
		} {
			time.Sleep(test.after)
			for range 10 {
				if have := p.line(time.Now()); have != test.want {
					t.Fatalf("after %s the line is %q, want %q", time.Since(p.started), have, test.want)
				}
			}
		}
	})
}

func TestTimeInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 10 * time.Second: "10s", 200 * time.Second: "3m20s",
		time.Hour - 1: "1h0m0s", time.Hour: "1h0m",
		2*time.Hour + 5*time.Minute + 10*time.Second: "2h5m"} {
		if have := inWords(d); have != want {
			t.Errorf("%d ns is %q, want %q", d, have, want)
		}
	}
}
