package nvidia

import (
	"strings"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// methods are the families that take more than one function, or functions with other parameters than the table's.
var methods = map[string]method{
	"getrf": lu, "getf2": lu, "getrf_npvt": lu,
	"getrs": {solveNeeds, (*execution).getrs, false, "cusolverDn<t>getrs; cublas<t>getrsBatched for batches"},
	"gesv":  {factorNeeds, (*execution).gesv, false, "cusolverDn<t>getrf and cusolverDn<t>getrs; a singular matrix does not keep B as it was"},
	"getri": {inverseNeeds, (*execution).getri, false, "cusolverDn<t>getrs for the identity, and cusolverDnXtrtri for info"},
	"potrf": {choleskyNeeds, (*execution).potrf, false, "cusolverDn<t>potrf; cusolverDn<t>potrfBatched for small batches"},
	"potrs": {solveNeeds, (*execution).potrs, false, "cusolverDn<t>potrs"},
	"posv":  {choleskyNeeds, (*execution).posv, false, "cusolverDn<t>potrf and cusolverDn<t>potrs"},
	"geqrf": {reflectNeeds, (*execution).geqrf, false, "cusolverDn<t>geqrf"},
	"trtri": {triangleNeeds, (*execution).trtri, false, "cublas<t>trsm_v2 for the identity; cusolverDnXtrtri in place"},

	"gemm_ex": {mixedNeeds, (*execution).gemmEx, true, "cublasGemmEx in d, into which c is copied; 8-bit factors need leading dimensions that are multiples of 4"},
	"trsm_ex": {mixedNeeds, (*execution).trsmEx, true, "cublas's trsm_v2 of the compute type; supplied inverses are not used"},
	"dot_ex":  mixedReduction, "dotc_ex": mixedReduction, "nrm2_ex": mixedReduction,
}

var (
	lu             = method{factorNeeds, (*execution).getrf, false, "cusolverDn<t>getrf; cublas<t>getrfBatched for small ones and batches"}
	mixedReduction = method{mixedNeeds, (*execution).reductionEx, false, "cublasDotEx, cublasDotcEx and cublasNrm2Ex; combinations of datatypes that they lack are not implemented"}
)

// solver calls a function of cuSOLVER for the element type of a routine: "getrf" is cusolverDnDgetrf.
//
//go:uintptrescapes
func (x *execution) solver(name string, args ...uintptr) error {
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	return x.libs.cusolver.call(solverName(x.args.Routine, name), args...)
}

func solverName(r *routine.Routine, name string) string {
	return "cusolverDn" + strings.ToUpper(string(rune(r.Type))) + name
}

// blas calls a function of cuBLAS for the element type of a routine, with scalars and results on the host.
//
//go:uintptrescapes
func (x *execution) blas(name string, args ...uintptr) error {
	return x.libs.cublas.call("cublas"+strings.ToUpper(string(rune(x.args.Routine.Type)))+name, args...)
}

// sizes of buffers, in bytes.
const infoBytes = 4

// scratchSize asks cuSOLVER how many elements of scratch a function takes, in bytes. Asking costs as much as a small call, so
// the answers are kept.
func (d *device) scratchSize(r *routine.Routine, function string, args ...int64) (uint64, error) {
	key := scratchKey{solverName(r, function), d.Index(), [5]int64{}}
	copy(key.args[:], args)
	if bytes, ok := d.libs.scratch.Load(key); ok {
		return bytes.(uint64), nil
	}
	h, err := d.use()
	if err != nil {
		return 0, err
	}
	list := []uintptr{h.cusolver}
	for _, v := range args {
		list = append(list, uintptr(v))
	}
	// A variable of this function could move while its address is only a number in the list; a field of the device cannot.
	list = append(list, uintptr(unsafe.Pointer(&d.elements)))
	if err := d.libs.cusolver.call(key.function, list...); err != nil {
		return 0, err
	}
	bytes := uint64(d.elements) * uint64(r.Type.Size())
	d.libs.scratch.Store(key, bytes)
	return bytes, nil
}

type scratchKey struct {
	function string
	device   int
	args     [5]int64
}

// factorScratch is what an LU factorization of an m x n matrix takes.
func (d *device) factorScratch(a *routine.Args) (uint64, error) {
	m := a.Int(routine.M)
	if _, ok := a.Routine.ParamAt(routine.M); !ok {
		m = a.Int(routine.N)
	}
	return d.scratchSize(a.Routine, "getrf_bufferSize", m, a.Int(routine.N), 0, max(1, a.Int(routine.LDA)))
}

// factorNeeds is getrf and gesv: scratch of a factorization, an info, and pointers for matrices that cuBLAS factorizes as a
// batch.
func factorNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.factorScratch(a)
	n := driver.Needs{Buffers: []driver.Buffer{{Purpose: "factorization scratch", Bytes: bytes}, {Purpose: "info", Bytes: infoBytes}}}
	if factorsAsBatch(a) {
		n.Buffers[0].Bytes = 0
		if a.Routine.Variant != routine.Batched {
			n.Buffers = append(n.Buffers, driver.Buffer{Purpose: "pointers to the matrices", Bytes: uint64(8 * a.Batch())})
		}
	}
	return n, err
}

