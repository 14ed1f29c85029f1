package analyze

import (
	"bytes"
	"io"
	"runtime"
	"sync/atomic"

	"roclua/host/applog/lines"
)

// blocks reads a file ahead of the goroutine that uses it.
type blocks struct {
	size    int // bytes per read
	measure int // one block in measure is left unprepared; 0 prepares all
	next    chan *block
	free    chan *block   // for reuse
	stop    chan struct{} // closed when no more blocks are needed
	workers chan *worker

	prepare atomic.Bool // prepare blocks from now on, except measured ones
	atomics atomic.Bool // trace lines end with the atomics mode
}

// readAhead starts reading a file. The caller closes the result's stop channel.
func (l *Log) readAhead(in io.Reader) *blocks {
	n := max(2, min(runtime.GOMAXPROCS(0), 8))
	b := &blocks{size: l.blockSize, measure: l.measureEvery, next: make(chan *block, n), free: make(chan *block, n+2),
		stop: make(chan struct{}), workers: make(chan *worker, n)}
	b.prepare.Store(b.measure == 0)
	for range n {
		b.workers <- &worker{log: l}
	}
	go b.run(in)
	return b
}

// run sends the blocks of a file; the last has an error.
func (b *blocks) run(in io.Reader) {
	defer close(b.next)
	var rest []byte // unfinished line of the last block
	skipping := false
	for count := 0; ; count++ {
		n := b.empty()
		n.text = append(n.text, rest...)
		start := len(n.text)
		var size int
		size, n.err = io.ReadAtLeast(in, n.text[start:start+b.size], 1)
		n.text, n.read = n.text[:start+size], int64(size)
		if skipping {
			n.text, skipping = afterLine(n.text)
		}
		rest = rest[:0]
		if end := bytes.LastIndexByte(n.text, '\n') + 1; n.err == nil && len(n.text)-end <= longestLine {
			rest = append(rest, n.text[end:]...)
			n.text = n.text[:end]
		} else if n.err == nil {
			n.text, skipping = n.text[:end+longestLine], true
		}
		if b.prepare.Load() && (b.measure == 0 || count%b.measure != 0) {
			b.startPrepare(n)
		}
		select {
		case b.next <- n:
		case <-b.stop:
			return
		}
		if n.err != nil {
			return
		}
	}
}

// afterLine returns text from its second line. skipping is true if there is no second line.
func afterLine(text []byte) (rest []byte, skipping bool) {
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		return text[:0], true
	}
	return text[:copy(text, text[i+1:])], false
}

// empty returns a block to fill.
func (b *blocks) empty() *block {
	select {
	case n := <-b.free:
		n.text, n.ready = n.text[:0], nil
		return n
	default:
		return &block{text: make([]byte, 0, b.size+longestLine)}
	}
}

// done recycles a block.
func (b *blocks) done(n *block) {
	select {
	case b.free <- n:
	default:
	}
}

// startPrepare starts preparing a block when a worker is free.
func (b *blocks) startPrepare(n *block) {
	w := <-b.workers
	n.ready = make(chan struct{})
	if n.prepared == nil {
		n.prepared = &prepared{}
	}
	w.parser = lines.NewParser()
	w.parser.AtomicsWord = b.atomics.Load()
	go func() {
		w.prepare(n)
		close(n.ready)
		b.workers <- w
	}()
}
