package merge

import (
	"runtime"
	"sync"

	"roclua/host/plan"
	"roclua/host/result"
)

const (
	chunkCases = 64      // most cases of a chunk
	chunkBytes = 1 << 20 // bytes of lines after which a chunk ends
)

// chunk is consecutive cases that one goroutine reads.
type chunk struct {
	first, end int
	cases      []read
	done       chan struct{} // closed when the cases have been read
}

// Each calls f with every case of the plan and its result, in their order, and returns the first error. The results
// are read by several goroutines. Warnings are complete after Each.
func (m *Merge) Each(f func(i int, c *plan.Case, r *result.Result) error) error {
	workers := runtime.GOMAXPROCS(0)
	// The order has the chunks that are not delivered yet; its capacity bounds how many there are.
	order, todo, stop := make(chan *chunk, workers), make(chan *chunk), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(stop)
	all.Go(func() {
		defer close(order)
		defer close(todo)
		for first := 0; first < m.Cases.Len(); {
			c := &chunk{first: first, end: m.chunkEnd(first), done: make(chan struct{})}
			first = c.end
			for _, to := range []chan *chunk{order, todo} {
				select {
				case to <- c:
				case <-stop:
					return
				}
			}
		}
	})
	for range workers {
		all.Go(func() {
			for c := range todo {
				for i := c.first; i < c.end; i++ {
					c.cases = append(c.cases, m.read(i))
				}
				close(c.done)
			}
		})
	}
	for c := range order {
		<-c.done
		for i, one := range c.cases {
			if err := m.deliver(c.first+i, one, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// chunkEnd returns the end of a chunk.
func (m *Merge) chunkEnd(first int) int {
	bytes := 0
	for i := first; i < m.Cases.Len(); i++ {
		if bytes += int(m.places[i].size); i > first && bytes > chunkBytes || i-first == chunkCases {
			return i
		}
	}
	return m.Cases.Len()
}

// deliver checks one case and calls f with it.
func (m *Merge) deliver(i int, one read, f func(i int, c *plan.Case, r *result.Result) error) error {
	m.Warnings = append(m.Warnings, one.warnings...)
	if one.err != nil {
		return one.err
	}
	for _, a := range one.attempts {
		if err := m.checkModules(a); err != nil {
			return err
		}
	}
	return f(i, one.Case, one.result)
}
