package nvidia

import (
	"slices"
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// solverCall is a call of a function of cuSOLVER. The size of its scratch is returned by the function of the same name
// with _bufferSize.
type solverCall struct {
	name    string  // pattern, such as cusolverDn<or>gqr
	args    []int64 // between the handle and the scratch
	sizedBy []int64 // of the size query; args if nil
	after   []int64 // between the scratch and info
	scratch scratchKind
	jacobi  uintptr // options of Jacobi's method, the last argument; 0 for functions without them
	options bool    // the options of functions for 64-bit integers are the first argument

	bounds   []float64 // of a range of eigenvalues, before args[boundsAt]
	boundsAt int
}

// scratchKind says how a function receives its scratch.
type scratchKind uint8

const (
	counted     scratchKind = iota // an address and a number of elements
	uncounted                      // an address
	noScratch                      // the function needs none
	hostScratch                    // an address and bytes, on the device and on the host
)

func ints(list ...int64) []int64 { return list }

func (c *solverCall) queryArgs() []int64 {
	if c.sizedBy != nil {
		return c.sizedBy
	}
	return c.args
}

// scratchSize returns the bytes of scratch on the device. Sizes of counted scratch are kept, because asking takes as
// long as a small call.
func (g *gpu) scratchSize(t routine.Type, c *solverCall) uint64 {
	if c.scratch == hostScratch {
		onDevice, _ := g.bothSizes(t, c)
		return onDevice
	}
	key := scratchQuery{function: function{c.name, t}, device: g.Index()}
	copy(key.args[:], c.queryArgs())
	if bytes, ok := g.libs.scratch.Load(key); ok {
		return bytes
	}
	// cuSOLVER writes to a field of g: a variable could move while its address is only a number in the list.
	args := append(slices.Clone(c.queryArgs()), int64(uintptr(unsafe.Pointer(&g.elements))))
	if c.jacobi != 0 {
		args = append(args, int64(c.jacobi))
	}
	g.callSolver(function{c.name + "_bufferSize", t}, c, args)
	bytes := uint64(g.elements) * uint64(t.Size())
	if g.err == nil {
		g.libs.scratch.Store(key, bytes)
	}
	return bytes
}

// bothSizes returns the bytes of scratch on the device and on the host.
func (g *gpu) bothSizes(t routine.Type, c *solverCall) (onDevice, onHost uint64) {
	args := append(slices.Clone(c.queryArgs()), int64(uintptr(unsafe.Pointer(&g.sizes[0]))),
		int64(uintptr(unsafe.Pointer(&g.sizes[1]))))
	g.callSolver(function{c.name + "_bufferSize", t}, c, args)
	return g.sizes[0], g.sizes[1]
}

func (g *gpu) callSolver(f function, c *solverCall, args []int64) {
	solver, h := g.libs.cusolver, g.use()
	if c.options && h != nil {
		if h.options == 0 {
			g.call(solver, "cusolverDnCreateParams", uintptr(unsafe.Pointer(&h.options)))
		}
		args = slices.Insert(args, 0, int64(h.options))
	}
	if g.err != nil {
		return
	}
	if c.bounds == nil {
		g.err = g.callInts(solver, f, h.cusolver, args)
		return
	}
	list := []dl.Arg{dl.Word(h.cusolver)}
	for i, v := range args {
		if i == c.boundsAt {
			for _, bound := range c.bounds {
				list = append(list, dl.Real(f.typ.RealSize(), bound))
			}
		}
		list = append(list, dl.Word(uintptr(v)))
	}
	g.err = solver.callArgs(f, list)
}

// noInfo is the address of info for functions that have none.
const noInfo = -1

// solve makes a call with the scratch of this execution.
func (x *execution) solve(c solverCall, info int64) {
	t, args := x.args.Routine.Type, c.args
	if x.sizing {
		if c.scratch != noScratch && x.err == nil {
			x.need(buffer.FactorizationScratch, x.scratchSize(t, &c))
		}
		return
	}
	if c.scratch != noScratch {
		scratch := x.memory(buffer.FactorizationScratch, 0)
		args = append(args, int64(scratch.Ptr))
		switch c.scratch {
		case counted:
			args = append(args, int64(scratch.Bytes)/t.Size())
		case hostScratch:
			_, onHost := x.bothSizes(t, &c)
			args = append(args, int64(scratch.Bytes), x.hostScratch(onHost), int64(onHost))
		}
	}
	args = append(args, c.after...)
	if info != noInfo {
		args = append(args, info)
	}
	if c.jacobi != 0 {
		args = append(args, int64(c.jacobi))
	}
	x.setSolverStream(streamHandle(x.stream))
	x.callSolver(function{c.name, t}, &c, args)
}

// hostScratch returns scratch on the host for one call. During a capture it is kept with the graph, whose launches may
// use it; otherwise the next call uses it again.
func (x *execution) hostScratch(bytes uint64) int64 {
	x.host = slices.Grow(x.host[:0], int(bytes+1))
	at := unsafe.SliceData(x.host)
	if x.Keep(x.stream, x.host) {
		x.host = nil
	}
	return int64(uintptr(unsafe.Pointer(at)))
}

// infoBytes is the size of an info that only reports bad arguments.
const infoBytes = 4

// step is a cuSOLVER call whose arguments are parameters of the routine.
type step struct {
	name                 string // pattern
	args, sizedBy, after []routine.Slot
	scratch              scratchKind
	options              bool           // as in solverCall
	jacobi               bool           // the function is one of Jacobi's method
	clears               []routine.Slot // arrays that cuSOLVER lacks, set to zero after the call
}

// call returns the call of a step. Its lists are in memory of g, until the next step.
func (s *step) call(g *gpu, a *routine.Args) solverCall {
	list := &g.lists
	c := solverCall{name: s.name, args: appendValues(list[0][:0], a, s.args), scratch: s.scratch,
		after: appendValues(list[1][:0], a, s.after), options: s.options}
	if s.sizedBy != nil {
		c.sizedBy = appendValues(list[2][:0], a, s.sizedBy)
	}
	if s.jacobi {
		c.jacobi = g.jacobiOptions("Syevj", a)
	}
	return c
}

// jacobiOptions returns cuSOLVER's object with the options of a call of Jacobi's method, "Syevj" or "Gesvdj". It orders
// the results by default.
func (g *gpu) jacobiOptions(kind string, a *routine.Args) uintptr {
	h, solver := g.use(), g.libs.cusolver
	if h == nil {
		return 0
	}
	options := &h.jacobi
	if kind == "Gesvdj" {
		options = &h.singularJacobi
	}
	if *options == 0 {
		g.call(solver, "cusolverDnCreate"+kind+"Info", uintptr(unsafe.Pointer(options)))
	}
	sort := uintptr(1)
	if a.Routine.Has(routine.Esort) && a.Int(routine.Esort) == routine.EsortNone {
		sort = 0
	}
	prefix := "cusolverDnX" + strings.ToLower(kind)
	g.call(solver, prefix+"SetSortEig", *options, sort)
	g.call(solver, prefix+"SetMaxSweeps", *options, uintptr(a.Int(routine.MaxSweeps)))
	return *options
}

// solverMethod computes one problem after the other in one or more steps. The note follows the names of the functions
// in the documentation.
func solverMethod(note string, steps ...step) method {
	var names []string
	for _, s := range steps {
		names = append(names, s.name)
	}
	return method{by: strings.Join(names, " and ") + note, run: func(x *execution) { solveSteps(x, steps) }}
}

// solveSteps makes the calls for every problem. The first one reports its info to the caller. Those with 64-bit
// integers have an info of 32 bits, so the upper half is set first.
func solveSteps(x *execution, steps []step) {
	x.problems(func(a *routine.Args) {
		if a.Routine.Wide {
			x.clear(a, routine.Info)
		}
		info := x.infoOf(a)
		for i := range steps {
			if i > 0 {
				info = x.unreadInfo()
			}
			x.solve(steps[i].call(x.gpu, a), info)
			x.clear(a, steps[i].clears...)
		}
	})
}
