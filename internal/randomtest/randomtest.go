// Package randomtest gives tests their random numbers: the same in every run, or those of another seed.
package randomtest

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"testing"
)

// Seed returns the seed of a test: 1, or the number in the environment variable TEST_SEED. A test that fails shows it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(1)
	if text := os.Getenv("TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("TEST_SEED: %v", err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("TEST_SEED=%d repeats this", seed)
		}
	})
	return seed
}

// New returns the random numbers of a test. Tests with other names have others.
func New(t testing.TB) *rand.Rand {
	t.Helper()
	return numbered(t.Name(), Seed(t), 0)
}

func numbered(name string, seed, i uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(crc32.ChecksumIEEE([]byte(name)))<<32+i))
}

// Each runs a test of count cases, each with other random numbers. A length bounds the parts of a case, such as its
// operations; with the same numbers, a shorter case begins like a longer one. After the first case that fails, Each
// looks for the least length with which that case fails.
func Each(t *testing.T, count, length int, test func(t *testing.T, r *rand.Rand, length int)) {
	t.Helper()
	name, seed, i := t.Name(), Seed(t), 0
	run := func(t *testing.T, length int) { test(t, numbered(name, seed, uint64(i)), length) }
	if t.Run(fmt.Sprintf("%d cases", count), func(t *testing.T) {
		for ; i < count; i++ {
			if run(t, length); t.Failed() {
				return
			}
		}
	}) {
		return
	}
	least := 1 + sort.Search(length-1, func(n int) bool {
		return !t.Run(fmt.Sprintf("case %d, length %d", i, n+1), func(t *testing.T) { run(t, n+1) })
	})
	t.Fatalf("the shortest that fails: case %d, length %d", i, least)
}
