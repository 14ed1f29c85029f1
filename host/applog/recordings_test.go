package applog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "roclua/hip/cpu"
	"roclua/hip/function"
	"roclua/host/applog"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/host/replay"
)

// application writes a recording of a handle that grows once, and fails once if the workspace of the program is too
// small for a solver.
func application(t *testing.T, name string, process int, to int64) string {
	t.Helper()
	return applicationOf(t, name, process, to, map[string]string{"host": "node", "program": "/opt/app/solve",
		"rocblas.version": "4.4.1.b6328b4", "device.0.arch": "gfx942:xnack-"})
}

// applicationOf writes the recording with other facts.
func applicationOf(t *testing.T, name string, process int, to int64, facts map[string]string) string {
	t.Helper()
	w := recordingtest.Writer{Process: recording.Process{PID: process, Ended: true, Facts: facts}}
	now := time.Duration(0)
	add := func(name, signature string, status int, results []uint64, inside []*recording.Call,
		values ...int64,
	) *recording.Call {
		c := &recording.Call{Function: &recording.Function{Name: name, Signature: "r" + signature}, Thread: 1,
			Start: now, End: now + 10, Status: status, Results: results, Inside: inside}
		for i, l := range signature {
			v := recording.Value{Letter: function.Kind(l), Int: values[i]}
			if v.Letter == function.Handle {
				c.Handle = int(values[i])
			}
			c.Args = append(c.Args, v)
		}
		now += 1000
		return c
	}
	malloc := func(address uint64, bytes int64) *recording.Call {
		return add("hipMalloc", "Mz", 0, []uint64{address}, nil, 0, bytes)
	}
	free := func(address int64) *recording.Call { return add("hipFree", "m", 0, nil, nil, address) }
	w.Add(add("rocblas_create_handle", "H", 0, []uint64{1}, []*recording.Call{malloc(0x1000, 128<<20)}, 0))
	w.Add(add("rocsolver_dgetrf", "hiipipp", 0, nil, nil, 1, 1000, 1000, 1, 1000, 1, 1))
	grown := []*recording.Call{free(0x1000), malloc(0x2000, to)}
	w.Add(add("rocsolver_dgetrf", "hiipipp", 0, nil, grown, 1, 40000, 40000, 1, 40000, 1, 1))
	w.Add(add("rocblas_set_workspace", "hmz", 0, nil, []*recording.Call{free(0x2000)}, 1, 0x900000000, 1<<20))
	w.Add(add("rocsolver_dgetrf", "hiipipp", 5, nil, nil, 1, 40000, 40000, 1, 40000, 1, 1))
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, w.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, files ...string) *render.Report {
	t.Helper()
	report, err := applog.Read(t.Context(), applog.Request{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func document(t *testing.T, r *render.Report) (d render.Document) {
	t.Helper()
	var b strings.Builder
	if err := output.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b.String()), &d); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return d
}

// grownTo is the memory of a handle of rocm-6.4 on gfx942 after a dgetrf of order 40,000.
const grownTo = 164845568 + 128<<20

// TestRecording reads a recording: the release and architecture are its own, and the handle's row is exact.
func TestRecording(t *testing.T) {
	path := application(t, "app.rec", 42, grownTo)
	r := read(t, path)
	d := document(t, r)
	if len(d.Handles) != 1 || len(d.Targets) != 1 {
		t.Fatalf("handles %+v, targets %+v", d.Handles, d.Targets)
	}
	h := d.Handles[0]
	if h.Number != 1 || h.Process != 42 || h.Calls != 3 || h.Failed != 1 || *h.WorkspaceBytes != 1<<20 ||
		h.HeldBytes != 0 || h.NeedsBytes != grownTo-128<<20 || h.DecidedBy.Call != 3 {
		t.Errorf("handle %+v, decided by %+v", h, h.DecidedBy)
	}
	want := render.RecordedGrowthEntry{Call: 3, FromBytes: 128 << 20, ToBytes: grownTo}
	if len(h.Growths) != 1 || h.Growths[0] != want || len(h.RecordedGrowths) != 1 || h.RecordedGrowths[0] != want {
		t.Errorf("growths %+v, recorded %+v, want %+v", h.Growths, h.RecordedGrowths, want)
	}
	if a := *d.Agreement; a.Growths != (replay.Score{Right: 1, All: 1}) ||
		a.Statuses != (replay.Score{Right: 5, All: 5}) || a.Queries.All != 0 {
		t.Errorf("agreement %+v, differences %+v", a, d.Differences)
	}
	if len(d.Findings) != 1 || d.Findings[0].Code != "memory_error" || d.Findings[0].Call != 5 {
		t.Errorf("findings %+v", d.Findings)
	}
	if target := d.Targets["rocm-6.4/gfx942"]; target.NeedsBytes != grownTo-128<<20 || !target.Managed.Exact {
		t.Errorf("targets %+v", d.Targets)
	}
	var b strings.Builder
	if err := output.WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"app.rec: recording of process 42, solve, on node, rocm-6.4/gfx942\n  5 rocBLAS and rocSOLVER calls on " +
			"1 handle\n",
		"the model predicts 1 of 1 growth, 5 of 5 statuses and no size query\n",
		"│ dgetrf, call 3 │ 1048576 (1.0 MiB) │       1 │",
		"handle 1, call 5, rocsolver_dgetrf, after 0s:\n    it needs 164845568 bytes (157.2 MiB), " +
			"and the handle has 1048576 bytes (1.0 MiB)\n",
		"decided by call 3, dgetrf\n",
		"call 4 sets a workspace of 1048576 bytes (1.0 MiB), and the",
	} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("the text lacks %q:\n%s", text, b.String())
		}
	}
	b.Reset()
	if err := r.Memory()[0].Picture.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf(">the peak, %d (285.2 MiB)<", grownTo), "handle 1, call 1 to 5",
		fmt.Sprintf("growths\ncall = 3: %d bytes", grownTo), fmt.Sprintf("rocm-6.4\ncall = 1: %d bytes", 128<<20)} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("the picture lacks %q:\n%s", text, b.String())
		}
	}
	a, err := r.Sections()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Sections {
		var picture strings.Builder
		if s.Picture == nil {
			continue
		}
		if err := s.Picture.WriteSVG(&picture); err != nil || !strings.Contains(picture.String(), ">call</text>") {
			t.Errorf("%v: the axis is not of calls:\n%s", err, picture.String())
		}
	}
	if strings.Contains(b.String(), "leave no line") {
		t.Errorf("the text has notes about logs:\n%s", b.String())
	}
	b.Reset()
	page, err := r.Sections()
	if err = errors.Join(err, page.WriteHTML(&b)); err != nil ||
		!strings.Contains(b.String(), "the model predicts 1 of 1 growth") {
		t.Errorf("the page lacks the answer: %v", err)
	}
}

