//go:build linux || darwin || freebsd

package nvidia

import (
	"encoding/binary"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// TestKeptLists checks which lists of pointers a call writes again, and where. The memory of the lists is cleared
// before each call.
func TestKeptLists(t *testing.T) {
	f := newFake(t)
	other, err := f.NewStream(false)
	if err != nil {
		t.Fatal(err)
	}
	null := f.NullStream()
	x, h := f.solve(routine.BatchCount, 6)
	a, work := x.args, x.launch.Work[0].Span.Ptr
	first := h.kept[0].at
	for _, test := range []struct {
		name    string
		stream  driver.Stream
		slot    routine.Slot
		value   int64
		at      driver.Ptr
		written [2]bool
	}{
		{"the first call", null, routine.N, 4, first, [2]bool{true, true}},
		{"the same call", null, routine.N, 4, first, [2]bool{}},
		{"another B", null, routine.StrideB, 99, first, [2]bool{false, true}},
		{"another A", null, routine.StrideA, 98, first, [2]bool{true, false}},
		{"another batch", null, routine.BatchCount, 7, first, [2]bool{true, true}},
		{"another stream", other, routine.N, 4, first + keptBytes, [2]bool{true, true}},
		{"the first stream again", null, routine.N, 4, first, [2]bool{}},
		{"the largest batch", null, routine.BatchCount, keptPointers, first, [2]bool{true, true}},
		{"a large batch", null, routine.BatchCount, keptPointers + 1, work, [2]bool{true, true}},
		{"the large batch again", null, routine.BatchCount, keptPointers + 1, work, [2]bool{true, true}},
	} {
		a.SetInt(test.slot, test.value)
		x.stream = test.stream
		batch := a.Batch()
		zeros := make([]byte, 16*batch)
		if err := f.Write(null, test.at, zeros, driver.Row(uint64(len(zeros)))); err != nil {
			t.Fatal(err)
		}
		lists := x.arrayPointers(routine.A, routine.B)
		if x.err != nil || lists != [2]driver.Ptr{test.at, test.at + driver.Ptr(8*batch)} {
			t.Errorf("%s: lists at %d, want %d: %v", test.name, lists, test.at, x.err)
		}
		for i, slot := range []routine.Slot{routine.A, routine.B} {
			p, _ := a.Routine.ParamAt(slot)
			last := a.Ptr(slot) + uint64((batch-1)*x.distance(p)*8)
			if !test.written[i] {
				last = 0
			}
			if have := f.pointerAt(lists[i] + driver.Ptr(8*(batch-1))); have != last {
				t.Errorf("%s: the last pointer of list %d is %d, want %d", test.name, i, have, last)
			}
		}
	}
	h.kept.forget()
	if k := h.kept.of(other); k.at != first || k.batch != 0 {
		t.Errorf("the next case starts with %+v", k)
	}
}

// solve returns the execution of a strided batched solve, with a workspace in the memory of the tests.
func (f *fake) solve(slot routine.Slot, value int64) (*execution, *handles) {
	f.Helper()
	a := f.arguments("rocsolver_dgetrs_strided_batched", slots{routine.N: 4, routine.StrideP: 4, slot: value})
	h, err := handlesOf(f.gpu)
	if err != nil {
		f.Fatal(err)
	}
	span := driver.Span{Ptr: driver.Ptr(f.memory + 2048)}
	return &execution{gpu: f.gpu, args: a, stream: f.NullStream(),
		launch: &driver.Launch{Args: a, Work: []driver.Work{{ID: buffer.MatrixPointers, Span: span}}}}, h
}

// TestListsOfGraphs checks that a captured call writes its lists to its workspace, and that the lists of the stream
// stay.
func TestListsOfGraphs(t *testing.T) {
	f := newFake(t)
	x, h := f.solve(routine.BatchCount, 6)
	kept := h.kept[0].at
	for _, test := range []struct {
		captured bool
		at       driver.Ptr
		written  bool
	}{
		{false, kept, true}, {true, x.launch.Work[0].Span.Ptr, true}, {true, x.launch.Work[0].Span.Ptr, true},
		{false, kept, false},
	} {
		if test.captured {
			if err := f.BeginCapture(x.stream, driver.CaptureGlobal); err != nil {
				t.Fatal(err)
			}
		}
		zeros := make([]byte, 16*x.args.Batch())
		if err := f.Write(x.stream, test.at, zeros, driver.Row(uint64(len(zeros)))); err != nil {
			t.Fatal(err)
		}
		lists := x.arrayPointers(routine.A, routine.B)
		if x.err != nil || lists[0] != test.at || (f.pointerAt(lists[1]) != 0) != test.written {
			t.Errorf("captured %v: lists at %d, want %d; the first pointer to B is %d: %v", test.captured, lists,
				test.at, f.pointerAt(lists[1]), x.err)
		}
		if test.captured {
			f.endCapture(x.stream)
		}
	}
}

// TestKeptStreams checks that no more streams than there are lists keep theirs.
func TestKeptStreams(t *testing.T) {
	f := newFake(t)
	h, err := handlesOf(f.gpu)
	if err != nil {
		t.Fatal(err)
	}
	for i := range keptStreams + 1 {
		s, err := f.NewStream(false)
		if err != nil {
			t.Fatal(err)
		}
		if k := h.kept.of(s); (k != nil) != (i < keptStreams) || k != nil && k != h.kept.of(s) {
			t.Errorf("stream %d: %+v", i, k)
		}
	}
	var none kept
	if k := none.of(f.NullStream()); k != nil {
		t.Errorf("lists without memory: %+v", k)
	}
}

// pointerAt returns a pointer in the memory of the fake device.
func (f *fake) pointerAt(p driver.Ptr) uint64 {
	raw := make([]byte, 8)
	if err := f.Read(f.NullStream(), raw, p, driver.Row(uint64(len(raw)))); err != nil {
		f.Fatal(err)
	}
	return binary.NativeEndian.Uint64(raw)
}
