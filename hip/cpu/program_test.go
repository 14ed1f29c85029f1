package cpu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/internal/randomtest"
)

// A program is a random mix of copies, fills, events and waits on a few streams. A separate model predicts the result:
// memory is as if all work was done in the order of queueing, and an operation is a hazard exactly when a graph of the
// documented ordering has no path to it from an earlier conflicting one.
type program struct {
	*bench
	rng     *rand.Rand
	streams []*modelStream
	events  []*modelEvent
	block   driver.Ptr
	memory  []byte // contents of the block after the work queued so far
	unknown []bool // bytes that nothing has written

	nodes []node
	host  map[int]bool // nodes that the host has waited for
	want  []int        // places of the operations that are hazards
	found []string     // reads of unwritten memory
	reads []readBack
}

// node is an operation: the nodes that happen before it, including itself, and the memory that it uses.
type node struct {
	before map[int]bool
	spans  []span
}

type span struct {
	low, high int
	write     bool
}

type modelStream struct {
	s        driver.Stream
	blocking bool
	last     int // its latest node, or -1
}

type modelEvent struct {
	e    driver.Event
	mark int
}

type readBack struct {
	have, want []byte
}

const programBlock = 128

func newProgram(t *testing.T, rng *rand.Rand) *program {
	p := &program{bench: open(t, driver.Config{MemoryBytes: 1 << 20}), rng: rng, memory: make([]byte, programBlock),
		host: map[int]bool{}}
	p.streams = append(p.streams, &modelStream{p.dev.null, true, -1})
	for i := range 4 {
		p.streams = append(p.streams, &modelStream{p.stream(i%2 == 0), i%2 != 0, -1})
	}
	for range 3 {
		e, err := p.dev.NewEvent()
		p.ok(err)
		p.events = append(p.events, &modelEvent{e, -1})
	}
	p.block = p.malloc(programBlock)
	for i := range p.memory { // a block begins at a multiple of 8 bytes
		p.memory[i] = binary.NativeEndian.AppendUint64(nil, memory.Poison)[i%8]
	}
	p.unknown = slices.Repeat([]bool{true}, programBlock)
	return p
}

// add adds a node of a stream to the model.
func (p *program) add(s *modelStream, spans []span, after ...int) int {
	id := len(p.nodes)
	before := map[int]bool{id: true}
	join := func(n int) {
		if n >= 0 {
			for b := range p.nodes[n].before {
				before[b] = true
			}
		}
	}
	for n := range p.host {
		before[n] = true
	}
	join(s.last)
	null := p.streams[0]
	for _, other := range p.streams {
		if s.blocking && other.blocking && (s == null || other == null) {
			join(other.last)
		}
	}
	for _, n := range after {
		join(n)
	}
	hazard := false
	for n := range id {
		if !before[n] && conflict(p.nodes[n].spans, spans) {
			hazard = true
			join(n)
		}
	}
	if hazard {
		p.want = append(p.want, p.at)
	}
	p.nodes = append(p.nodes, node{before, spans})
	s.last = id
	return id
}

func conflict(a, b []span) bool {
	for _, x := range a {
		for _, y := range b {
			if (x.write || y.write) && x.low < y.high && y.low < x.high {
				return true
			}
		}
	}
	return false
}

func (p *program) waitFor(n int) {
	if n >= 0 {
		for b := range p.nodes[n].before {
			p.host[b] = true
		}
	}
}

