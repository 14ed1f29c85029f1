package analyze

import (
	"bytes"
	"io"
	"runtime"
	"sync/atomic"
)

const (
	sizeOfBlock = 1 << 18 // bytes that are read at once
	longestLine = 1 << 16 // bytes with the end of the line; the rest of a longer line is skipped
)

// block is a part of a file: whole lines, except perhaps the last one.
type block struct {
	text []byte
	read int64 // bytes of the file, with those that were skipped
	err  error // of reading after this part; io.EOF at the end

	prepared *prepared
	ready    chan struct{} // closed when prepared is complete; nil for a block that is not prepared
}

// blocks reads a file ahead of the goroutine that uses it.
type blocks struct {
	size    int // bytes that are read at once
	measure int // one block in measure is not prepared; 0 if all are prepared
	next    chan *block
	free    chan *block   // to be used again
	stop    chan struct{} // closed when no more blocks are needed
	workers chan *worker

	prepare atomic.Bool // prepare the blocks that are read from now on, except for those that measure
	atomics atomic.Bool // trace lines end with the mode of atomics
}

// readAhead begins to read a file. The caller closes stop of the result.
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

// run sends the blocks of a file, the last one with an error.
func (b *blocks) run(in io.Reader) {
	defer close(b.next)
	var rest []byte // of the last block: a line without its end
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

// afterLine returns text from its second line on. skipping is true if it has none.
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

// done takes a block that is not needed any more.
func (b *blocks) done(n *block) {
	select {
	case b.free <- n:
	default:
	}
}
