//go:build unix

package worker

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/luabind/record"
)

// allocates is a script that calls hipMalloc with the parameter n.
const allocates = `local hip = require "hip"
return { params = { n = 64 }, run = function(t)
  print("before")
  hip.free(hip.malloc(t.n))
  t:metric("n", t.n)
end }`

// job returns a job that calls hipMalloc of the faulty platform.
func job(n int) *Job {
	target := config.New("").Targets[0]
	target.Platform = "faulty"
	return &Job{Work{ID: fmt.Sprintf("case %d", n), Target: target,
		Case: record.Case{Params: map[string]any{"n": float64(n)}}},
		File{Script: "case.lua", Source: []byte(allocates)},
		Settings{Limits: record.Limits{Timeout: time.Minute, Heap: 64 << 20}}}
}

// newPool returns a pool and a function that runs jobs in one queue.
func newPool(t *testing.T) (*Pool, func(...*Job) []*record.Record) {
	pool := NewPool(nil)
	pool.Configure(config.Limits{})
	t.Cleanup(pool.Close)
	return pool, func(jobs ...*Job) []*record.Record {
		t.Helper()
		q := pool.NewQueue(nil)
		defer q.Close()
		for _, j := range jobs {
			q.Send(j)
		}
		var records []*record.Record
		for range jobs {
			records = append(records, q.Next(t.Context()))
		}
		return records
	}
}

// callsOf makes workers record the sizes of their hipMalloc calls, and returns a function that returns them.
func callsOf(t *testing.T) func() string {
	path := filepath.Join(t.TempDir(), "calls")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROCLUA_TEST_CALLS", path)
	return func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
}

// TestEveryJobRunsOnce sends jobs, and one ends the worker in some way. The jobs behind it run in another worker,
// once and in order.
func TestEveryJobRunsOnce(t *testing.T) {
	for _, test := range []struct {
		name  string
		n     int
		kind  record.EndKind
		says  string
		limit string
	}{
		{"kill", isKilled, record.EndDied,
			"the worker process was killed by signal 9 (killed) during hipMalloc at case.lua:4", ""},
		{"stack overflow", overflows, record.EndDied,
			"the worker process ended with the fatal error stack overflow during hipMalloc at case.lua:4", ""},
		{"memory of Go", fillsHeap, record.EndLimit,
			"of memory for Lua values; the limit is 67108864 bytes (64.0 MiB)", "heap"},
		{"hang", hangs, record.EndTimeout, "ran longer than its limit of 300ms", "timeout"},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := callsOf(t)
			_, run := newPool(t)
			bad := job(test.n)
			if test.n == hangs {
				bad.Limits.Timeout = 300 * time.Millisecond
			}
			records := run(job(101), bad, job(102), job(103), bad, job(104))
			if have := calls(); have != "101 102 103 104" {
				t.Errorf("calls %s", have)
			}
			for i, want := range []float64{101, 0, 102, 103, 0, 104} {
				r := records[i]
				switch {
				case want > 0:
					if !r.Passed() || len(r.Metrics) != 1 || r.Metrics[0].Value != int64(want) || r.Log != "before\n" {
						t.Errorf("case %d: %+v", i, r)
					}
				case r.End == nil || r.End.Kind != test.kind || !strings.Contains(r.End.String(), test.says):
					t.Errorf("case %d: %v", i, r.End)
				case (r.End.Limit == nil) != (test.limit == "") || r.End.Limit != nil && r.End.Limit.Name != test.limit:
					t.Errorf("case %d: limit %+v", i, r.End.Limit)
				}
			}
		})
	}
}

