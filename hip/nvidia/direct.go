package nvidia

import (
	"strings"
	"sync"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// form says which functions of cuBLAS a family of the table has.
type form struct {
	versioned        bool // the plain function is called ..._v2
	batched, strided bool // there are functions for batches
	deviceArrays     bool // arrays of the call are scalars of the function, so cuBLAS must expect scalars on the device
	sizeless         bool // the function has no integers, and so no ..._64
}

// forms are the families that cuBLAS computes with the parameters of the table.
var forms = map[routine.FamilyID]form{
	routine.Asum:  {versioned: true},
	routine.Nrm2:  {versioned: true},
	routine.Dot:   {versioned: true},
	routine.Dotu:  {versioned: true},
	routine.Dotc:  {versioned: true},
	routine.Iamax: {versioned: true},
	routine.Iamin: {versioned: true},

	routine.Axpy:     {versioned: true},
	routine.Copy:     {versioned: true},
	routine.Scal:     {versioned: true},
	routine.RealScal: {versioned: true},
	routine.Swap:     {versioned: true},
	routine.Rot:      {versioned: true},
	routine.RealRot:  {versioned: true},
	routine.Rotg:     {versioned: true, deviceArrays: true, sizeless: true},
	routine.Rotm:     {versioned: true, deviceArrays: true},
	routine.Rotmg:    {versioned: true, deviceArrays: true, sizeless: true},

	routine.Gemv: {versioned: true, batched: true, strided: true},
	routine.Tbmv: {versioned: true},
	routine.Tpmv: {versioned: true},
	routine.Trmv: {versioned: true},
	routine.Trsv: {versioned: true},
	routine.Hemv: {versioned: true},
	routine.Symv: {versioned: true},
	routine.Gbmv: {versioned: true},
	routine.Sbmv: {versioned: true},
	routine.Hbmv: {versioned: true},
	routine.Spmv: {versioned: true},
	routine.Hpmv: {versioned: true},
	routine.Tbsv: {versioned: true},
	routine.Tpsv: {versioned: true},
	routine.Ger:  {versioned: true},
	routine.Geru: {versioned: true},
	routine.Gerc: {versioned: true},
	routine.Syr:  {versioned: true},
	routine.Her:  {versioned: true},
	routine.Spr:  {versioned: true},
	routine.Hpr:  {versioned: true},
	routine.Syr2: {versioned: true},
	routine.Her2: {versioned: true},
	routine.Spr2: {versioned: true},
	routine.Hpr2: {versioned: true},

	routine.HalfGemv:       {batched: true, strided: true},
	routine.HalfSingleGemv: {batched: true, strided: true},

	routine.Symm:  {versioned: true},
	routine.Hemm:  {versioned: true},
	routine.Syrk:  {versioned: true},
	routine.Herk:  {versioned: true},
	routine.Syr2k: {versioned: true},
	routine.Her2k: {versioned: true},
	routine.Syrkx: {},
	routine.Herkx: {},
	routine.Trmm:  {versioned: true},
	routine.Trsm:  {versioned: true, batched: true},
	routine.Gemm:  {versioned: true, batched: true, strided: true},
	routine.Dgmm:  {},
	routine.Geam:  {},
}

// byFamily holds the forms by the ID of the family, for calls.
var byFamily = sync.OnceValue(func() *[routine.FamilyCount]form {
	list := new([routine.FamilyCount]form)
	for id, f := range forms {
		list[id] = f
	}
	return list
})

// exceptions are the methods of types for which cuBLAS lacks the function of a family.
var exceptions = map[routine.FamilyID]map[routine.Type]*method{
	routine.Axpy: {routine.TypeH: &axpyMethod},
	routine.Dot:  {routine.TypeH: &halfDot, routine.TypeBF: &halfDot},
	routine.Spr:  {routine.TypeC: &packedUpdate, routine.TypeZ: &packedUpdate},
}

// directMethods computes each family of forms by the function of the same parameters.
func directMethods() map[routine.FamilyID]method {
	list := map[routine.FamilyID]method{}
	for id := range forms {
		m := method{needs: noNeeds, run: (*execution).direct, by: directBy}
		switch family := id.Family(); {
		case id == routine.Dgmm || id == routine.Geam:
		case family.Level == 3:
			m.needs, m.buffers = directNeeds, []buffer.ID{buffer.LibraryWorkspace}
		case family.Reduction():
			m.needs, m.buffers = directNeeds, []buffer.ID{buffer.Results}
		}
		list[id] = m
	}
	return list
}

// directBy names the function that computes a routine, or each of its problems.
func directBy(r *routine.Routine) string {
	if forms[r.Family.ID].has(r.Variant) {
		return symbol(r)
	}
	plain, _ := routine.Sibling(r, routine.Plain)
	return symbol(plain) + ", one problem after the other"
}

// symbol returns the name of cuBLAS's function for a routine.
func symbol(r *routine.Routine) string {
	f := forms[r.Family.ID]
	name := strings.TrimSuffix(r.Name, "_64")
	name = strings.TrimSuffix(name, r.Variant.Suffix())
	capitals := 1
	if !hasPlain(r) {
		capitals = len("HSH") // the types of the factors, of the scalars and of the result
	}
	name = "cublas" + strings.ToUpper(name[:capitals]) + name[capitals:]
	switch {
	case r.Variant == routine.Batched:
		name += "Batched"
	case r.Variant == routine.StridedBatched:
		name += "StridedBatched"
	case f.versioned && r.Type != routine.TypeH:
		name += "_v2"
	}
	if r.Wide && !f.sizeless {
		name += "_64"
	}
	return name
}

// hasPlain reports whether a routine exists for a single problem.
func hasPlain(r *routine.Routine) bool {
	_, ok := routine.Sibling(r, routine.Plain)
	return ok
}

// has reports whether cuBLAS has the variant of a routine itself.
func (f form) has(v routine.Variant) bool {
	return v == routine.Plain || v == routine.Batched && f.batched || v == routine.StridedBatched && f.strided
}

// directNeeds returns the results of a reduction, or the workspace that NVIDIA recommends for products of matrices.
func directNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return needs(driver.Buffer{ID: buffer.Results, Bytes: uint64(a.ElementBytes(p) * a.Batch())}), nil
	}
	return d.workspace, nil
}

