package nvidia

import (
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// method is the way in which a routine is computed.
type method struct {
	needs func(*device, *routine.Args) (driver.Needs, error)
	run   func(*execution) error
	lends bool // the first buffer is cuBLAS's workspace
	by    string
}

// form tells which functions of cuBLAS a family of the table has.
type form struct {
	versioned        bool // the plain function is called ..._v2
	batched, strided bool // there are functions for batches
}

// forms are the families that cuBLAS computes with the parameters of the table.
var forms = map[string]form{
	"asum": {versioned: true}, "nrm2": {versioned: true}, "dot": {versioned: true}, "dotu": {versioned: true}, "dotc": {versioned: true},
	"iamax": {versioned: true}, "iamin": {versioned: true},
	"gemv": {versioned: true, batched: true, strided: true}, "tbmv": {versioned: true}, "tpmv": {versioned: true}, "trmv": {versioned: true},
	"trsv": {versioned: true}, "hemv": {versioned: true}, "symv": {versioned: true},
	"symm": {versioned: true}, "hemm": {versioned: true}, "syrk": {versioned: true}, "herk": {versioned: true}, "syr2k": {versioned: true},
	"her2k": {versioned: true}, "syrkx": {}, "herkx": {}, "trmm": {versioned: true},
	"trsm": {versioned: true, batched: true}, "gemm": {versioned: true, batched: true, strided: true},
}

// methodOf chooses how a routine is computed, or says why it cannot be.
func methodOf(r *routine.Routine) (how method, reason string) {
	name := r.Family.Name
	if _, ok := forms[name]; ok {
		return method{directNeeds, (*execution).direct, r.Family.Level == 3, directBy(r)}, ""
	}
	if how, ok := methods[name]; ok {
		return how, ""
	}
	return how, name + " has no counterpart in cuBLAS or cuSOLVER"
}

// Computes tells by which functions a routine is computed, or why it is not.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	how, reason := methodOf(r)
	return strings.ReplaceAll(how.by, "<t>", strings.ToUpper(string(rune(r.Type)))), reason
}

func directBy(r *routine.Routine) string {
	if hasFunction(r) {
		return symbol(r)
	}
	plain, _ := routine.Sibling(r, routine.Plain)
	return symbol(plain) + ", one problem after the other"
}

// symbol returns the name of cuBLAS's function for a routine.
func symbol(r *routine.Routine) string {
	f := forms[r.Family.Name]
	name := strings.TrimSuffix(r.Name, "_64")
	name = strings.TrimSuffix(name, r.Variant.Suffix())
	name = "cublas" + strings.ToUpper(name[:1]) + name[1:]
	switch {
	case r.Variant == routine.Batched:
		name += "Batched"
	case r.Variant == routine.StridedBatched:
		name += "StridedBatched"
	case f.versioned:
		name += "_v2"
	}
	if r.Wide {
		name += "_64"
	}
	return name
}

// hasFunction reports whether cuBLAS has the variant of a routine itself.
func hasFunction(r *routine.Routine) bool {
	f := forms[r.Family.Name]
	return r.Variant == routine.Plain || r.Variant == routine.Batched && f.batched || r.Variant == routine.StridedBatched && f.strided
}

// directNeeds asks for the results of a reduction, and for the workspace that cuBLAS recommends for products of matrices.
func directNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return driver.Needs{Buffers: []driver.Buffer{{Purpose: "results", Bytes: uint64(a.ElementBytes(p) * a.Batch())}}}, nil
	}
	if a.Routine.Family.Level < 3 {
		return driver.Needs{}, nil
	}
	return driver.Needs{Buffers: []driver.Buffer{{Purpose: "cuBLAS workspace", Bytes: d.recommended()}}, Optional: true}, nil
}

// recommended is the workspace that NVIDIA recommends for cuBLAS: 32 MiB from Hopper on, 4 MiB before.
func (d *device) recommended() uint64 {
	if arch := d.Properties().Arch; len(arch) > len("sm_90") || arch >= "sm_90" {
		return 32 << 20
	}
	return 4 << 20
}

// direct computes a routine by cuBLAS's function of the same parameters.
func (x *execution) direct() error {
	_, reduction := x.args.Routine.ParamAt(routine.Result)
	if err := x.setPointerMode(x.h, x.launch.OnDevice || reduction); err != nil {
		return err
	}
	if hasFunction(x.args.Routine) {
		return x.cublasCall(x.args, 0)
	}
	problem := int64(-1)
	return x.problems(func(one *routine.Args) error {
		problem++
		return x.cublasCall(one, problem)
	})
}

// cublasCall passes the arguments of a routine on in C order. Scalars on the host are read from our own copies.
func (x *execution) cublasCall(a *routine.Args, problem int64) error {
	var list [maxArguments]uintptr
	list[0] = x.h.cublas
	n := 1
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		switch {
		case p.Kind == routine.Scalar && !x.launch.OnDevice && !a.Null(p.Slot):
			list[n] = uintptr(unsafe.Pointer(x.scalar(p.Slot)))
		case p.Kind == routine.Output && !x.launch.OnDevice:
			list[n] = uintptr(x.launch.Result) + uintptr(problem*a.ElementBytes(p))
		case p.Kind.IsEnum():
			list[n] = enumeration(p.Kind, a.Int(p.Slot))
		default:
			list[n] = uintptr(a.Int(p.Slot))
		}
		n++
	}
	return x.libs.cublasRoutine(a.Routine, list[:n]...)
}

// cublasRoutine calls the function of a routine, whose address is kept beside the table.
func (l *libraries) cublasRoutine(r *routine.Routine, args ...uintptr) error {
	address := l.functions[r.Index].Load()
	if address == 0 {
		var err error
		if address, err = l.cublas.symbol(symbol(r)); err != nil {
			return err
		}
		l.functions[r.Index].Store(address)
	}
	result := dl.Call(address, args...)
	if result == 0 {
		return nil
	}
	return l.cublas.check(symbol(r), result)
}

// maxArguments is that of gemmStridedBatched.
const maxArguments = 20

// enumeration translates a constant of rocBLAS to cuBLAS's.
func enumeration(kind routine.Kind, v int64) uintptr {
	switch kind {
	case routine.Operation:
		return uintptr(v - routine.OperationNone)
	case routine.Fill:
		return map[int64]uintptr{routine.FillLower: 0, routine.FillUpper: 1, routine.FillFull: 2}[v]
	case routine.Diagonal:
		return uintptr(v - routine.DiagonalNonUnit)
	case routine.SideKind:
		return uintptr(v - routine.SideLeft)
	}
	return uintptr(v)
}
