package nvidia

import (
	"strings"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// solverMethods are the families that need more than one function, or functions with other parameters than the table's.
var solverMethods = map[routine.FamilyID]method{
	routine.Getrf:     factorization,
	routine.Getf2:     factorization,
	routine.GetrfNpvt: factorization,
	routine.Getf2Npvt: factorization,
	routine.Getrs: {solveNeeds, (*execution).getrs, solveBuffers,
		by("cusolverDn<t>getrs; cublas<t>getrsBatched for batches")},
	routine.Gesv: {factorNeeds, (*execution).gesv, factorBuffers,
		by("cusolverDn<t>getrf and cusolverDn<t>getrs; B is overwritten also if the matrix is singular")},
	routine.Getri: {inverseNeeds, (*execution).getri, inverseBuffers,
		by("cusolverDn<t>getrs for the identity, and cusolverDnXtrtri for info")},
	routine.Potrf: choleskyFactor,
	routine.Potf2: choleskyFactor,
	routine.Potrs: {infoNeeds, (*execution).potrs, []buffer.ID{buffer.Info}, by("cusolverDn<t>potrs")},
	routine.Posv: {choleskyNeeds, (*execution).posv, scratchBuffers,
		by("cusolverDn<t>potrf and cusolverDn<t>potrs")},
	routine.Trtri: {triangleNeeds, (*execution).trtri,
		[]buffer.ID{buffer.InversionScratch, buffer.Info, buffer.One},
		by("cublas<t>trsm_v2 for the identity; cusolverDnXtrtri in place")},
}

var (
	scratchBuffers = []buffer.ID{buffer.FactorizationScratch, buffer.Info}
	factorBuffers  = []buffer.ID{buffer.FactorizationScratch, buffer.Info, buffer.MatrixPointers}
	solveBuffers   = []buffer.ID{buffer.Info, buffer.MatrixPointers}

	choleskyFactor = method{choleskyNeeds, (*execution).potrf, scratchBuffers,
		by("cusolverDn<t>potrf; cusolverDn<t>potrfBatched for small batches")}

	factorization = method{luNeeds, (*execution).getrf, factorBuffers,
		by("cusolverDn<t>getrf; cublas<t>getrfBatched for small ones and batches")}
)

// by returns a function that replaces <t> in text by the letter of the routine's type, and <or>, <sy> and <ger> by the
// letter and the letters with which cuSOLVER and cuBLAS begin the names of functions for such matrices.
func by(text string) func(*routine.Routine) string {
	return func(r *routine.Routine) string {
		letter := strings.ToUpper(string(rune(r.Type)))
		or, sy, ger := "or", "sy", "ger"
		if r.Type.IsComplex() {
			or, sy, ger = "un", "he", "gerc"
		}
		letters := strings.NewReplacer("<t>", letter, "<or>", letter+or, "<sy>", letter+sy, "<ger>", letter+ger)
		return letters.Replace(text)
	}
}

// solver calls a function of cuSOLVER for the element type of a routine: "getrf" is cusolverDnDgetrf.
// Of Go memory it receives only addresses in the device object.
func (x *execution) solver(name string, args ...uintptr) error {
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	return x.libs.cusolver.callWords(solverFunction(x.args.Routine, name), args)
}

func solverFunction(r *routine.Routine, name string) function {
	return function{"cusolverDn", r.Type, name}
}

// blas calls a function of cuBLAS for the element type of a routine, with scalars and results on the host. Of Go memory
// it receives only addresses in the device object.
func (x *execution) blas(name string, args ...uintptr) error {
	return x.libs.cublas.callWords(function{"cublas", x.args.Routine.Type, name}, args)
}

// infoBytes is the size of an info that only reports bad arguments.
const infoBytes = 4

// scratchSize returns the bytes of scratch of a function of cuSOLVER. The library's results are cached, because asking
// takes as long as a small call.
func (d *device) scratchSize(r *routine.Routine, name string, args ...int64) (uint64, error) {
	key := scratchKey{solverFunction(r, name), d.Index(), [5]int64{}}
	copy(key.args[:], args)
	if bytes, ok := d.libs.scratch.load(key); ok {
		return bytes, nil
	}
	h, err := d.use()
	if err != nil {
		return 0, err
	}
	list := []uintptr{h.cusolver}
	for _, v := range args {
		list = append(list, uintptr(v))
	}
	// A variable of this function could move while its address is only a number in the list. A field of the device does
	// not move.
	list = append(list, uintptr(unsafe.Pointer(&d.elements)))
	if err := d.libs.cusolver.callWords(key.function, list); err != nil {
		return 0, err
	}
	bytes := uint64(d.elements) * uint64(r.Type.Size())
	d.libs.scratch.store(key, bytes)
	return bytes, nil
}

type scratchKey struct {
	function function
	device   int
	args     [5]int64
}

// factorScratch returns the bytes of scratch of an LU factorization of an m x n matrix.
func (d *device) factorScratch(a *routine.Args, m int64) (uint64, error) {
	return d.scratchSize(a.Routine, "getrf_bufferSize", m, a.Int(routine.N), 0, max(1, a.Int(routine.LDA)))
}

// scratchNeeds returns scratch of a factorization and an info.
func scratchNeeds(bytes uint64) driver.Needs {
	return needs(
		driver.Buffer{ID: buffer.FactorizationScratch, Bytes: bytes},
		driver.Buffer{ID: buffer.Info, Bytes: infoBytes},
	)
}

// factorNeeds is gesv.
func factorNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.factorScratch(a, a.Int(routine.N))
	return scratchNeeds(bytes), err
}