// TestJobsThatAreSentLater runs jobs that are sent after a worker died and before the next one has begun.
func TestJobsThatAreSentLater(t *testing.T) {
	calls := callsOf(t)
	pool, _ := newPool(t)
	q := pool.NewQueue(nil)
	defer q.Close()
	for _, j := range []*Job{job(isKilled), job(101), job(102)} {
		q.Send(j)
	}
	q.Next(t.Context())
	q.Send(job(103))
	for want := int64(101); want <= 103; want++ {
		if r := q.Next(t.Context()); !r.Passed() || r.Metrics[0].Value != want || r.Log != "before\n" {
			t.Errorf("case %d: %+v", want, r)
		}
	}
	if have := calls(); have != "101 102 103" {
		t.Errorf("calls %s", have)
	}
}

// runHanging runs a job that hangs in a call. Once it does, its worker is checked as if the job had taken its time
// limit and a grace, and a moment later, when it is killed.
func runHanging(t *testing.T, j *Job, call string, grace time.Duration) *record.Record {
	t.Helper()
	pool, run := newPool(t)
	run(job(64)) // starts the worker
	w := pool.idle[0]
	before, _ := w.shared.state()
	var checked sync.WaitGroup
	checked.Go(func() {
		for number, at := before, ""; number == before || at != call; time.Sleep(time.Millisecond) {
			number, _ = w.shared.state()
			at, _ = w.shared.place()
		}
		w.watch.check(time.Now()) // the time of the job counts from its first check
		w.watch.mu.Lock()
		end := w.watch.since.Add(j.Limits.Timeout + grace)
		w.watch.mu.Unlock()
		if w.watch.check(end); w.watch.killed() != nil {
			t.Errorf("the worker was killed before its time")
		}
		w.watch.check(end.Add(1))
	})
	r := run(j)[0]
	checked.Wait()
	if after := run(job(64))[0]; !after.Passed() {
		t.Errorf("the case after: %+v", after)
	}
	return r
}

// TestTimeIsBounded ends a case that hangs.
func TestTimeIsBounded(t *testing.T) {
	if p := runHanging(t, job(hangs), "hipMalloc at case.lua:4", limitGrace).Problems; len(p) != 1 ||
		p[0] != "the worker process did not answer and was killed during hipMalloc at case.lua:4" {
		t.Errorf("problems %q", p)
	}
}

// TestTeardownIsBounded ends a case whose teardown hangs, but not before its teardown had time.
func TestTeardownIsBounded(t *testing.T) {
	j := job(hangs)
	j.Source = []byte(`local hip = require "hip"
		return { params = { n = 0 }, run = function() while true do end end,
			teardown = function(t) hip.malloc(t.n) end }`)
	j.Limits.Instructions = 1000
	if end := runHanging(t, j, "hipMalloc at case.lua:3", killGrace).End; end == nil || end.Kind != record.EndTimeout {
		t.Errorf("ended with %+v", end)
	}
}

// TestMemoryIsBounded fills memory until the worker is killed, and checks how much it used.
func TestMemoryIsBounded(t *testing.T) {
	const limit = 200 << 20
	pool, run := newPool(t)
	pool.Configure(config.Limits{Memory: limit})
	records := run(job(fillsPages), job(64))
	end := records[0].End
	if end == nil || end.Kind != record.EndLimit || end.Limit.Name != "memory" || end.Limit.Max != limit ||
		end.Limit.Used > filledPages*11/10 {
		t.Fatalf("ended with %+v", end)
	}
	if p := records[0].Problems; len(p) != 1 ||
		p[0] != "the worker process was killed during hipMalloc at case.lua:4" {
		t.Errorf("problems %q", p)
	}
	if !records[1].Passed() {
		t.Errorf("the case after: %+v", records[1])
	}
	pool.Configure(config.Limits{})
	pool.total = func() uint64 { return limit } // of the machine
	records = run(job(fillsPages), job(64))
	if end := records[0].End; end == nil || end.Kind != record.EndLimit || !records[1].Passed() {
		t.Errorf("ended with %+v, then %+v", end, records[1])
	}
}