// cuBLAS works on the problems of a batch side by side, but on each more slowly than cuSOLVER does. Measured on an H200, the
// batch wins from n/90 factorizations on, one of order 64 among them, and from six solves on, each up to an order of 1024.
const (
	batchOrder   = 1024
	factorRatio  = 90
	solveBatch   = 6
	choleskySize = 256
)

// factorsAsBatch reports whether cuBLAS's batched LU computes a call: square matrices, pivots side by side.
func factorsAsBatch(a *routine.Args) bool {
	n := a.Int(routine.N)
	if !strings.HasPrefix(a.Routine.Family.Name, "get") || a.Int(routine.M) != n || n > batchOrder || a.Batch()*factorRatio < n {
		return false
	}
	return pivotsSideBySide(a)
}

func pivotsSideBySide(a *routine.Args) bool {
	_, pivots := a.Routine.ParamAt(routine.Ipiv)
	return !pivots || a.Batch() == 1 || a.Int(routine.StrideP) == a.Int(routine.N)
}

// solvesAsBatch reports whether cuBLAS's batched solver computes a call.
func solvesAsBatch(a *routine.Args) bool {
	return a.Routine.Family.Name == "getrs" && a.Batch() >= solveBatch && a.Int(routine.N) <= batchOrder && pivotsSideBySide(a)
}

// getrf factorizes; without pivots when the routine has none.
func (x *execution) getrf() error {
	if factorsAsBatch(x.args) {
		return x.getrfBatched()
	}
	return x.problems(func(a *routine.Args) error { return x.factor(a, a.Int(routine.M)) })
}

func (x *execution) factor(a *routine.Args, m int64) error {
	pivots := uintptr(0)
	if a.Routine.Family.Name != "getrf_npvt" {
		pivots = uintptr(a.Ptr(routine.Ipiv))
	}
	return x.solver("getrf", x.h.cusolver, uintptr(m), uintptr(a.Int(routine.N)), uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)),
		uintptr(x.work(0).Ptr), pivots, uintptr(a.Ptr(routine.Info)))
}

func (x *execution) getrfBatched() error {
	pointers, err := x.arrayPointers(routine.A, routine.StrideA, x.work(2))
	if err != nil {
		return err
	}
	pivots := uintptr(0)
	if x.args.Routine.Family.Name != "getrf_npvt" {
		pivots = uintptr(x.args.Ptr(routine.Ipiv))
	}
	return x.blas("getrfBatched", x.h.cublas, uintptr(x.args.Int(routine.N)), uintptr(pointers), uintptr(x.args.Int(routine.LDA)), pivots,
		uintptr(x.args.Ptr(routine.Info)), uintptr(x.args.Batch()))
}

// arrayPointers returns a device array of pointers to a batch's matrices: the caller's own, or for strides one in lent memory.
func (x *execution) arrayPointers(s, stride routine.Slot, lent driver.Span) (driver.Ptr, error) {
	if x.args.Routine.Variant == routine.Batched {
		return driver.Ptr(x.args.Ptr(s)), nil
	}
	list := make([]uint64, x.args.Batch())
	for b := range list {
		list[b] = x.args.Ptr(s) + uint64(int64(b)*x.args.Int(stride))*element(x.args, s)
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), 8*len(list))
	return lent.Ptr, x.Write(x.stream, lent.Ptr, raw)
}

// solveNeeds is getrs and potrs: an info that only reports bad arguments, and pointers for a strided batch that cuBLAS solves.
func solveNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	n := driver.Needs{Buffers: []driver.Buffer{{Purpose: "info", Bytes: infoBytes}}}
	if solvesAsBatch(a) && a.Routine.Variant != routine.Batched {
		n.Buffers = append(n.Buffers, driver.Buffer{Purpose: "pointers to the matrices", Bytes: uint64(8 * a.Batch())},
			driver.Buffer{Purpose: "pointers to the right-hand sides", Bytes: uint64(8 * a.Batch())})
	}
	return n, nil
}

