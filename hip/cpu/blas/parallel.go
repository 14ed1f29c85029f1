package blas

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// threads is the number of processors that one call in Go may use; 0 before the first call of SetThreads.
var threads atomic.Int32

// SetThreads sets the number of processors that one call in Go may use, for the whole process; 0 means all of them. The
// results do not depend on it.
func SetThreads(n int) {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	threads.Store(int32(n))
}

// Threads returns the number of processors that one call in Go may use, by default all of them.
func Threads() int {
	if n := int(threads.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Parallel calls do for every task from 0 to tasks-1, with at most the given number of tasks at once. A panic in a
// task reaches the caller.
func Parallel(threads, tasks int, do func(task int)) {
	if threads = min(threads, tasks); threads <= 1 {
		for task := range tasks {
			do(task)
		}
		return
	}
	var next atomic.Int64
	var failure atomic.Pointer[any]
	work := func() {
		defer func() {
			if err := recover(); err != nil {
				failure.CompareAndSwap(nil, &err)
			}
		}()
		for task := next.Add(1) - 1; task < int64(tasks); task = next.Add(1) - 1 {
			do(int(task))
		}
	}
	var others sync.WaitGroup
	for range threads - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if err := failure.Load(); err != nil {
		panic(*err)
	}
}

// scratchPools keep temporary memory of goroutines for elements of the types s, d, c and z.
var scratchPools [4]sync.Pool

// kind returns the index of a type among s, d, c and z.
func kind[T Number]() int {
	var zero T
	switch any(zero).(type) {
	case float32:
		return 0
	case float64:
		return 1
	case complex64:
		return 2
	}
	return 3
}

// grown returns a slice of n elements, in the memory of s if that is large enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// WithScratch calls a function with temporary memory for n elements, which have any values.
func WithScratch[T Number](n int, use func(memory []T)) {
	pool := &scratchPools[kind[T]()]
	memory, ok := pool.Get().(*[]T)
	if !ok {
		memory = new([]T)
	}
	*memory = grown(*memory, n)
	use(*memory)
	pool.Put(memory)
}
