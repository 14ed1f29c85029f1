package nvidia

import (
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// denseCall is a call of a function of cuSOLVER that has one scratch array and an info. Its scratch size is returned by
// the function of the same name with _bufferSize, for the same arguments.
type denseCall struct {
	name    string   // with the letter of its type, such as Dorgqr
	args    []dl.Arg // those between the handle and the scratch
	sizedBy []dl.Arg // those of the size query; args if nil
	between []dl.Arg // those between the scratch and info
	options uintptr  // the object with options of Jacobi's method, the last argument; 0 for functions without one
}

// functionName returns the name of a function for a type. Those of complex matrices replace the first two letters.
func functionName(t routine.Type, name, complexLetters string) string {
	if t.IsComplex() && complexLetters != "" {
		name = complexLetters + name[len(complexLetters):]
	}
	return strings.ToUpper(string(rune(t))) + name
}

// unitary returns the name of a function for an orthogonal matrix, which is called un... for complex ones.
func unitary(t routine.Type, name string) string { return functionName(t, name, "un") }

// hermitian returns the name of a function for a symmetric matrix, which is called he... for complex ones.
func hermitian(t routine.Type, name string) string { return functionName(t, name, "he") }

// words are arguments that are integers.
func words(list ...int64) []dl.Arg {
	args := make([]dl.Arg, len(list))
	for i, v := range list {
		args[i] = dl.Word(uintptr(v))
	}
	return args
}

// matrix is a column-major matrix in device memory. Its address is 0 in size queries.
type matrix struct {
	at driver.Ptr
	ld int64
}

// below returns the matrix from a row and column on.
func (m matrix) from(t routine.Type, row, column int64) matrix {
	return matrix{m.at + driver.Ptr((row+column*m.ld)*t.Size()), m.ld}
}

// matrixAt returns an argument of a call.
func matrixAt(a *routine.Args, s routine.Slot) matrix {
	ld, _ := a.Routine.Companion(s, routine.LeadingDimension)
	return matrix{driver.Ptr(a.Ptr(s)), max(1, a.Int(ld.Slot))}
}

// pointer returns an array argument of a call.
func pointer(a *routine.Args, s routine.Slot) int64 { return int64(a.Ptr(s)) }

// scratchOf returns the bytes of scratch of calls that use it one after the other. The sizes are cached, because asking
// takes as long as a small call.
func (d *device) scratchOf(t routine.Type, calls ...denseCall) (uint64, error) {
	most := uint64(0)
	for i := range calls {
		bytes, err := d.denseScratch(t, &calls[i])
		if err != nil {
			return 0, err
		}
		most = max(most, bytes)
	}
	return most, nil
}

// denseKey is a size query.
type denseKey struct {
	function string
	device   int
	args     [20]dl.Arg
}

func (d *device) denseScratch(t routine.Type, c *denseCall) (uint64, error) {
	args := c.sizedBy
	if args == nil {
		args = c.args
	}
	key := denseKey{function: "cusolverDn" + c.name + "_bufferSize", device: d.Index()}
	copy(key.args[:], args)
	if bytes, ok := d.libs.dense.load(key); ok {
		return bytes, nil
	}
	h, err := d.use()
	if err != nil {
		return 0, err
	}
	list := append([]dl.Arg{dl.Word(h.cusolver)}, args...)
	list = append(list, dl.Word(uintptr(unsafe.Pointer(&d.elements))))
	if c.options != 0 {
		list = append(list, dl.Word(c.options))
	}
	if err := d.libs.cusolver.callArgs(key.function, list); err != nil {
		return 0, err
	}
	bytes := uint64(d.elements) * uint64(t.Size())
	d.libs.dense.store(key, bytes)
	return bytes, nil
}

// dense makes a call with the scratch of this execution.
func (x *execution) dense(c denseCall, info driver.Ptr) error {
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	scratch := x.work(buffer.FactorizationScratch)
	list := append([]dl.Arg{dl.Word(x.h.cusolver)}, c.args...)
	list = append(list, words(int64(scratch.Ptr), int64(scratch.Bytes)/x.args.Routine.Type.Size())...)
	list = append(append(list, c.between...), dl.Word(uintptr(info)))
	if c.options != 0 {
		list = append(list, dl.Word(c.options))
	}
	return x.libs.cusolver.callArgs("cusolverDn"+c.name, list)
}

// infoOf returns where a call stores its info: the argument, or workspace if the routine has none.
func (x *execution) infoOf(a *routine.Args) driver.Ptr {
	if _, ok := a.Routine.ParamAt(routine.Info); ok {
		return driver.Ptr(a.Ptr(routine.Info))
	}
	return x.work(buffer.Info).Ptr
}

// denseMethod is the method of a routine that is one call.
func denseMethod(text string, c func(*routine.Args) denseCall) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			query := withoutPointers(a)
			bytes, err := d.scratchOf(a.Routine.Type, c(query))
			return scratchNeeds(bytes), err
		},
		run: func(x *execution) error {
			return x.problems(func(a *routine.Args) error { return x.dense(c(a), x.infoOf(a)) })
		},
		buffers: scratchBuffers, by: by(text),
	}
}

// withoutPointers returns the arguments of a call without its addresses, on which no size depends.
func withoutPointers(a *routine.Args) *routine.Args {
	query := *a
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; p.Kind.IsPointer() {
			query.SetPtr(p.Slot, 0)
		}
	}
	return &query
}
