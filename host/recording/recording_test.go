package recording_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/function"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/internal/randomtest"
)

var (
	create  = &recording.Function{Name: "rocblas_create_handle", Signature: "rH"}
	scale   = &recording.Function{Name: "rocblas_dscal", Signature: "rhiamim"}
	malloc  = &recording.Function{Name: "hipMalloc", Signature: "rMz"}
	abstol  = &recording.Function{Name: "rocsolver_ssyevx", Signature: "rhfd"}
	control = &recording.Function{Name: "hipStreamWaitEvent", Signature: "rseu"}
)

// sample returns calls of two threads, many of them, with calls inside.
func sample() []*recording.Call {
	value := func(l function.Kind, v int64) recording.Value { return recording.Value{Letter: l, Int: v} }
	alpha := []recording.Value{{Letter: 'a', Scalar: binary.LittleEndian.AppendUint64(nil, 0x3ff0000000000000)},
		{Letter: 'a', Int: 1 << 46}}
	calls := []*recording.Call{
		{Function: create, Thread: 1, Start: 10, End: 20, Args: []recording.Value{{Letter: 'H'}},
			Results: []uint64{1}},
		{Function: abstol, Thread: 2, Start: 15, End: 30, Handle: 1, Stream: 3, Args: []recording.Value{
			value('h', 1), {Letter: 'f', Real: 0.5}, {Letter: 'd', Real: -2}}, Status: 11},
	}
	for i := range 5000 {
		at := time.Duration(100 + 50*i)
		calls = append(calls, &recording.Call{Function: scale, Thread: 1 + i%2, Start: at, End: at + 40, Handle: 1,
			Device: i % 3, Stream: 1,
			Args: []recording.Value{value('h', 1), value('i', int64(i%700)-3), alpha[i/2%2],
				{Letter: 'm', Null: i%5 == 0, Int: int64(i % 5 << 40)}, value('i', 1), value('m', -int64(i/900))},
			Waits: i % 2, Copies: i % 3,
			Inside: []*recording.Call{{Function: malloc, Thread: 1 + i%2, Start: at + 5, End: at + 9,
				Args: []recording.Value{{Letter: 'M', Null: i%7 == 0}, value('z', 1<<40)}, Results: []uint64{4096}}},
		})
	}
	return append(calls, &recording.Call{Function: control, Thread: 1, Start: 1e9, End: 2e9, Stream: 2,
		Args: []recording.Value{value('s', 2), value('e', 1), value('u', 0)}, Status: -1})
}

// written returns the file of calls.
func written(calls []*recording.Call) []byte {
	w := recordingtest.Writer{Process: recording.Process{PID: 7, Parent: 6, Start: time.Unix(5, 0), Ended: true,
		Facts: map[string]string{"host": "node", "program": "/bin/a=b"}}}
	for _, c := range calls {
		w.Add(c)
	}
	return w.Bytes()
}

