package host

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
	"roclua/host/report"
	"roclua/host/result"
	"roclua/luabind"
)

// screen is a terminal of a kind: it keeps what was written, and shows what a user sees of it.
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

// shown is what stands on the terminal: of each line, what was written since it was last erased.
func (s *screen) shown() string {
	lines := strings.Split(s.String(), "\n")
	for i, line := range lines {
		lines[i] = line[strings.LastIndex(line, "\r\x1b[K")+1:]
		lines[i] = strings.TrimPrefix(lines[i], "\x1b[K")
	}
	return strings.Join(lines, "\n")
}

// world is an environment around a screen, with the time of the bubble that a test runs in.
func world(s *screen, variables map[string]string) Env {
	return Env{Stdin: strings.NewReader(""), Stdout: s, Stderr: s, Getenv: func(name string) string { return variables[name] }, Now: time.Now, CPUs: 2,
		StderrIsTerminal: true, StderrWidth: func() int { return 120 }}
}

// cases makes n cases of a scenario.
func casesOf(name string, n int) []*plan.Case {
	var list []*plan.Case
	for i := range n {
		list = append(list, &plan.Case{Case: result.Case{ID: fmt.Sprintf("%s[n=%d]@cpu", name, i+1), Scenario: name}})
	}
	return list
}

func endOf(c *plan.Case, err error) *result.Result {
	return &result.Result{Case: &c.Case, Record: &luabind.Record{End: luabind.EndOf(err), Seconds: 0.25}}
}

func TestALineOnTheTerminalTellsHowFarARunIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		list := append(casesOf("lu", 10), &plan.Case{Case: result.Case{ID: "left out"}, Skip: "for a reason"})
		p := (&session{runOptions: &runOptions{color: "auto"}, env: world(s, map[string]string{"NO_COLOR": "1"})}).newProgress(list, 2, false)
		p.begin()
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
		want("") // a short run says nothing
		wait(1900 * time.Millisecond)
		want("[                    ] 0/11 cases, 2s")
		p.Finished(endOf(list[0], nil))
		p.Began(list[2])
		wait(2 * time.Second) // 4 s: one took 2 s, two are overdue, eight wait: 7 of 2 s for two lanes
		want("[=                   ] 1/11 cases, 4s, about 7s left")
		p.Finished(endOf(list[2], &luabind.Error{Message: "broken"}))
		p.Began(list[3])
		wait(2 * time.Second)
		want("[===                 ] 2/11 cases, 1 not passed, 6s, about 6s left, 6s in lu[n=2]@cpu")
		p.end()
		want("")
	})
}

func TestTheLineFitsTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		list := casesOf("a_scenario_of_a_very_long_name_that_no_line_has_room_for", 2)
		env := world(s, nil)
		width := 120
		env.StderrWidth = func() int { return width }
		p := (&session{runOptions: &runOptions{color: "always"}, env: env}).newProgress(list, 1, false)
		p.Began(list[0])
		p.Finished(endOf(list[0], &luabind.Error{Message: "broken"}))
		p.Began(list[1])
		time.Sleep(6 * time.Second)
		for _, width = range []int{2, 10, 40, narrow - 1, narrow, 80, 500} {
			p.tell()
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

func TestProgressWithoutATerminalIsCalm(t *testing.T) {
	const terminal, file = true, false
	for _, test := range []struct {
		name      string
		stderr    bool
		variables map[string]string
		options   runOptions
		outs      []report.Output
		seconds   int
		want      string
	}{
		{"short", file, nil, runOptions{}, nil, 9, ""},
		{"long", file, nil, runOptions{}, nil, 25, "0/1 cases, 10s, 10s in lu[n=1]@cpu\n0/1 cases, 20s, 20s in lu[n=1]@cpu\n"},
		{"CI", terminal, map[string]string{"CI": "true"}, runOptions{}, nil, 15, "0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"dumb", terminal, map[string]string{"TERM": "dumb"}, runOptions{}, nil, 15, "0/1 cases, 10s, 10s in lu[n=1]@cpu\n"},
		{"quiet", file, nil, runOptions{quiet: true}, nil, 25, ""},
		{"quiet on a terminal", terminal, nil, runOptions{quiet: true, verbose: true}, nil, 25, ""},
		{"results go line by line to the same terminal", terminal, nil, runOptions{}, []report.Output{{Format: "jsonl"}}, 25, ""},
		{"verbose", file, nil, runOptions{verbose: true}, nil, 1, "passed   lu[n=1]@cpu (0.25 s)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &screen{}
				env := world(s, test.variables)
				env.StderrIsTerminal, env.StdoutIsTerminal = test.stderr, test.stderr
				test.options.color = "auto"
				list := casesOf("lu", 1)
				p := (&session{runOptions: &test.options, env: env, outs: test.outs}).newProgress(list, 1, false)
				p.begin()
				p.Began(list[0])
				time.Sleep(time.Duration(test.seconds) * time.Second)
				synctest.Wait()
				p.Finished(endOf(list[0], nil))
				p.end()
				if have := s.String(); have != test.want {
					t.Errorf("wrote %q, want %q", have, test.want)
				}
			})
		})
	}
}

func TestTimeLeft(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Unix(0, 0).Add(time.Duration(seconds * float64(time.Second)))
	}
	slow, quick := casesOf("slow", 3), casesOf("quick", 4)
	e := newEstimate(append(slow, quick...), 2)
	expect := func(now, want float64) {
		t.Helper()
		left, ok := e.left(at(now))
		if !ok || left != time.Duration(want*float64(time.Second)) {
			t.Errorf("after %g s: %s left (known: %v), want %g s", now, left, ok, want)
		}
	}
	e.began(slow[0], at(0))
	e.began(quick[0], at(0))
	if _, ok := e.left(at(1)); ok {
		t.Error("time is said to be left before any case has ended")
	}
	e.finished(&quick[0].Case, at(1))
	expect(1, 2.5) // slow ones are expected to take 1 s like the other: 2 and 3 of them wait
	e.finished(&slow[0].Case, at(9))
	expect(9, 10.5) // 2 of 9 s, 3 of 1 s
	for _, c := range quick[1:] {
		e.began(c, at(9))
		e.finished(&c.Case, at(10))
	}
	e.began(slow[1], at(10))
	e.began(slow[2], at(10))
	expect(12, 7)
	expect(20, 0) // both are overdue
	e.finished(&slow[1].Case, at(20))
	expect(10, 9.5) // one lane has nothing more to do
}

func TestTimeInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 10 * time.Second: "10s", 200 * time.Second: "3m20s", time.Hour - 1: "1h0m0s",
		2*time.Hour + 5*time.Minute + 10*time.Second: "2h5m"} {
		if have := inWords(d); have != want {
			t.Errorf("%d ns is %q, want %q", d, have, want)
		}
	}
}