// TestSeveralRecordings adds the handles of several processes, and a log.
func TestSeveralRecordings(t *testing.T) {
	log := filepath.Join(t.TempDir(), "app.log")
	line := "rocblas_create_handle,atomics_not_allowed\nrocblas_dscal,10,2,0x1,1,atomics_not_allowed\n"
	if err := os.WriteFile(log, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	d := document(t, read(t, application(t, "a.rec", 1, grownTo), log, application(t, "b.rec", 2, grownTo+64)))
	if len(d.Handles) != 2 || d.Handles[1].Process != 2 || len(d.Files) != 3 {
		t.Errorf("handles %+v of %+v", d.Handles, d.Files)
	}
	if a := *d.Agreement; a.Growths != (replay.Score{Right: 1, All: 2}) || len(d.Differences) != 1 ||
		d.Differences[0].What != "growth" || !strings.HasSuffix(d.Differences[0].File, "b.rec") {
		t.Errorf("agreement %+v, differences %+v", a, d.Differences)
	}
	if d.Totals["managed"] != 2*grownTo || d.Totals["user_owned"] != 2*(grownTo-128<<20) {
		t.Errorf("totals %+v", d.Totals)
	}
	if len(d.Notes) == 0 {
		t.Error("there are no notes about the log")
	}
	times := int64(0)
	for _, c := range d.Calls {
		times += c.Count
	}
	if times != 7 {
		t.Errorf("%d calls, want 7: %+v", times, d.Calls)
	}
}

// TestManyHandles lists the handles that need most.
func TestManyHandles(t *testing.T) {
	var files []string
	for i := range 25 {
		files = append(files, application(t, fmt.Sprintf("app%02d.rec", i), i+1, grownTo))
	}
	r := read(t, files...)
	var b strings.Builder
	if err := output.WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(b.String(), "│ dgetrf, call 3 │"); rows != 20 || !strings.Contains(b.String(), "5 more handles") {
		t.Errorf("%d rows:\n%s", rows, b.String())
	}
	if d := document(t, r); len(d.Handles) != 25 {
		t.Errorf("%d handles in JSON", len(d.Handles))
	}
}

// TestBadRecordings reads recordings without calls, of another version, cut ones, and one on standard input.
func TestBadRecordings(t *testing.T) {
	whole, err := os.ReadFile(application(t, "app.rec", 1, grownTo))
	if err != nil {
		t.Fatal(err)
	}
	_, err = applog.Read(t.Context(), applog.Request{Files: []string{"-"}, Stdin: bytes.NewReader(whole)})
	if err == nil || !strings.Contains(err.Error(), "standard input is a recording, which is read from a file") {
		t.Errorf("standard input: %v", err)
	}
	empty := (&recordingtest.Writer{}).Bytes()
	newer := append([]byte{}, whole...)
	first := append([]byte{}, whole[:recording.HeaderBytes+recording.ChunkBytes]...)
	copy(first[recording.HeaderBytes+recording.ChunkHeader:], "xxxx")
	newer[16] = 99
	for _, test := range []struct {
		name, want string
		data       []byte
		code       exit.Code
	}{
		{"empty.rec", "is a recording without rocBLAS or rocSOLVER calls", empty, exit.Nothing},
		{"header.rec", "are missing; at byte 300: the file is cut", empty[:300], exit.Nothing},
		{"first.rec", "the rest of a part of 64 KiB is damaged", first, exit.Nothing},
		{"newer.rec", "version 99", newer, exit.Usage},
		{"cut.rec", "", whole[:len(whole)-recording.ChunkBytes+200], exit.Pass},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, test.data, 0o600); err != nil {
			t.Fatal(err)
		}
		report, err := applog.Read(t.Context(), applog.Request{Files: []string{path}})
		if test.want == "" {
			var b strings.Builder
			if err != nil || output.WriteText(&b, report) != nil || strings.Count(b.String(), "the file is cut") != 1 {
				t.Errorf("%s: %v\n%s", test.name, err, b.String())
			}
			if n := report.Notes; !slices.ContainsFunc(n, func(n analyze.Note) bool {
				return n.Code == analyze.Incomplete && strings.HasSuffix(n.Text, "the file is cut")
			}) {
				t.Errorf("%s: the notes are %v", test.name, n)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || exit.Of(err) != test.code {
			t.Errorf("%s: %v; want %q and exit code %d", test.name, err, test.want, test.code)
		}
	}
}

// TestVersions reads recordings of libraries of other versions, also of the last number: the nearest profile predicts
// them, and a note says that they are not modelled.
func TestVersions(t *testing.T) {
	for _, test := range []struct{ blas, solver, profile, note string }{
		{"4.3.0", "", "rocm-6.4", "rocBLAS 4.3.0 is not modelled"},
		{"4.4.0", "3.28.0", "rocm-6.4", "an n x n matrix less of workspace"},
		{"4.4.1", "3.28.2", "rocm-6.4", ""},
		{"5.0.0", "3.30.0", "rocm-7.1", "managed memory is always stream-ordered"},
		{"5.1.0", "3.31.0", "rocm-7.1", ""},
		{"5.1.1", "3.31.0", "rocm-7.1.1", "profile rocm-7.1.1 is inferred"},
		{"5.3.0", "3.33.0", "rocm-7.2", "herk_ex is new"},
		{"9.9.9", "9.9.9", "rocm-7.2", "rocBLAS 9.9.9 with rocSOLVER 9.9.9 is not modelled; the nearest"},
	} {
		path := applicationOf(t, "app.rec", 42, grownTo, map[string]string{"rocblas.version": test.blas,
			"rocsolver.version": test.solver, "device.0.arch": "gfx90a"})
		d := document(t, read(t, path))
		notes := fmt.Sprint(d.Notes)
		_, on := d.Targets[test.profile+"/gfx90a"]
		if !on || !strings.Contains(notes, test.note) || test.note == "" && strings.Contains(notes, "not modelled;") {
			t.Errorf("%s, %s: targets %v, notes %s", test.blas, test.solver, d.Targets, notes)
		}
	}
}

// TestDefectsOfCaptures decides a defect of captured solves in stream order by what the recording shows of the capture
// and of the handle.
func TestDefectsOfCaptures(t *testing.T) {
	for _, test := range []struct {
		ordered, captured bool
		want              string // "decided", "open" or none
	}{{true, true, "decided"}, {true, false, ""}, {false, false, ""}} {
		facts := map[string]string{"host": "node", "program": "/opt/app/solve", "rocblas.version": "4.4.1.b6328b4",
			"device.0.arch": "gfx942:xnack-"}
		if test.ordered {
			facts["env.ROCBLAS_STREAM_ORDER_ALLOC"] = "1"
		}
		w := recordingtest.Writer{Process: recording.Process{PID: 7, Ended: true, Facts: facts}}
		now := time.Duration(0)
		add := func(name, signature string, results []uint64, stream int, values ...int64) {
			c := &recording.Call{Function: &recording.Function{Name: name, Signature: signature}, Thread: 1, Start: now,
				End: now + 10, Results: results, Stream: stream}
			for i, l := range signature[1:] {
				c.Args = append(c.Args, recording.Value{Letter: function.Kind(l), Int: values[i]})
				if function.Kind(l) == function.Handle {
					c.Handle = int(values[i])
				}
			}
			now += 1000
			w.Add(c)
		}
		add("hipStreamCreateWithFlags", "eSu", []uint64{1}, 0, 1, 1)
		add("rocblas_create_handle", "rH", []uint64{1}, 0, 1)
		add("rocblas_set_stream", "rhs", nil, 0, 1, 1)
		if test.captured {
			add("hipStreamBeginCapture", "esi", nil, 0, 1, 2)
		}
		add("rocblas_dtrsv", "rhiiiipipi", nil, 1, 1, 121, 111, 131, 100, 0x9000, 100, 0x8000, 1)
		path := filepath.Join(t.TempDir(), "app.rec")
		if err := os.WriteFile(path, w.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		have := ""
		for _, d := range document(t, read(t, path)).Targets["rocm-6.4/gfx942"].Defects {
			if d.ID == "trsv-graph-stream-order" {
				have = map[bool]string{false: "decided", true: "open"}[d.Undecided]
			}
		}
		if have != test.want {
			t.Errorf("stream order %v, captured %v: %q, want %q", test.ordered, test.captured, have, test.want)
		}
	}
}