func (x *execution) getrsBatched() error {
	factors, err := x.arrayPointers(routine.A, routine.StrideA, x.work(1))
	if err != nil {
		return err
	}
	sides, err := x.arrayPointers(routine.B, routine.StrideB, x.work(2))
	if err != nil {
		return err
	}
	info := new(int32) // of the arguments, which have been checked
	return x.blas("getrsBatched", x.h.cublas, enumeration(routine.Operation, x.args.Int(routine.TransA)), uintptr(x.args.Int(routine.N)),
		uintptr(x.args.Int(routine.NRHS)), uintptr(factors), uintptr(x.args.Int(routine.LDA)), uintptr(x.args.Ptr(routine.Ipiv)),
		uintptr(sides), uintptr(x.args.Int(routine.LDB)), uintptr(unsafe.Pointer(info)), uintptr(x.args.Batch()))
}

func (x *execution) getrs() error {
	if solvesAsBatch(x.args) {
		return x.getrsBatched()
	}
	return x.problems(func(a *routine.Args) error {
		return x.luSolve(a, enumeration(routine.Operation, a.Int(routine.TransA)), x.work(0).Ptr)
	})
}

func (x *execution) luSolve(a *routine.Args, op uintptr, info driver.Ptr) error {
	return x.solver("getrs", x.h.cusolver, op, uintptr(a.Int(routine.N)), uintptr(a.Int(routine.NRHS)), uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)),
		uintptr(a.Ptr(routine.Ipiv)), uintptr(a.Ptr(routine.B)), uintptr(a.Int(routine.LDB)), uintptr(info))
}

// gesv factorizes and solves. The libraries cannot branch on the device, so a singular matrix does not keep B from being
// overwritten; its info tells.
func (x *execution) gesv() error {
	return x.problems(func(a *routine.Args) error {
		if err := x.factor(a, a.Int(routine.N)); err != nil {
			return err
		}
		return x.luSolve(a, 0, x.work(1).Ptr)
	})
}

// choleskyNeeds is potrf and posv.
func choleskyNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.scratchSize(a.Routine, "potrf_bufferSize", int64(enumeration(routine.Fill, a.Int(routine.Uplo))), a.Int(routine.N), 0, max(1, a.Int(routine.LDA)))
	return driver.Needs{Buffers: []driver.Buffer{{Purpose: "factorization scratch", Bytes: bytes}, {Purpose: "info", Bytes: infoBytes}}}, err
}

func (x *execution) potrf() error {
	if x.args.Routine.Variant == routine.Batched && x.args.Int(routine.N) <= choleskySize {
		return x.solver("potrfBatched", x.h.cusolver, enumeration(routine.Fill, x.args.Int(routine.Uplo)), uintptr(x.args.Int(routine.N)),
			uintptr(x.args.Ptr(routine.A)), uintptr(x.args.Int(routine.LDA)), uintptr(x.args.Ptr(routine.Info)), uintptr(x.args.Batch()))
	}
	return x.problems(x.cholesky)
}

func (x *execution) cholesky(a *routine.Args) error {
	scratch := x.work(0)
	return x.solver("potrf", x.h.cusolver, enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)), uintptr(a.Ptr(routine.A)),
		uintptr(a.Int(routine.LDA)), uintptr(scratch.Ptr), uintptr(scratch.Bytes/uint64(a.Routine.Type.Size())), uintptr(a.Ptr(routine.Info)))
}

func (x *execution) potrs() error {
	return x.problems(func(a *routine.Args) error { return x.choleskySolve(a, x.work(0).Ptr) })
}

func (x *execution) choleskySolve(a *routine.Args, info driver.Ptr) error {
	return x.solver("potrs", x.h.cusolver, enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)), uintptr(a.Int(routine.NRHS)),
		uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(a.Ptr(routine.B)), uintptr(a.Int(routine.LDB)), uintptr(info))
}

// posv is to Cholesky what gesv is to LU.
func (x *execution) posv() error {
	return x.problems(func(a *routine.Args) error {
		if err := x.cholesky(a); err != nil {
			return err
		}
		return x.choleskySolve(a, x.work(1).Ptr)
	})
}

func reflectNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.scratchSize(a.Routine, "geqrf_bufferSize", a.Int(routine.M), a.Int(routine.N), 0, max(1, a.Int(routine.LDA)))
	return driver.Needs{Buffers: []driver.Buffer{{Purpose: "factorization scratch", Bytes: bytes}, {Purpose: "info", Bytes: infoBytes}}}, err
}

func (x *execution) geqrf() error {
	scratch := x.work(0)
	return x.problems(func(a *routine.Args) error {
		return x.solver("geqrf", x.h.cusolver, uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)), uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)),
			uintptr(a.Ptr(routine.Ipiv)), uintptr(scratch.Ptr), uintptr(scratch.Bytes/uint64(a.Routine.Type.Size())), uintptr(x.work(1).Ptr))
	})
}
