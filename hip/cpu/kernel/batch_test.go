package kernel_test

import (
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/routine"
)

// TestBatchesUseSeveralThreads computes batches that are long enough to be shared, and checks every problem.
func TestBatchesUseSeveralThreads(t *testing.T) {
	before := blas.Threads()
	t.Cleanup(func() { blas.SetThreads(before) })
	blas.SetThreads(3)
	for _, name := range []string{"rocblas_dgemm_strided_batched", "rocblas_dgemm_batched",
		"rocblas_zdotc_strided_batched", "rocsolver_dgetrf_strided_batched", "rocsolver_sgetrf_batched",
		"rocblas_dtrsm_batched"} {
		r, _ := routine.Lookup(name)
		c := newOf(t, r, values{routine.M: 30, routine.N: 30, routine.K: 30, routine.BatchCount: 101})
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c.Memory.CheckGuards(t)
		for b := range c.Args.Batch() {
			if err := c.Verify(b); err != nil {
				t.Fatalf("%s, problem %d: %v", name, b+1, err)
			}
		}
	}
}