// luNeeds is getrf: as gesv, with pointers for matrices that cuBLAS factorizes as a batch, without scratch.
func luNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.factorScratch(a, a.Int(routine.M))
	if !factorsAsBatch(a) {
		return scratchNeeds(bytes), err
	}
	n := scratchNeeds(0)
	if a.Routine.Variant != routine.Batched {
		n.Buffers = append(n.Buffers, pointers(a, 1))
	}
	return n, err
}

// cuBLAS computes the problems of a batch at the same time, but each more slowly than cuSOLVER does. Measured on an
// H200, the batch is faster from n/90 factorizations on, which is one of order 64, and from six solves on, each up to
// an order of 1024.
const (
	batchOrder   = 1024
	factorRatio  = 90
	solveBatch   = 6
	choleskySize = 256
)

// factorsAsBatch reports whether cuBLAS's batched LU computes a factorization: square matrices, pivots without gaps.
func factorsAsBatch(a *routine.Args) bool {
	n := a.Int(routine.N)
	return a.Int(routine.M) == n && n <= batchOrder && a.Batch()*factorRatio >= n && pivotsAdjacent(a)
}

// pivotsAdjacent reports whether there are no gaps between the pivots of two problems.
func pivotsAdjacent(a *routine.Args) bool {
	_, pivots := a.Routine.ParamAt(routine.Ipiv)
	return !pivots || a.Batch() == 1 || a.Int(routine.StrideP) == a.Int(routine.N)
}

// solvesAsBatch reports whether cuBLAS's batched solver computes a getrs.
func solvesAsBatch(a *routine.Args) bool {
	return a.Batch() >= solveBatch && a.Int(routine.N) <= batchOrder && pivotsAdjacent(a)
}

// getrf factorizes, with pivots if the routine has them.
func (x *execution) getrf() error {
	if factorsAsBatch(x.args) {
		return x.getrfBatched()
	}
	return x.problems(func(a *routine.Args) error { return x.factor(a, a.Int(routine.M)) })
}

func (x *execution) factor(a *routine.Args, m int64) error {
	return x.solver("getrf", x.h.cusolver, uintptr(m), uintptr(a.Int(routine.N)), uintptr(a.Ptr(routine.A)),
		uintptr(a.Int(routine.LDA)), uintptr(x.work(buffer.FactorizationScratch).Ptr), uintptr(a.Ptr(routine.Ipiv)),
		uintptr(a.Ptr(routine.Info)))
}

func (x *execution) getrfBatched() error {
	matrices, err := x.arrayPointers(routine.A)
	if err != nil {
		return err
	}
	return x.blas("getrfBatched", x.h.cublas, uintptr(x.args.Int(routine.N)), uintptr(matrices[0]),
		uintptr(x.args.Int(routine.LDA)), uintptr(x.args.Ptr(routine.Ipiv)), uintptr(x.args.Ptr(routine.Info)),
		uintptr(x.args.Batch()))
}

