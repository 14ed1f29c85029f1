package kernel

import (
	"encoding/binary"
	"fmt"

	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// Memory is the device memory that a kernel may use.
type Memory interface {
	// Bytes returns exactly n bytes from an address, or an error.
	Bytes(p uint64, n int64) ([]byte, error)
	// GivenUp reports whether no host waits for the results any more. Long kernels call it regularly.
	GivenUp() bool
}

// problem is one problem of a call. Its methods that read memory end the kernel if the memory does not belong to the
// call.
type problem[T blas.Number] struct {
	launch      *driver.Launch
	args        *routine.Args
	mem         Memory
	index       int64
	alpha, beta T
	atEnd       []func() // store results when the problem is computed
}

// failure is the panic that ends a kernel with an error.
type failure struct{ error }

// run computes a problem and returns the error that ended its kernel.
func (p *problem[T]) run(compute body[T]) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case failure:
			err = cause.error
		default:
			panic(cause)
		}
	}()
	compute(p)
	for _, store := range p.atEnd {
		store()
	}
	p.atEnd = nil
	return nil
}

func (p *problem[T]) int(s routine.Slot) int { return int(p.args.Int(s)) }

// readScalars reads alpha and beta from the host or the device, as the pointer mode says.
func (p *problem[T]) readScalars() {
	p.alpha, p.beta = p.scalar(routine.Alpha), p.scalar(routine.Beta)
}

func (p *problem[T]) scalar(s routine.Slot) T {
	param, ok := p.args.Routine.ParamAt(s)
	if !ok {
		return 0
	}
	if !p.launch.OnDevice {
		return blas.FromComplex[T](p.args.Scalar(s))
	}
	if p.args.Null(s) {
		return 0
	}
	raw := slice[byte](p, p.args.Ptr(s), p.args.ElementBytes(param))
	return blas.FromComplex[T](number.Load(p.args.Datatype(param), raw))
}

// fail ends the kernel with an error.
func (p *problem[T]) fail(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

// op returns an operation, or blas.None for a routine without it.
func (p *problem[T]) op(s routine.Slot) blas.Op { return max(blas.None, blas.Op(p.args.Int(s))) }

func (p *problem[T]) uplo() blas.Uplo { return blas.Uplo(p.args.Int(routine.Uplo)) }

func (p *problem[T]) side() blas.Side { return blas.Side(p.args.Int(routine.Side)) }

func (p *problem[T]) diag() blas.Diag { return blas.Diag(p.args.Int(routine.Diag)) }

// hermitian and conjugated are attributes of the called family.
func (p *problem[T]) hermitian() bool { return p.args.Routine.Family.Hermitian }

func (p *problem[T]) conjugated() bool { return p.args.Routine.Family.Conjugated }

// body computes one problem of a call.
type body[T blas.Number] func(p *problem[T])

// setInfo stores a factorization's info for this problem.
func (p *problem[T]) setInfo(info int) {
	param, _ := p.args.Routine.ParamAt(routine.Info)
	putInt(array[byte](p, routine.Info, p.args.ElementBytes(param)), info)
}

// putInt stores an integer of 4 or 8 bytes.
func putInt(to []byte, v int) {
	if len(to) == 8 {
		binary.NativeEndian.PutUint64(to, uint64(v))
	} else {
		binary.NativeEndian.PutUint32(to, uint32(v))
	}
}

// zero sets the arrays of a problem that has nothing to compute to zeros: see routine.Args.Zeroed.
func (p *problem[T]) zero() {
	for i := range p.args.Routine.Params {
		param := &p.args.Routine.Params[i]
		rows, cols, size := param.Rows.Of(p.args), int64(1), p.args.ElementBytes(param)
		if !param.Cols.IsZero() {
			cols = param.Cols.Of(p.args)
		}
		if !p.args.Zeroed(param) || rows == 0 || cols == 0 {
			continue
		}
		ld := int64(p.leading(param.Slot))
		raw := array[byte](p, param.Slot, ((cols-1)*ld+rows)*size)
		for j := range cols {
			clear(raw[j*ld*size:][:rows*size])
		}
	}
}

// columns returns the columns that an array has in this call.
func (p *problem[T]) columns(s routine.Slot) int {
	param, _ := p.args.Routine.ParamAt(s)
	return int(param.Cols.Of(p.args))
}

// order returns the order of the square matrix of a two-sided product.
func (p *problem[T]) order() int {
	if p.side() == blas.Left {
		return p.int(routine.M)
	}
	return p.int(routine.N)
}