// step does one random operation on the device and in the model.
func (p *program) step() {
	s := p.streams[p.rng.IntN(len(p.streams))]
	e := p.events[p.rng.IntN(len(p.events))]
	n := 1 + p.rng.IntN(programBlock/2)
	dst, src := p.rng.IntN(programBlock-n+1), p.rng.IntN(programBlock-n+1)
	switch p.rng.IntN(14) {
	case 0, 1, 2, 3:
		p.ok(p.dev.Fill(s.s, p.block+driver.Ptr(dst), byte(p.at), uint64(n)))
		p.add(s, []span{{dst, dst + n, true}})
		for i := range n {
			p.memory[dst+i], p.unknown[dst+i] = byte(p.at), false
		}
	case 4, 5:
		p.ok(p.dev.Copy(s.s, p.block+driver.Ptr(dst), p.block+driver.Ptr(src), driver.Row(uint64(n))))
		p.add(s, []span{{dst, dst + n, true}, {src, src + n, false}})
		copy(p.memory[dst:dst+n], p.memory[src:src+n])
		copy(p.unknown[dst:dst+n], p.unknown[src:src+n])
	case 6, 7:
		r := readBack{make([]byte, n), slices.Clone(p.memory[src : src+n])}
		p.ok(p.dev.Read(s.s, r.have, p.block+driver.Ptr(src), driver.Row(uint64(len(r.have)))))
		p.add(s, []span{{src, src + n, false}})
		p.reads = append(p.reads, r)
		p.readUnknown(p.unknown[src:src+n], src)
	case 8, 9:
		p.ok(e.e.Record(s.s))
		e.mark = p.add(s, nil)
	case 10, 11:
		p.ok(s.s.WaitEvent(e.e))
		if e.mark >= 0 {
			p.add(s, nil, e.mark)
		}
	case 12:
		p.wait(s, e)
	case 13:
		if !s.blocking { // a new stream reuses the slot of a destroyed one
			p.ok(s.s.Destroy())
			s.s = p.stream(true)
			s.last = -1
		}
	}
}

// readUnknown adds the report of a read, after which its bytes count as written.
func (p *program) readUnknown(bytes []bool, from int) {
	count := 0
	for _, unknown := range bytes {
		if unknown {
			count++
		}
	}
	if count > 0 {
		p.found = append(p.found, fmt.Sprintf("%d: %d of %d from %d", p.at, count, len(bytes),
			from+slices.Index(bytes, true)))
	}
	clear(bytes)
}

// wait makes the host wait for a stream, an event, or sometimes for everything.
func (p *program) wait(s *modelStream, e *modelEvent) {
	switch p.rng.IntN(5) {
	case 0:
		p.ok(p.dev.Synchronize())
		for n := range p.nodes {
			p.host[n] = true
		}
	case 1, 2:
		p.ok(e.e.Synchronize())
		p.waitFor(e.mark)
	default:
		p.ok(s.s.Synchronize())
		for _, other := range p.streams {
			if other == s || s == p.streams[0] && other.blocking {
				p.waitFor(other.last)
			}
		}
	}
}

func TestRandomPrograms(t *testing.T) {
	hazards := 0
	randomtest.Each(t, 150, 120, func(t *testing.T, r *rand.Rand, length int) {
		p := newProgram(t, r)
		for p.at = range length {
			p.step()
		}
		p.ok(p.dev.Synchronize())
		var found []string
		for _, u := range p.dev.UnwrittenReads() {
			found = append(found, fmt.Sprintf("%s: %d of %d from %d", u.Origin, u.Bytes, u.Of, u.Offset))
		}
		if !slices.Equal(found, p.found) {
			t.Errorf("reads of unwritten memory: %q, want %q", found, p.found)
		}
		if have := p.read(p.block, programBlock); !bytes.Equal(have, p.memory) {
			t.Errorf("memory is not as if work was done in the order of queueing:\nhave %v\nwant %v", have, p.memory)
		}
		for _, r := range p.reads {
			if !bytes.Equal(r.have, r.want) {
				t.Errorf("read %v, want %v", r.have, r.want)
			}
		}
		if have := places(p.dev.Hazards()); !slices.Equal(have, p.want) {
			t.Errorf("hazards at %v, want %v", have, p.want)
		}
		hazards += len(p.want)
	})
	if hazards < 1000 {
		t.Errorf("only %d hazards in all programs", hazards)
	}
}

// places returns the call sites of the later uses of hazards, without duplicates.
func places(list []driver.Hazard) []int {
	var out []int
	for _, h := range list {
		at, err := strconv.Atoi(h.Later.Origin)
		if err != nil {
			panic(err)
		}
		out = append(out, at)
	}
	return slices.Compact(out)
}
