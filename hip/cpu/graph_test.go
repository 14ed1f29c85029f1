package cpu

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roclua/hip/driver"
)

// TestGraphMemory allocates and frees in graphs: addresses are fixed at the capture, memory exists from a launch to the
// release.
func TestGraphMemory(t *testing.T) {
	b := open(t, driver.Config{MemoryBytes: 1000})
	s := b.stream(true)
	used := func(want uint64) {
		t.Helper()
		if free, _, _ := b.dev.MemInfo(); 1000-free != want {
			t.Errorf("%d bytes are used, want %d", 1000-free, want)
		}
	}
	b.begin(s, 0)
	_, err := b.dev.MallocAsync(s, 1001)
	b.code(err, driver.ErrorOutOfMemory)
	b.at = 3
	p, err := b.dev.MallocAsync(s, 600)
	b.ok(err)
	b.ok(b.dev.Fill(s, p, 5, 600))
	kept := b.end(s)
	b.code(b.dev.Fill(s, p, 1, 8), driver.ErrorInvalidValue)
	used(0)
	b.at = 4
	b.ok(kept.Launch(s, nil))
	used(600)
	b.says(kept.Launch(s, nil), driver.ErrorInvalidValue, "600 bytes", "call at 3", "hipGraphLaunch at 4")
	if got := b.read(p, 600); got[599] != 5 {
		t.Errorf("the memory of the graph has %d", got[599])
	}
	b.ok(b.dev.FreeAsync(s, p))
	b.ok(s.Synchronize())
	used(0)
	q := b.malloc(500)
	b.code(kept.Launch(s, nil), driver.ErrorOutOfMemory)
	b.ok(b.dev.Free(q))
	b.ok(kept.Launch(s, nil))

	b.begin(s, 0)
	b.ok(b.dev.FreeAsync(s, p))
	b.code(b.dev.FreeAsync(s, q), driver.ErrorInvalidValue)
	r, err := b.dev.MallocAsync(s, 300)
	b.ok(err)
	b.ok(b.dev.Fill(s, r, 1, 300))
	b.ok(b.dev.FreeAsync(s, r))
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	nodes, _ := g.Nodes()
	left, freed := driver.Follow(nodes)
	if len(left) != 0 || !slices.Equal(freed, []driver.Ptr{p}) {
		t.Errorf("the graph leaves %v and frees %v", left, freed)
	}
	e, err := g.Instantiate()
	b.ok(err)
	_, err = g.Instantiate()
	b.says(err, driver.ErrorNotSupported, "call at 4")
	b.ok(e.Launch(s, nil))
	b.ok(s.Synchronize())
	used(0)
	if x := b.malloc(900); x == p || x == r {
		t.Error("addresses of a graph are allocated again")
	}
	b.begin(s, 0)
	b.code(e.Launch(s, nil), driver.ErrorNotSupported)
	b.end(s)
	b.ok(kept.Destroy())
	b.ok(e.Destroy())
	b.ok(g.Destroy())
	if b.rt.spaces.Reservation(p) != nil || b.rt.spaces.Reservation(r) != nil {
		t.Error("addresses are reserved without a graph")
	}
}

// TestGraphReusesItsMemory launches a graph that allocates again the memory that it has freed, and instantiates one
// without memory twice.
func TestGraphReusesItsMemory(t *testing.T) {
	b := open(t, driver.Config{MemoryBytes: 1000})
	s := b.stream(true)
	b.begin(s, 0)
	for range 2 {
		p, err := b.dev.MallocAsync(s, 600)
		b.ok(err)
		b.ok(b.dev.FreeAsync(s, p))
	}
	b.ok(b.end(s).Launch(s, nil))
	b.ok(s.Synchronize())

	p := b.malloc(8)
	b.begin(s, 0)
	b.ok(b.dev.Fill(s, p, 1, 8))
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	for range 2 {
		e, err := g.Instantiate()
		b.ok(err)
		b.ok(e.Launch(s, nil))
	}
}

// TestGraphMemoryHasBounds captures fills up to and beyond the end of memory of a graph, and a copy of rows.
func TestGraphMemoryHasBounds(t *testing.T) {
	b := open(t, driver.Config{})
	s := b.stream(true)
	b.begin(s, 0)
	p, err := b.dev.MallocAsync(s, 600)
	b.ok(err)
	b.ok(b.dev.Fill(s, p+100, 1, 500))
	b.code(b.dev.Fill(s, p, 1, 601), driver.ErrorInvalidValue)
	b.code(b.dev.Fill(s, p+100, 1, 501), driver.ErrorInvalidValue)
	b.ok(b.dev.Write(s, p, make([]byte, 60), driver.Rows{Width: 8, Count: 3, DevicePitch: 16, HostPitch: 20}))
	g, err := b.dev.EndCapture(s)
	b.ok(err)
	nodes, err := g.Nodes()
	b.ok(err)
	var sizes []uint64
	for _, n := range nodes {
		sizes = append(sizes, n.Bytes)
	}
	if want := []uint64{600, 500, 24}; !slices.Equal(sizes, want) {
		t.Errorf("the nodes have %d bytes, want %d", sizes, want)
	}
	b.ok(g.Destroy())
}