// infoNeeds is potrs: an info that only reports bad arguments.
func infoNeeds(*device, *routine.Args) (driver.Needs, error) {
	return needs(driver.Buffer{ID: buffer.Info, Bytes: infoBytes}), nil
}

// solveNeeds is getrs: as potrs, with pointers for a strided batch that cuBLAS solves.
func solveNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	n, err := infoNeeds(d, a)
	if solvesAsBatch(a) && a.Routine.Variant != routine.Batched {
		n.Buffers = append(n.Buffers, pointers(a, 2))
	}
	return n, err
}

func (x *execution) getrsBatched() error {
	lists, err := x.arrayPointers(routine.A, routine.B)
	if err != nil {
		return err
	}
	return x.blas("getrsBatched", x.h.cublas, enumeration(routine.Operation, x.args.Int(routine.TransA)),
		uintptr(x.args.Int(routine.N)), uintptr(x.args.Int(routine.NRHS)), uintptr(lists[0]),
		uintptr(x.args.Int(routine.LDA)), uintptr(x.args.Ptr(routine.Ipiv)), uintptr(lists[1]),
		uintptr(x.args.Int(routine.LDB)), uintptr(unsafe.Pointer(&x.info)), uintptr(x.args.Batch()))
}

func (x *execution) getrs() error {
	if solvesAsBatch(x.args) {
		return x.getrsBatched()
	}
	return x.problems(func(a *routine.Args) error {
		return x.luSolve(a, enumeration(routine.Operation, a.Int(routine.TransA)), x.work(buffer.Info).Ptr)
	})
}

func (x *execution) luSolve(a *routine.Args, op uintptr, info driver.Ptr) error {
	return x.solver("getrs", x.h.cusolver, op, uintptr(a.Int(routine.N)), uintptr(a.Int(routine.NRHS)),
		uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(a.Ptr(routine.Ipiv)), uintptr(a.Ptr(routine.B)),
		uintptr(a.Int(routine.LDB)), uintptr(info))
}

// gesv factorizes and solves. The libraries cannot branch on the device, so B is overwritten also if the matrix is
// singular, which its info reports.
func (x *execution) gesv() error {
	return x.problems(func(a *routine.Args) error {
		if err := x.factor(a, a.Int(routine.N)); err != nil {
			return err
		}
		return x.luSolve(a, 0, x.work(buffer.Info).Ptr)
	})
}

// choleskyNeeds is potrf and posv.
func choleskyNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	uplo := int64(enumeration(routine.Fill, a.Int(routine.Uplo)))
	bytes, err := d.scratchSize(a.Routine, "potrf_bufferSize", uplo, a.Int(routine.N), 0, max(1, a.Int(routine.LDA)))
	return scratchNeeds(bytes), err
}

func (x *execution) potrf() error {
	if x.args.Routine.Variant == routine.Batched && x.args.Int(routine.N) <= choleskySize {
		return x.solver("potrfBatched", x.h.cusolver, enumeration(routine.Fill, x.args.Int(routine.Uplo)),
			uintptr(x.args.Int(routine.N)), uintptr(x.args.Ptr(routine.A)), uintptr(x.args.Int(routine.LDA)),
			uintptr(x.args.Ptr(routine.Info)), uintptr(x.args.Batch()))
	}
	return x.problems(x.cholesky)
}

func (x *execution) cholesky(a *routine.Args) error {
	scratch := x.work(buffer.FactorizationScratch)
	return x.solver("potrf", x.h.cusolver, enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)),
		uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(scratch.Ptr),
		uintptr(scratch.Bytes/uint64(a.Routine.Type.Size())), uintptr(a.Ptr(routine.Info)))
}

func (x *execution) potrs() error {
	return x.problems(func(a *routine.Args) error { return x.choleskySolve(a, x.work(buffer.Info).Ptr) })
}

func (x *execution) choleskySolve(a *routine.Args, info driver.Ptr) error {
	return x.solver("potrs", x.h.cusolver, enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)),
		uintptr(a.Int(routine.NRHS)), uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(a.Ptr(routine.B)),
		uintptr(a.Int(routine.LDB)), uintptr(info))
}

// posv is as gesv, with a Cholesky factorization.
func (x *execution) posv() error {
	return x.problems(func(a *routine.Args) error {
		if err := x.cholesky(a); err != nil {
			return err
		}
		return x.choleskySolve(a, x.work(buffer.Info).Ptr)
	})
}