// noNeeds is a call without workspace.
func noNeeds(*device, *routine.Args) (driver.Needs, error) { return driver.Needs{}, nil }

func needs(buffers ...driver.Buffer) driver.Needs { return driver.Needs{Buffers: buffers} }

// recommendedWorkspace returns the workspace that NVIDIA recommends for cuBLAS: 32 MiB from Hopper on, 4 MiB before.
func recommendedWorkspace(arch string) driver.Needs {
	bytes := uint64(4 << 20)
	if len(arch) > len("sm_90") || arch >= "sm_90" {
		bytes = 32 << 20
	}
	n := needs(driver.Buffer{ID: buffer.LibraryWorkspace, Bytes: bytes})
	n.Optional = true
	return n
}

// recommended returns the bytes of the workspace that NVIDIA recommends.
func (d *device) recommended() uint64 { return d.workspace.Buffers[0].Bytes }

// direct computes a routine by cuBLAS's function of the same parameters.
func (x *execution) direct() error {
	_, reduction := x.args.Routine.ParamAt(routine.Result)
	f := &byFamily()[x.args.Routine.Family.ID]
	if err := x.setPointerMode(x.h, x.launch.OnDevice || reduction || f.deviceArrays); err != nil {
		return err
	}
	if f.has(x.args.Routine.Variant) {
		return x.cublasCall(x.args, 0)
	}
	problem := int64(-1)
	return x.problems(func(one *routine.Args) error {
		problem++
		return x.cublasCall(one, problem)
	})
}

// cublasCall passes the arguments of a routine to cuBLAS in C order. It stores host scalars in memory of the device
// object, where cuBLAS reads them.
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
	return x.libs.cublasRoutine(a.Routine, list[:n])
}

// cublasRoutine calls the function of a routine. It keeps the function's address, indexed by routine. See dl.CallWords
// for the arguments.
func (l *libraries) cublasRoutine(r *routine.Routine, args []uintptr) error {
	address := l.functions[r.Index].Load()
	if address == 0 {
		var err error
		if address, err = l.cublas.symbol(function{name: symbol(r)}); err != nil {
			return err
		}
		l.functions[r.Index].Store(address)
	}
	result := dl.CallWords(address, args)
	if result == 0 {
		return nil
	}
	return l.cublas.check(function{name: symbol(r)}, result)
}

// maxArguments is the number of arguments of gemmStridedBatched.
const maxArguments = 20

// enumeration translates a constant of rocBLAS to the one of cuBLAS.
func enumeration(kind routine.Kind, v int64) uintptr {
	switch kind {
	case routine.Operation:
		return uintptr(v - routine.OperationNone)
	case routine.Fill:
		switch v {
		case routine.FillUpper:
			return 1
		case routine.FillFull:
			return 2
		}
		return 0
	case routine.Diagonal:
		return uintptr(v - routine.DiagonalNonUnit)
	case routine.SideKind:
		return uintptr(v - routine.SideLeft)
	}
	return uintptr(v)
}
