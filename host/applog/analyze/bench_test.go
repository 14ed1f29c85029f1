package analyze_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// BenchmarkRead reads a log of 200,000 lines: once with 3,000 sizes and new addresses in every line, and once with a
// different size in every call. grep -c rocblas reads about 800 MB/s.
func BenchmarkRead(b *testing.B) {
	for _, test := range []struct {
		name  string
		sizes int
	}{{"repeated", 3000}, {"distinct", 1 << 30}} {
		text := madeLog(200_000, test.sizes)
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				l := analyze.New(analyze.Options{Targets: []footprint.Target{target(b, "rocm-7.2")}})
				if err := l.Read(context.Background(), "app.log", bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
				l.Answer()
			}
		})
	}
}

// madeLog writes a log of calls with the given number of distinct sizes.
func madeLog(lines, sizes int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("rocblas_create_handle,atomics_not_allowed\n")
	for i := range lines {
		size := rand.New(rand.NewPCG(uint64(random.IntN(sizes)), 0))
		m, n := 1+size.IntN(4000), 1+size.IntN(4000)
		switch {
		case i%3 == 0:
			fmt.Fprintf(&b, "./rocblas-bench -f gemm -r f64_r --transposeA N --transposeB T -m %d -n %d -k %d "+
				"--alpha 1 --lda %d --ldb %d --beta 0 --ldc %d \n", m, n, m, m, n, m)
		case i%3 == 1:
			fmt.Fprintf(&b, "rocblas_dtrsm,L,L,N,N,%d,%d,1,0x%x,%d,0x%x,%d,atomics_not_allowed\n", m, n,
				random.Uint64()>>20, m, random.Uint64()>>20, m)
		default:
			fmt.Fprintf(&b, "rocblas_dgemm,N,T,%d,%d,%d,1,0x%x,%d,0x%x,%d,0,0x%x,%d,atomics_not_allowed\n", m, n, m,
				random.Uint64()>>20, m, random.Uint64()>>20, n, random.Uint64()>>20, m)
		}
	}
	return b.Bytes()
}