func read(t testing.TB, data []byte) ([]*recording.Call, *recording.File) {
	t.Helper()
	f, err := recording.New(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(f.Calls()), f
}

// TestRead reads a recording: the calls of both threads in the order of their starts, and the process.
func TestRead(t *testing.T) {
	want := sample()
	have, f := read(t, written(want))
	if diff := cmp.Diff(want, have); diff != "" || len(f.Problems) > 0 {
		t.Errorf("problems %q; differences:\n%s", f.Problems, diff)
	}
	p := f.Process
	if p.PID != 7 || p.Parent != 6 || !p.Start.Equal(time.Unix(5, 0)) || !p.Ended || p.DiskFull ||
		p.Facts["host"] != "node" || p.Facts["program"] != "/bin/a=b" {
		t.Errorf("the process is %+v", p)
	}
	if v, ok := have[2].Inside[0].Result(0); !ok || v != 4096 {
		t.Errorf("the result of hipMalloc is %d, %v", v, ok)
	}
	if _, ok := have[2].Result(1); ok {
		t.Error("n of dscal is a result")
	}
}

// TestCutFiles cuts a file at many places. Each call that is complete is read.
func TestCutFiles(t *testing.T) {
	calls := sample()
	checkCuts(t, calls[:60], 1)
	checkCuts(t, calls, 2647)
	data := written(calls[:60])
	if have, f := read(t, data[:recording.FactsOffset]); len(have) != 0 || len(f.Problems) != 1 {
		t.Errorf("the begin of a header has %d calls and problems %q", len(have), f.Problems)
	}
	for _, at := range []int{0, 5, 40} {
		if _, err := recording.New(bytes.NewReader(data[:at]), int64(at)); !errors.Is(err, recording.ErrFormat) {
			t.Errorf("a file of %d bytes: %v", at, err)
		}
	}
}

// checkCuts reads a file that ends at each byte of its chunks that is used, or at one in step.
func checkCuts(t *testing.T, want []*recording.Call, step int) {
	t.Helper()
	data := written(want)
	last := 0
	for at := recording.HeaderBytes; at < len(data); at += step {
		have, f := read(t, data[:at])
		if len(have) < last {
			t.Errorf("%d bytes have %d calls, fewer bytes had %d", at, len(have), last)
		}
		last = len(have)
		chunk := at - (at-recording.HeaderBytes)%recording.ChunkBytes
		used := int(binary.LittleEndian.Uint32(data[min(chunk+4, len(data)-4):]))
		if missing := at > chunk && at < chunk+used; missing != (len(f.Problems) > 0) {
			t.Errorf("cut at %d of a part with %d used bytes: problems %q", at-chunk, used, f.Problems)
		}
		if at > chunk+used {
			at = chunk + recording.ChunkBytes - step
		}
	}
	if last < len(want)*9/10 {
		t.Errorf("%d of %d calls", last, len(want))
	}
}

// TestDamage changes bytes of a file: the parts of the file that are whole are read, and problems name places.
func TestDamage(t *testing.T) {
	want := sample()
	for _, change := range []struct {
		at   int // in the second chunk
		to   byte
		want string
	}{
		{0, 'x', "a part of 64 KiB is damaged"},
		{7, 1, "a part of 64 KiB is damaged"},
		{recording.ChunkHeader, recording.ShapeRecord, "the rest of a part of 64 KiB is damaged"},
	} {
		data := written(want)
		second := recording.HeaderBytes + recording.ChunkBytes
		data[second+change.at] = change.to
		have, f := read(t, data)
		problems := strings.Join(f.Problems, "; ")
		place := second
		if change.at >= recording.ChunkHeader {
			place += recording.ChunkHeader
		}
		if want := fmt.Sprintf("at byte %d: %s", place, change.want); problems != want {
			t.Errorf("byte %d: problems %q, want %q", change.at, problems, want)
		}
		if len(have) == 0 || len(have) >= len(want) {
			t.Errorf("byte %d: %d calls of %d", change.at, len(have), len(want))
		}
	}
	data := written(want)
	data[16] = 9
	if _, err := recording.New(bytes.NewReader(data), int64(len(data))); err == nil ||
		!strings.Contains(err.Error(), "version 9 of the format; this program reads the versions 1 to 2") {
		t.Errorf("another version: %v", err)
	}
}

// TestUnfinished has calls that were made inside of one that did not end.
func TestUnfinished(t *testing.T) {
	calls := sample()[:3]
	calls[2].Inside[0].End = 1000
	data := written(calls)
	chunk := recording.HeaderBytes
	used := binary.LittleEndian.Uint32(data[chunk+4:])
	// The last record is the outer call: its shape and the call were not written.
	for n := used - 1; ; n-- {
		binary.LittleEndian.PutUint32(data[chunk+4:], n)
		have, _ := read(t, data)
		if len(have) == 3 && have[2].Name == "hipMalloc" {
			if !have[2].Unfinished || have[1].Unfinished {
				t.Error("which calls are unfinished is wrong")
			}
			return
		}
		if n < used-60 {
			t.Fatalf("the inner call is not returned: %d calls", len(have))
		}
	}
}

// TestRunning has calls that had not ended: those of a thread's last part, with their functions.
func TestRunning(t *testing.T) {
	var w recordingtest.Writer
	for _, c := range sample() {
		w.Add(c)
	}
	want := []*recording.Running{
		{Function: scale, Thread: 1, Handle: 1, Start: 3e9},
		{Function: malloc, Thread: 1, Depth: 1, Start: 4e9},
		{Function: abstol, Thread: 2, Handle: 1, Start: 5e9},
	}
	for _, r := range want {
		w.Begin(r)
	}
	_, f := read(t, w.Bytes())
	if diff := cmp.Diff(want, f.Running()); diff != "" {
		t.Error(diff)
	}
	if _, f := read(t, written(sample())); f.Running() != nil {
		t.Errorf("%d calls run in a recording without them", len(f.Running()))
	}
}

// TestUnknown has functions that the recorder does not know.
func TestUnknown(t *testing.T) {
	facts := map[string]string{"unknown.hipB": "", "unknown.hipA": ""}
	w := recordingtest.Writer{Process: recording.Process{Facts: facts}}
	_, f := read(t, w.Bytes())
	want := []string{"the program uses functions that record does not know, whose effects are missing: hipA, hipB"}
	if !slices.Equal(f.Problems, want) {
		t.Errorf("problems %q, want %q", f.Problems, want)
	}
}

// version1 returns a recording in the first version of the format.
func version1(t *testing.T) []byte {
	t.Helper()
	file, err := os.Open("testdata/version1.rec.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVersion1 reads a recording in the first version of the format.
func TestVersion1(t *testing.T) {
	calls, f := read(t, version1(t))
	var have strings.Builder
	var write func(list []*recording.Call, indent string)
	write = func(list []*recording.Call, indent string) {
		for _, c := range list {
			fmt.Fprintf(&have, "%s%s %s h%d s%d", indent, c.Name, c.Signature, c.Handle, c.Stream)
			for _, v := range c.Args {
				fmt.Fprintf(&have, " %d", v.Int)
			}
			fmt.Fprintf(&have, " -> %d %d\n", c.Status, c.Results)
			write(c.Inside, "  ")
		}
	}
	write(calls, "")
	want, err := os.ReadFile("testdata/version1.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), have.String()); diff != "" || f.Problems != nil || f.Running() != nil {
		t.Errorf("%q, %d calls run:\n%s", f.Problems, len(f.Running()), diff)
	}
}

// FuzzRead reads a part of a file with damaged records, in both versions. Reading ends, and a call has as many
// arguments and results as its signature.
func FuzzRead(f *testing.F) {
	whole := written(sample()[:20])[recording.HeaderBytes:]
	used := binary.LittleEndian.Uint32(whole[4:])
	for _, first := range []bool{false, true} {
		f.Add(whole[len(recording.ChunkMagic)+4:used], first)
	}
	header := slices.Concat(written(nil), whole[:len(recording.ChunkMagic)+4])
	f.Fuzz(func(t *testing.T, records []byte, first bool) {
		data := slices.Concat(header, records[:min(len(records), recording.ChunkBytes-len(recording.ChunkMagic)-4)])
		binary.LittleEndian.PutUint32(data[recording.HeaderBytes+4:], uint32(len(data)-recording.HeaderBytes))
		if first {
			data[len(recording.Magic)] = 1
		}
		if err := readAll(t, data); err != nil {
			t.Fatal(err)
		}
	})
}

// readAll reads a file that may be damaged. Each call has as many arguments and results as its signature.
func readAll(t *testing.T, data []byte) error {
	t.Helper()
	file, err := recording.New(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for call := range file.Calls() {
		results := 0
		for _, v := range call.Args {
			if v.Letter.IsResult() {
				results++
			}
		}
		if len(call.Args) != len(call.Params()) || len(call.Results) != results || call.Waits < 0 || call.Copies < 0 {
			t.Fatalf("%s: %d arguments, %d results", call.Name, len(call.Args), len(call.Results))
		}
	}
	for _, r := range file.Running() {
		if r.Name == "" || r.Depth < 0 || r.Depth >= recording.MostRunning {
			t.Fatalf("%+v runs", r)
		}
	}
	return nil
}

// TestMutations changes bytes of recordings in both versions, and cuts them. Reading ends, and errors say what is
// wrong.
func TestMutations(t *testing.T) {
	r := randomtest.New(t)
	var w recordingtest.Writer
	for _, c := range sample()[:20] {
		w.Add(c)
	}
	w.Begin(&recording.Running{Function: scale, Thread: 1, Handle: 1, Start: 3e9})
	refused := 0
	for _, whole := range [][]byte{w.Bytes(), version1(t)} {
		used := int(binary.LittleEndian.Uint32(whole[recording.HeaderBytes+4:]))
		for range 2000 {
			data := slices.Clone(whole)
			for range 1 + r.IntN(3) {
				at := recording.HeaderBytes + r.IntN(used)
				if r.IntN(4) == 0 {
					at = r.IntN(recording.FactsOffset + 20)
				}
				data[at] = byte(r.IntN(256))
			}
			if r.IntN(10) == 0 {
				data = data[:r.IntN(len(data))]
			}
			if err := readAll(t, data); err != nil {
				refused++
				if !strings.HasPrefix(err.Error(), "is ") && !strings.HasPrefix(err.Error(), "has ") {
					t.Fatalf("the error is %q", err)
				}
			}
		}
	}
	if refused < 200 || refused > 2000 {
		t.Errorf("%d of 4000 files are refused", refused)
	}
}