// TestPlaceOfAKilledScript kills a worker whose script makes no calls.
func TestPlaceOfAKilledScript(t *testing.T) {
	pool, run := newPool(t)
	pool.Configure(config.Limits{Memory: 200 << 20})
	j := job(0)
	// All on one line: the jump at the end of a loop has the line of its "end".
	j.Source = []byte("local t = {}\nwhile true do t[#t + 1] = { #t } end")
	j.Limits.Heap = 0
	end := run(j)[0].End
	if end == nil || end.Kind != record.EndLimit || end.Where != "case.lua:2" {
		t.Errorf("ended with %+v", end)
	}
}

// TestAWorkerThatEndsBetweenJobs loses no job.
func TestAWorkerThatEndsBetweenJobs(t *testing.T) {
	calls := callsOf(t)
	pool, run := newPool(t)
	run(job(101))
	w := pool.idle[0]
	w.kill()
	<-w.exited
	records := run(job(102), job(103))
	const note = "the worker process was killed by signal 9 (killed) before it began with the case; " +
		"the case was given to another one\nbefore\n"
	if !records[0].Passed() || records[0].Log != note || !records[1].Passed() || records[1].Log != "before\n" {
		t.Errorf("%+v, then %+v", records[0], records[1])
	}
	if have := calls(); have != "101 102 103" {
		t.Errorf("calls %s", have)
	}
}

// TestWorkersThatEndBeforeAJob gives a job to two workers at most: the job may be the cause of their end.
func TestWorkersThatEndBeforeAJob(t *testing.T) {
	pool, run := newPool(t)
	queues := []*Queue{pool.NewQueue(nil), pool.NewQueue(nil)}
	for _, q := range queues {
		q.Send(job(64))
	}
	for _, q := range queues {
		q.Next(t.Context())
		q.Close()
	}
	for _, w := range pool.idle {
		w.kill()
		<-w.exited
	}
	if r := run(job(64))[0]; r.End == nil || r.End.Kind != record.EndDied ||
		!strings.HasPrefix(r.Log, "the worker process was killed by signal 9 (killed) before it began with the case") {
		t.Errorf("%+v, %q", r.End, r.Log)
	}
}

// TestWhatLibrariesPrint checks the log of a case that prints in a library, and the output of a queue.
func TestWhatLibrariesPrint(t *testing.T) {
	pool, run := newPool(t)
	records := run(job(64), job(prints), job(64))
	if have := records[1].Log; have != "before\non the output\non the other\n" || records[2].Log != "before\n" {
		t.Errorf("logs %q, then %q", have, records[2].Log)
	}
	var output strings.Builder
	q := pool.NewQueue(&output)
	defer q.Close()
	q.Send(job(prints))
	q.Send(job(64))
	q.Next(t.Context())
	q.Next(t.Context())
	if have := output.String(); have != "before\non the output\non the other\nbefore\n" {
		t.Errorf("printed %q", have)
	}
}

// written is called when something is written.
type written func()

func (w written) Write(b []byte) (int, error) {
	w()
	return len(b), nil
}

// TestInterruptedJobs interrupts a case that does not end, and the job behind it.
func TestInterruptedJobs(t *testing.T) {
	pool, _ := newPool(t)
	ctx, cancel := context.WithCancel(t.Context())
	q := pool.NewQueue(written(cancel))
	defer q.Close()
	loop := job(64)
	loop.Source = []byte(`print("begun") while true do end`)
	q.Send(loop)
	q.Send(job(64))
	for range 2 {
		if r := q.Next(ctx); r.End == nil || r.End.Kind != record.EndCanceled {
			t.Errorf("ended with %+v", r.End)
		}
	}
}

