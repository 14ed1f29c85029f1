package blas

import "sync"

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