// TestGraphUsesMemoryThatChanged frees memory, and allocates it again, between capture and launch.
func TestGraphUsesMemoryThatChanged(t *testing.T) {
	for _, again := range []bool{false, true} {
		b := open(t, driver.Config{})
		s := b.stream(true)
		p := b.malloc(64)
		b.begin(s, 0)
		b.at = 2
		b.ok(b.dev.Fill(s, p+8, 5, 16))
		e := b.end(s)
		b.ok(e.Launch(s, nil))
		b.ok(s.Synchronize())
		b.at = 3
		b.ok(b.dev.Free(p))
		if again {
			b.dev.space.Cursor = 1 << 48
			b.at = 4
			if q := b.malloc(64); q != p {
				t.Fatalf("the address %#x is not allocated again", p)
			}
		}
		b.at = 5
		b.ok(e.Launch(s, nil))
		err := s.Synchronize()
		h := b.dev.Hazards()
		if len(h) != 1 || h[0].Ptr != p+8 || h[0].Bytes != 16 {
			t.Fatalf("hazards %v", h)
		}
		want := "call in stream 1 (captured at 2, launched at 5) uses memory that call (3) freed after the capture"
		if again {
			want = strings.Replace(want, "(3) freed", "(4) allocated", 1)
			b.ok(err)
			if b.read(p+8, 1)[0] != 5 {
				t.Error("the graph did not use the memory")
			}
		} else {
			b.says(err, driver.ErrorIllegalAddress, "call at 2, launched at 5", "freed by call at 3")
		}
		if h[0].String() != want {
			t.Errorf("%q, want %q", h[0], want)
		}
	}
}

// TestOverlappingLaunches launches a graph in two streams at the same time, and two graphs with common memory.
func TestOverlappingLaunches(t *testing.T) {
	b := open(t, driver.Config{})
	s, other := b.stream(true), b.stream(true)
	p := b.malloc(64)
	capture := func(line int) driver.GraphExec {
		b.begin(s, 0)
		b.at = line
		q, err := b.dev.MallocAsync(s, 8)
		b.ok(err)
		b.at = 10 * line
		b.ok(b.dev.Fill(s, p, 5, 16))
		b.at = line
		b.ok(b.dev.FreeAsync(s, q))
		return b.end(s)
	}
	first, second := capture(1), capture(2)
	for _, test := range []struct {
		a, b driver.GraphExec
		wait bool
		want []string
	}{
		{first, first, true, nil},
		{first, first, false, []string{"1 1"}}, // its own memory, after which the launches count as ordered
		{first, second, false, []string{"10 20"}},
	} {
		b.ok(b.dev.Synchronize())
		b.at = 7
		b.ok(test.a.Launch(s, nil))
		if test.wait {
			b.ok(s.Synchronize())
		}
		b.at = 8
		b.ok(test.b.Launch(other, nil))
		var have []string
		for _, h := range b.dev.Hazards() {
			have = append(have, h.Earlier.Origin+" "+h.Later.Origin)
			if h.Earlier.Launched != "7" || h.Later.Launched != "8" {
				t.Errorf("%v names other launches", h)
			}
		}
		if !slices.Equal(have, test.want) {
			t.Errorf("hazards %q, want %q", have, test.want)
		}
	}
}

// TestGraphInGraph captures the launch of a graph.
func TestGraphInGraph(t *testing.T) {
	b := open(t, driver.Config{})
	s := b.stream(true)
	p := b.malloc(8)
	b.begin(s, 0)
	b.ok(b.dev.Fill(s, p, 3, 8))
	inner := b.end(s)
	b.begin(s, 0)
	b.ok(inner.Launch(s, nil))
	outer := b.end(s)
	b.ok(inner.Destroy())
	b.ok(outer.Launch(s, nil))
	b.ok(s.Synchronize())
	if b.read(p, 8)[7] != 3 {
		t.Error("the inner graph did not run")
	}
}

// TestKernelsOfGraphs launches a routine in a graph, which reports the times of the launch.
func TestKernelsOfGraphs(t *testing.T) {
	b := open(t, driver.Config{})
	s := b.stream(true)
	p := b.malloc(64)
	b.write(p, make([]byte, 64))
	l := b.trsv(p, p+32, 2)
	b.begin(s, 0)
	b.at = 2
	b.ok(b.dev.Execute(s, l))
	e := b.end(s)
	b.at = 3
	var sites []driver.Site
	b.ok(e.Launch(s, func(at driver.Site) driver.Timer { sites = append(sites, at); return nil }))
	b.ok(s.Synchronize())
	if want := []driver.Site{{Call: "call", Origin: "2", Launched: "3"}}; !slices.Equal(sites, want) {
		t.Errorf("kernels %v, want %v", sites, want)
	}
}