// TestDescribe describes scripts that declare something, nothing, or take too much.
func TestDescribe(t *testing.T) {
	pool, run := newPool(t)
	for _, test := range []struct {
		name, source, err, name1 string
		limit                    time.Duration
	}{
		{"list", `return { { name = "one", run = print }, { name = "two", run = print } }`, "", "one", 0},
		{"plain", `print("hello")`, "", "", 0},
		{"syntax", `local = 1`, `script.lua:1:7: '<name>' expected near '='`, "", 0},
		{"error", `error("boom")`, "script.lua:1: boom", "", 0},
		{"endless", `while true do end`, "script.lua:1: ran longer than its limit of 300ms (limits.timeout)", "",
			300 * time.Millisecond},
		{"heap", `local t = ("x"):rep(2^30)`, "script.lua:1: needs", "", 0},
	} {
		script := &Script{File{Script: "script.lua", Source: []byte(test.source)},
			Settings{Limits: record.Limits{Heap: 64 << 20, Timeout: test.limit}}}
		d, err := pool.Describe(t.Context(), script)
		if err != nil || len(d.Scenarios) == 0 {
			t.Fatalf("%s: %v, %+v", test.name, err, d)
		}
		if d.Scenarios[0].Name != test.name1 || (d.Err == nil) != (test.err == "") ||
			d.Err != nil && !strings.HasPrefix(d.Err.String(), test.err) {
			t.Errorf("%s: %+v, %v", test.name, d.Scenarios[0], d.Err)
		}
	}
	if r := run(job(64)); !r[0].Passed() {
		t.Errorf("the case after: %+v", r[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	endless := &Script{File: File{Script: "a.lua", Source: []byte(`while true do end`)}}
	if _, err := pool.Describe(ctx, endless); err == nil {
		t.Error("a description that is canceled has no error")
	}
}

// TestTimeToDescribe checks how long the top level of a script may run, and the message if it takes longer than its
// cases may.
func TestTimeToDescribe(t *testing.T) {
	endless := &Script{File{Script: "script.lua", Source: []byte(`while true do end`)},
		Settings{Limits: record.Limits{Timeout: time.Minute}}}
	start := time.Now()
	ctx, cancel := endless.limited(t.Context())
	defer cancel()
	if end, ok := ctx.Deadline(); !ok || end.Sub(start) < describeTimeout || time.Until(end) > describeTimeout {
		t.Errorf("from %v until %v", start, end)
	}
	ended, cancel := context.WithDeadline(t.Context(), start)
	defer cancel()
	const message = "script.lua: its top level did not finish within 2s, so its scenarios are unknown"
	if d := endless.Describe(ended); d.Err == nil || d.Err.String() != message || len(d.Scenarios) != 1 {
		t.Errorf("%+v", d)
	}
	for limit, want := range map[time.Duration]time.Duration{0: describeTimeout, time.Second: time.Second,
		time.Minute: describeTimeout} {
		if have := (&Script{Settings: Settings{Limits: record.Limits{Timeout: limit}}}).timeout(); have != want {
			t.Errorf("with the time limit %s: %s, want %s", limit, have, want)
		}
	}
}

// TestOneWorkerIsEnough describes a script and runs it in the same process.
func TestOneWorkerIsEnough(t *testing.T) {
	pool, run := newPool(t)
	script := &Script{File: File{Script: "case.lua", Source: []byte(allocates)}}
	if _, err := pool.Describe(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	first := pool.idle[0]
	run(job(64), job(64))
	if len(pool.all) != 1 || !pool.isIdle(first) {
		t.Errorf("%d workers", len(pool.all))
	}
}

// TestWorkersStartNoWorkers makes this process look like a worker whose program does not serve.
func TestWorkersStartNoWorkers(t *testing.T) {
	t.Setenv(startedVariable, "1")
	_, run := newPool(t)
	const want = "a worker process cannot start another"
	if r := run(job(64))[0]; r.End == nil || !strings.Contains(r.End.String(), want) {
		t.Errorf("%+v", r)
	}
}

// isIdle reports whether a process waits for requests.
func (p *Pool) isIdle(w *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.idle, w)
}
