package blas

import "testing"

// BenchmarkVectors measures vectors that fit a cache, and larger ones.
func BenchmarkVectors(b *testing.B) {
	for name, n := range map[string]int{"1e4": 10_000, "1e7": 10_000_000} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(i), 1
		}
		vx, vy := Vector[float64]{x, n, 1}, Vector[float64]{y, n, 1}
		run := func(what string, bytes int, f func()) {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(bytes))
				for range b.N {
					f()
				}
			})
		}
		run("axpy", 24*n, func() { AddVector(1e-9, vx, vy) })
		run("scal", 16*n, func() { ScaleVector(1.0000001, vx) })
		m := 1000
		if n < 1_000_000 {
			m = 100
		}
		s := General(Matrix[float64]{x, m}, m, n/m)
		col, row := y[:m], make([]float64, n/m)
		run("ger", 16*n, func() { s.AddOuter(false, n/m, 1e-9, col, row) })
	}
}