// step is a random operation on one of the streams of TestGraphEqualsCalls.
type step struct{ kind, stream, event, to, from, n int }

// TestGraphEqualsCalls compares random work in several streams with the graph that captures it: memory, copies to the
// host, and hazards are the same, in each of two launches.
func TestGraphEqualsCalls(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		steps := make([]step, 2+rng.IntN(25))
		for i := range steps {
			steps[i] = step{rng.IntN(7), rng.IntN(3), rng.IntN(3), rng.IntN(64), rng.IntN(64), 1 + rng.IntN(63)}
		}
		wantMemory, wantHazards := runSteps(t, steps, false)
		haveMemory, haveHazards := runSteps(t, steps, true)
		for i := range wantMemory {
			if !bytes.Equal(haveMemory[i], wantMemory[i]) {
				t.Fatalf("seed %d: launch %d gives %v, want %v", seed, i, haveMemory[i], wantMemory[i])
			}
			if !slices.Equal(haveHazards[i], wantHazards[i]) {
				t.Fatalf("seed %d: launch %d has the hazards %v, want %v", seed, i, haveHazards[i], wantHazards[i])
			}
		}
	}
}

// runSteps does the steps twice, as a graph or as calls, and returns memory and hazards after each time.
func runSteps(t *testing.T, steps []step, captured bool) (memory [][]byte, hazards [][]string) {
	b := open(t, driver.Config{})
	p := b.malloc(128)
	content := make([]byte, 128)
	for i := range content {
		content[i] = byte(i)
	}
	b.write(p, content)
	streams := []driver.Stream{b.stream(true), b.stream(true), b.stream(true)}
	events := []driver.Event{b.event(), b.event(), b.event(), b.event()}
	out := make([]byte, 64)
	var e driver.GraphExec
	if captured {
		b.begin(streams[0], 0)
		b.steps(p, out, streams, events, steps)
		e = b.end(streams[0])
	}
	for range 2 {
		if captured {
			b.ok(e.Launch(streams[0], nil))
		} else {
			b.steps(p, out, streams, events, steps)
		}
		b.ok(b.dev.Synchronize())
		memory = append(memory, slices.Concat(b.read(p, 128), out))
		var list []string
		for _, h := range b.dev.Hazards() {
			list = append(list, fmt.Sprint(h.Earlier.Origin, " ", h.Later.Origin, " ", h.Ptr-p, " ", h.Bytes))
		}
		hazards = append(hazards, list)
	}
	return memory, hazards
}

// steps does the steps. The other streams begin after the first one, which ends after them.
func (b *bench) steps(p driver.Ptr, out []byte, streams []driver.Stream, events []driver.Event, steps []step) {
	b.Helper()
	b.at = 0
	last := events[3]
	b.ok(last.Record(streams[0]))
	for _, s := range streams[1:] {
		b.ok(s.WaitEvent(last))
	}
	for _, e := range events[:3] {
		b.ok(e.Record(streams[0])) // an event is not waited for before it is recorded
	}
	for i, x := range steps {
		b.at = i + 1
		s, e := streams[x.stream], events[x.event]
		switch n := uint64(x.n); x.kind {
		case 0:
			b.ok(b.dev.Fill(s, p+driver.Ptr(x.to), byte(i), n))
		case 1:
			b.ok(b.dev.Copy(s, p+driver.Ptr(x.to), p+driver.Ptr(x.from), driver.Row(n)))
		case 2:
			b.ok(e.Record(s))
		case 3:
			b.ok(s.WaitEvent(e))
		case 4:
			b.ok(b.dev.Write(s, p+driver.Ptr(x.to), bytes.Repeat([]byte{byte(x.from)}, x.n), driver.Row(n)))
		case 5:
			q, err := b.dev.MallocAsync(s, n)
			b.ok(err)
			b.ok(b.dev.Copy(s, q, p+driver.Ptr(x.from), driver.Row(n)))
			b.ok(b.dev.Copy(s, p+driver.Ptr(x.to), q, driver.Row(n)))
			b.ok(b.dev.FreeAsync(s, q))
		case 6:
			if x.stream == 0 {
				b.ok(b.dev.Read(s, out[:x.n], p+driver.Ptr(x.from), driver.Row(n)))
			}
		}
	}
	b.at = len(steps) + 1
	for _, s := range streams[1:] {
		b.ok(last.Record(s))
		b.ok(streams[0].WaitEvent(last))
	}
}
