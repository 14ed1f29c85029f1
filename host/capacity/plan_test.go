package capacity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "roclua/hip/cpu"
	"roclua/hip/function"
	"roclua/host/applog"
	"roclua/host/capacity"
	"roclua/host/output"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/internal/randomtest"
	"roclua/workspace/footprint"
)

// plan plans for calls on rocm-7.2 and gfx90a.
func plan(t *testing.T, o capacity.Options, texts ...string) *capacity.Target {
	t.Helper()
	report, err := applog.Read(t.Context(), applog.Request{Calls: texts, OneHandle: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := capacity.New(report, o)
	if err != nil {
		t.Fatal(err)
	}
	return p.Targets[0]
}

// TestTotals compares the totals of a server with the memory of one handle.
func TestTotals(t *testing.T) {
	const call, need = "dgetrf m=1024 n=1024", 4732160
	have := map[string]uint64{}
	target := plan(t, capacity.Options{Handles: 48, Streams: 2}, call)
	for _, total := range target.Totals {
		have[total.Scheme] = total.Bytes
	}
	want := map[string]uint64{"managed": 48 * 32 << 20, "preallocated": 48 * need, "manual": 48 * need,
		"user_owned": 96 * need, "stream_ordered": 96 * need}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", have, want)
	}
	if s := target.Sharing[0]; s.Safe != "no" || s.Bytes != need {
		t.Errorf("%+v", s)
	}
	if s := plan(t, capacity.Options{}, call).Sharing[0]; s.Safe != "yes" {
		t.Errorf("one handle: %+v", s)
	}
}

// TestOneScale checks that the bars of two architectures have heights in proportion, next to one axis.
func TestOneScale(t *testing.T) {
	report, err := applog.Read(t.Context(), applog.Request{Calls: []string{"dgetrf m=64 n=64"}, OneHandle: true,
		Archs: []string{"gfx90a", "gfx942"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := capacity.New(report, capacity.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Sections()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := a.Sections[1].Picture.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{` height="104.0" fill="#0072b2"><title>rocm-7.2/gfx90a, managed: 33554432 bytes<`,
		` height="416.0" fill="#d55e00"><title>rocm-7.2/gfx942, managed: 134217728 bytes<`,
		">128 MiB</text>", ">0 B</text>"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("the picture lacks %q:\n%s", text, b.String())
		}
	}
}

// TestBudgets draws calls and budgets, and compares the steps with what each call does in the workspace that is left.
func TestBudgets(t *testing.T) {
	randomtest.Each(t, 60, 8, func(t *testing.T, random *rand.Rand, length int) {
		handles := 1 + random.Int64N(50)
		var texts []string
		for range min(length, 1+random.IntN(8)) {
			texts = append(texts, []string{
				fmt.Sprintf("dgetrf m=%d n=%d", 1+random.IntN(4000), 1+random.IntN(4000)),
				fmt.Sprintf("dtrsm side=left uplo=upper m=%d n=%d", 1+random.IntN(9000), 1+random.IntN(500)),
				fmt.Sprintf("dgemv m=%d n=4 trans=transpose", 1+random.IntN(1000000)),
				fmt.Sprintf("dasum n=%d", 1+random.IntN(100000)),
			}[random.IntN(4)])
		}
		free := plan(t, capacity.Options{Handles: handles}, texts...)
		total := free.Handles[0].Wants * uint64(handles)
		budget := random.Uint64N(total + total/4 + 1)
		target := plan(t, capacity.Options{Handles: handles, Budget: &budget}, texts...)
		check(t, target, budget, uint64(handles), texts)
		if t.Failed() {
			t.Fatalf("%d handles, %d bytes: %q", handles, budget, texts)
		}
	})
}

func check(t *testing.T, target *capacity.Target, budget, handles uint64, texts []string) {
	t.Helper()
	d, h := target.Decision, target.Handles[0]
	left, lost := h.Wants, map[string]string{}
	for _, step := range d.Steps {
		if step.From != left || step.To >= left || step.Saves != (step.From-step.To)*handles {
			t.Errorf("%+v in a workspace of %d", step, left)
		}
		if left*handles <= budget {
			t.Errorf("%+v is not necessary", step)
		}
		left = step.To
		for _, c := range step.Calls {
			lost[c.Call] = c.Effect
		}
	}
	if d.After != left*handles || d.After > budget || d.Needs != h.Wants*handles {
		t.Errorf("%+v, %d bytes are left", d, left)
	}
	for _, text := range texts {
		c, _ := footprint.Parse(text)
		s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := footprint.ExecutedNeed(plannedOn(t), s.Args(0))
		want := ""
		switch {
		case err != nil || e.Bytes <= left:
		case e.CanDegrade && e.Degraded <= left:
			want = "perf_degraded"
		default:
			want = "memory_error"
		}
		have := ""
		for call, effect := range lost {
			if sameCall(call, text) {
				have = effect
			}
		}
		if have != want {
			t.Errorf("%s in %d bytes: %q, want %q", text, left, have, want)
		}
	}
}

// sameCall reports whether a label of a plan is of a call: it has its arguments, and options in another order.
func sameCall(label, text string) bool {
	for field := range strings.FieldsSeq(text) {
		if !strings.Contains(" "+label+" ", " "+field+" ") {
			return false
		}
	}
	return true
}

func plannedOn(t *testing.T) footprint.Target {
	t.Helper()
	report, err := applog.Read(t.Context(), applog.Request{Calls: []string{"dasum n=1"}})
	if err != nil {
		t.Fatal(err)
	}
	return report.Targets[0].Target
}

// recorded records processes whose devices have architectures. Each handle is made on a device, and those of order > 0
// factorize a matrix.
func recorded(t *testing.T, archs []string, handles ...[2]int64) string {
	t.Helper()
	return program{archs: archs, handles: handles}.record(t)
}

// program is a process that is recorded. Its handles exist one after another, or are made by a thread each.
type program struct {
	archs             []string
	handles           [][2]int64
	destroys, threads bool
	killed            bool
}

func (p program) record(t *testing.T) string {
	t.Helper()
	archs, handles := p.archs, p.handles
	w := recordingtest.Writer{Process: recording.Process{PID: 1, Ended: !p.killed, Facts: map[string]string{
		"rocblas.version": "4.4.1.b6328b4"}}}
	for i, name := range archs {
		w.Process.Facts[fmt.Sprintf("device.%d.arch", i)] = name + ":xnack-"
	}
	now, thread := time.Duration(0), 1
	add := func(name, signature string, device, handle int, results []uint64, values ...int64) {
		now += 1000
		c := &recording.Call{Function: &recording.Function{Name: name, Signature: "r" + signature}, Thread: thread,
			Start: now, End: now + 10, Device: device, Handle: handle, Results: results}
		for k, l := range signature {
			c.Args = append(c.Args, recording.Value{Letter: function.Kind(l), Int: values[k]})
		}
		w.Add(c)
	}
	for i, h := range handles {
		device, n := int(h[0]), h[1]
		if p.threads {
			thread = i + 1
		}
		add("rocblas_create_handle", "H", device, 0, []uint64{uint64(i + 1)}, 0)
		if n > 0 {
			add("rocsolver_dgetrf", "hiipipp", device, i+1, nil, int64(i+1), n, n, 1, n, 1, 1)
		}
		if p.destroys {
			add("rocblas_destroy_handle", "h", device, i+1, nil, int64(i+1))
		}
	}
	path := filepath.Join(t.TempDir(), "app.rec")
	if err := os.WriteFile(path, w.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// planned plans for a recorded program.
func planned(t *testing.T, p program) *capacity.Target {
	t.Helper()
	report, err := applog.Read(t.Context(), applog.Request{Files: []string{p.record(t)}, Sharing: true})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := capacity.New(report, capacity.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return plan.Targets[0]
}

// TestLifetimes plans for three handles that exist one after another, or at the same time.
func TestLifetimes(t *testing.T) {
	for destroys, handles := range map[bool]uint64{true: 1, false: 3} {
		target := planned(t, program{[]string{"gfx90a"}, [][2]int64{{0, 1000}, {0, 1000}, {0, 1000}}, destroys, false,
			false})
		for _, total := range target.Totals[:4] {
			if total.Bytes == 0 || total.Peak != total.Bytes/3*handles {
				t.Errorf("destroyed %v: %s holds %d bytes, at most %d at a time", destroys, total.Scheme, total.Bytes,
					total.Peak)
			}
		}
	}
}

// TestNotSafe plans for programs whose handles cannot be said to share a workspace.
func TestNotSafe(t *testing.T) {
	two := [][2]int64{{0, 1000}, {0, 1000}}
	for _, test := range []struct {
		program
		safe, reason string
	}{
		{program{handles: two}, "yes", "each of 2 calls that use workspace waits for those before it"},
		{program{handles: two, threads: true}, "unknown", "the recording shows nothing that orders them"},
		{program{handles: two, killed: true}, "unknown", "the process did not end by exit"},
	} {
		test.archs = []string{"gfx90a"}
		if s := planned(t, test.program).Sharing[0]; s.Safe != test.safe || !strings.Contains(s.Reason, test.reason) {
			t.Errorf("%+v: %s, %s", test.program, s.Safe, s.Reason)
		}
	}
}

// TestIdleHandles plans for a recording of two handles; one makes a call.
func TestIdleHandles(t *testing.T) {
	path := recorded(t, []string{"gfx942"}, [2]int64{0, 100}, [2]int64{})
	report, err := applog.Read(t.Context(), applog.Request{Files: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := capacity.New(report, capacity.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, total := range p.Targets[0].Totals {
		if total.Scheme == "managed" && total.Bytes != 2*128<<20 {
			t.Errorf("the managed handles hold %d bytes, want %d", total.Bytes, 2*128<<20)
		}
	}
	if n := len(p.Targets[0].Handles); n != 1 {
		t.Errorf("%d handles with calls, want 1", n)
	}
	withLog(t, path, p.Targets[0])
}

// withLog plans for a recording and a log: the log adds its handle.
func withLog(t *testing.T, path string, alone *capacity.Target) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(log, []byte("rocsolver-bench -f getrf --precision d -m 1024 -n 1024\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := applog.Read(t.Context(), applog.Request{Files: []string{path, log}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := capacity.New(report, capacity.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target := p.Targets[0]
	if n := len(target.Handles); n != 2 || target.Handles[1].Name != log || target.Handles[1].Needs == 0 {
		t.Errorf("%d handles, want 2: %+v", n, target.Handles[n-1])
	}
	for i, total := range target.Totals {
		if total.Scheme == "managed" && total.Bytes != alone.Totals[i].Bytes+128<<20 {
			t.Errorf("with a log the managed handles hold %d bytes, %d without", total.Bytes, alone.Totals[i].Bytes)
		}
	}
}

// TestDevices plans for handles on devices that are alike, whose totals are added, and on devices that differ, each of
// which counts on its own target.
func TestDevices(t *testing.T) {
	const initial, large = 32 << 20, 128 << 20
	for _, test := range []struct {
		archs   []string
		managed []uint64   // of each target
		devices [][]uint64 // and of its devices
	}{
		{[]string{"gfx90a"}, []uint64{3 * initial}, [][]uint64{nil}},
		{[]string{"gfx90a", "gfx90a"}, []uint64{3 * initial}, [][]uint64{{initial, 2 * initial}}},
		{[]string{"gfx90a", "gfx942"}, []uint64{initial, 2 * large}, [][]uint64{nil, nil}},
	} {
		path := recorded(t, test.archs, [2]int64{0, 100}, [2]int64{1, 1000}, [2]int64{1, 0})
		report, err := applog.Read(t.Context(), applog.Request{Files: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := capacity.New(report, capacity.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, target := range p.Targets {
			total := target.Totals[0]
			var devices []uint64
			for _, d := range total.Devices {
				devices = append(devices, d.Bytes)
			}
			if total.Bytes != test.managed[i] || !slices.Equal(devices, test.devices[i]) {
				t.Errorf("%v: %s holds %d bytes, %v on the devices, want %d and %v", test.archs, target.Arch,
					total.Bytes, devices, test.managed[i], test.devices[i])
			}
		}
		var text, log strings.Builder
		if err := errors.Join(output.WriteText(&text, p), output.WriteText(&log, report)); err != nil {
			t.Fatal(err)
		}
		several := len(test.archs) > 1
		for _, b := range []string{text.String(), log.String()} {
			if strings.Contains(b, "│ device") != several {
				t.Errorf("%v: a column for the device is there or not, want %v:\n%s", test.archs, several, b)
			}
		}
		of := "  device 1, " + test.archs[len(test.archs)-1] + ", 2 handles: managed"
		if several != strings.Contains(log.String(), of) {
			t.Errorf("%v: totals of device 1:\n%s", test.archs, log.String())
		}
	}
}
