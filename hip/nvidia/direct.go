package nvidia

import (
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// form says which functions of cuBLAS a family of the table has.
type form struct {
	versioned        bool // the plain function is called ..._v2
	batched, strided bool // there are functions for batches
	deviceArrays     bool // arrays of the call are scalars of the function, so cuBLAS must expect scalars there
	sizeless         bool // the function has no integers, and so no ..._64
}

// forms are the families that cuBLAS computes with the parameters of the table, by ID; nil for others.
var forms = func() (list [routine.FamilyCount]*form) {
	for _, id := range []routine.FamilyID{
		routine.Asum, routine.Nrm2, routine.Dot, routine.Dotu, routine.Dotc, routine.Iamax, routine.Iamin,
		routine.Axpy, routine.Copy, routine.Scal, routine.RealScal, routine.Swap, routine.Rot, routine.RealRot,
		routine.Tbmv, routine.Tpmv, routine.Trmv, routine.Trsv, routine.Hemv, routine.Symv, routine.Gbmv, routine.Sbmv,
		routine.Hbmv, routine.Spmv, routine.Hpmv, routine.Tbsv, routine.Tpsv, routine.Ger, routine.Geru, routine.Gerc,
		routine.Syr, routine.Her, routine.Spr, routine.Hpr, routine.Syr2, routine.Her2, routine.Spr2, routine.Hpr2,
		routine.Symm, routine.Hemm, routine.Syrk, routine.Herk, routine.Syr2k, routine.Her2k, routine.Trmm,
	} {
		list[id] = &form{versioned: true}
	}
	for _, id := range []routine.FamilyID{routine.Syrkx, routine.Herkx, routine.Dgmm, routine.Geam} {
		list[id] = &form{}
	}
	list[routine.Gemv] = &form{versioned: true, batched: true, strided: true}
	list[routine.Gemm] = &form{versioned: true, batched: true, strided: true}
	list[routine.Trsm] = &form{versioned: true, batched: true}
	list[routine.HalfGemv] = &form{batched: true, strided: true}
	list[routine.HalfSingleGemv] = &form{batched: true, strided: true}
	list[routine.Rotm] = &form{versioned: true, deviceArrays: true}
	list[routine.Rotg] = &form{versioned: true, deviceArrays: true, sizeless: true}
	list[routine.Rotmg] = &form{versioned: true, deviceArrays: true, sizeless: true}
	return list
}()

// directRows computes each family of forms by the function of the same parameters.
func directRows() (list []row) {
	for i, f := range forms {
		if f == nil {
			continue
		}
		id, m := routine.FamilyID(i), method{run: direct, needs: noNeeds}
		switch family := id.Family(); {
		case id == routine.Dgmm || id == routine.Geam:
		case family.Level == 3 || family.Level == 1 && len(family.Buffers) > 0: // products and reductions
			m.needs = directNeeds
		}
		if id == routine.Trsm {
			m.run = trsm
		}
		list = append(list, row{of(id), m})
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
func (f *form) has(v routine.Variant) bool {
	return v == routine.Plain || v == routine.Batched && f.batched || v == routine.StridedBatched && f.strided
}

// directNeeds returns the results of a reduction, or the workspace that NVIDIA recommends for GEMMs.
func directNeeds(g *gpu, a *routine.Args) driver.Needs {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		results := driver.Buffer{ID: buffer.Results, Bytes: uint64(a.ElementBytes(p) * a.Batch())}
		return driver.Needs{Buffers: []driver.Buffer{results}}
	}
	return g.workspace
}

// direct computes a routine by cuBLAS's function of the same parameters.
func direct(x *execution) {
	f := forms[x.args.Routine.Family.ID]
	x.setPointerMode(x.launch.OnDevice || x.args.Routine.Has(routine.Result) || f.deviceArrays)
	if f.has(x.args.Routine.Variant) {
		directCall(x, x.args, 0)
		return
	}
	problem := int64(-1)
	x.problems(func(one *routine.Args) {
		problem++
		directCall(x, one, problem)
	})
}

// is reports whether a call is the last one.
func (c *lastCall) is(a *routine.Args, l *driver.Launch, problem int64) bool {
	return c.function != 0 && c.onDevice == l.OnDevice && c.result == l.Result && c.problem == problem &&
		c.args.Equal(a)
}

// directCall passes the arguments of a problem to cuBLAS in C order.
func directCall(x *execution, a *routine.Args, problem int64) {
	if x.err != nil {
		return
	}
	c := &x.last
	if !c.is(a, x.launch, problem) {
		address, err := x.libs.direct(a.Routine)
		if err != nil {
			x.err = err
			return
		}
		c.function, c.args, c.onDevice, c.result, c.problem = address, *a, x.launch.OnDevice, x.launch.Result, problem
		c.fill()
	}
	c.words[0] = x.handles.cublas
	if code := dl.CallKept(c.function, c.words[:1+len(a.Routine.Params)]); code != 0 {
		x.err = x.libs.cublas.check(function{pattern: symbol(a.Routine)}, code)
	}
}

// fill sets the words of a call after the handle. It stores host scalars where cuBLAS can read them.
func (c *lastCall) fill() {
	a := &c.args
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		value := uintptr(a.Int(p.Slot))
		switch {
		case p.Kind == routine.Scalar && !c.onDevice && value != 0:
			place := &c.scalars[routine.ScalarIndex(p.Slot)%len(c.scalars)]
			number.Store(a.Datatype(p), place[:], a.Scalar(p.Slot))
			value = uintptr(unsafe.Pointer(place))
		case p.Kind == routine.Output && !c.onDevice:
			value = uintptr(c.result) + uintptr(c.problem*a.ElementBytes(p))
		case p.Kind.IsEnum():
			value = uintptr(enumeration(p.Kind, int64(value)))
		}
		c.words[1+i] = value
	}
}

// direct returns the address of cuBLAS's function with the parameters of a routine. See dl.CallKept for its arguments.
func (l *libraries) direct(r *routine.Routine) (uintptr, error) {
	if address := l.functions[r.Index].Load(); address != 0 {
		return address, nil
	}
	address, err := l.cublas.symbol(function{pattern: symbol(r)})
	if err == nil {
		l.functions[r.Index].Store(address)
	}
	return address, err
}
