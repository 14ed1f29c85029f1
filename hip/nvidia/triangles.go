package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Results in one triangle. cuBLAS computes them in a square matrix of the workspace, whose triangle it then packs.

var triangleMethods = map[routine.FamilyID]method{
	routine.Gemmt: {needs: triangleCopyNeeds, run: (*execution).gemmt,
		buffers: []buffer.ID{buffer.SquareCopy, buffer.PackedTriangle},
		by:      by("cublas<t>gemm_v2 in a copy of C, one triangle of which is copied back")},
}

// packedUpdate is spr of complex numbers.
var packedUpdate = method{needs: triangleCopyNeeds, run: (*execution).packedUpdate,
	buffers: []buffer.ID{buffer.SquareCopy},
	by:      by("cublas<t>syr_v2 in an unpacked copy of A")}

// triangleCopyNeeds returns a square matrix of order n, and a packed triangle of it if the call's matrix is not packed.
func triangleCopyNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	n, size := uint64(max(0, a.Int(routine.N))), uint64(a.Routine.Type.Size())
	list := []driver.Buffer{{ID: buffer.SquareCopy, Bytes: n * n * size}}
	if a.Routine.Family.ID == routine.Gemmt {
		list = append(list, driver.Buffer{ID: buffer.PackedTriangle, Bytes: n * (n + 1) / 2 * size})
	}
	return needs(list...), nil
}

// gemmt computes all of C in a copy and copies one triangle back.
func (x *execution) gemmt() error {
	if err := x.setPointerMode(x.h, x.launch.OnDevice); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		n, size := a.Int(routine.N), uint64(a.Routine.Type.Size())
		square, c := x.work(buffer.SquareCopy).Ptr, driver.Ptr(a.Ptr(routine.C))
		column := uint64(n) * size
		err := x.Copy2D(x.stream, square, column, c, uint64(a.Int(routine.LDC))*size, column, uint64(n))
		if err != nil {
			return err
		}
		alpha, beta := x.scalarPointer(a, routine.Alpha), x.scalarPointer(a, routine.Beta)
		err = x.blas("gemm_v2"+wide(a), x.h.cublas, enumeration(routine.Operation, a.Int(routine.TransA)),
			enumeration(routine.Operation, a.Int(routine.TransB)), uintptr(n), uintptr(n), uintptr(a.Int(routine.K)),
			alpha, uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(a.Ptr(routine.B)),
			uintptr(a.Int(routine.LDB)), beta, uintptr(square), uintptr(n))
		if err != nil {
			return err
		}
		return x.copyTriangle(square, n, c, a.Int(routine.LDC))
	})
}

// scalarPointer returns the address of a scalar, in device memory or in memory of the device object.
func (x *execution) scalarPointer(a *routine.Args, s routine.Slot) uintptr {
	if x.launch.OnDevice {
		return uintptr(a.Ptr(s))
	}
	return uintptr(unsafe.Pointer(x.scalar(s)))
}

// copyTriangle copies the triangle that the call names from a square matrix without gaps.
func (x *execution) copyTriangle(from driver.Ptr, n int64, to driver.Ptr, ld int64) error {
	uplo, packed := enumeration(routine.Fill, x.args.Int(routine.Uplo)), x.work(buffer.PackedTriangle).Ptr
	err := x.blas("trttp", x.h.cublas, uplo, uintptr(n), uintptr(from), uintptr(n), uintptr(packed))
	if err != nil {
		return err
	}
	return x.blas("tpttr", x.h.cublas, uplo, uintptr(n), uintptr(packed), uintptr(to), uintptr(ld))
}

// packedUpdate unpacks A, updates it, and packs it again.
func (x *execution) packedUpdate() error {
	if err := x.setPointerMode(x.h, x.launch.OnDevice); err != nil {
		return err
	}
	uplo := enumeration(routine.Fill, x.args.Int(routine.Uplo))
	return x.problems(func(a *routine.Args) error {
		n, packed := uintptr(a.Int(routine.N)), uintptr(a.Ptr(routine.A))
		square := uintptr(x.work(buffer.SquareCopy).Ptr)
		if err := x.blas("tpttr", x.h.cublas, uplo, n, packed, square, n); err != nil {
			return err
		}
		err := x.blas("syr_v2"+wide(a), x.h.cublas, uplo, n, x.scalarPointer(a, routine.Alpha),
			uintptr(a.Ptr(routine.X)), uintptr(a.Int(routine.IncX)), square, n)
		if err != nil {
			return err
		}
		return x.blas("trttp", x.h.cublas, uplo, n, square, n, packed)
	})
}

// setOneAndZero stores the numbers that fixed-up calls use as alpha and beta, and returns their addresses.
func (x *execution) setOneAndZero() (one, zero uintptr, err error) {
	number.Store(x.args.Routine.Type.Datatype(), x.scalars[0][:], 1)
	number.Store(x.args.Routine.Type.Datatype(), x.scalars[1][:], 0)
	return uintptr(unsafe.Pointer(&x.scalars[0])), uintptr(unsafe.Pointer(&x.scalars[1])), x.setPointerMode(x.h, false)
}
