package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// complexSpr is spr of complex numbers, which cuBLAS has only for matrices that are not packed.
var complexSpr = method{needs: sprNeeds, run: spr, buffers: []buffer.ID{buffer.SquareCopy},
	by: by("cublas<t>syr_v2 in an unpacked copy of A")}

// sprNeeds returns a square matrix.
func sprNeeds(_ *gpu, a *routine.Args) driver.Needs {
	n := max(0, a.Int(routine.N))
	return needs(elements(buffer.SquareCopy, a.Routine.Type, n*n))
}

// spr unpacks A, updates it, and packs it again.
func spr(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		n, uplo, packed, square := a.Int(routine.N), value(a, routine.Uplo), a.Int(routine.A), x.at(buffer.SquareCopy)
		x.blas("cublas<t>tpttr", uplo, n, packed, square, n)
		list := x.values(a, routine.Uplo, routine.N, routine.Alpha, routine.X, routine.IncX)
		x.blas("cublas<t>syr_v2"+wide(a), append(list, square, n)...)
		x.blas("cublas<t>trttp", uplo, n, square, n, packed)
	})
}
