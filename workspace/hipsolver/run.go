package hipsolver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// Outcome is the result of a call that did not fail.
type Outcome struct {
	Status status.HipSOLVER
	Number int64 // lwork of a function for the size of a buffer, or nev
	Host   int64 // the other size of a function that returns two
}

// Objects are the objects of the library that a call has; nil for null pointers.
type Objects struct {
	Jacobi *Jacobi
	Params *Params
}

// of returns the object that a function takes, with its address in the library.
func (s Objects) of(f *routine.Routine) (address uint64, given bool) {
	p, ok := f.ParamAt(routine.LayerInfo)
	switch {
	case !ok:
		return 0, true
	case p.Object == paramsType && s.Params != nil && !s.Params.null:
		return uint64(s.Params.address), true
	case p.Object != paramsType && s.Jacobi != nil && !s.Jacobi.null:
		return uint64(s.Jacobi.address), true
	}
	return 0, false
}

// Call runs a function of hipSOLVER on a modelled handle: it makes the same rocBLAS, rocSOLVER and HIP calls as the
// library, in the same order. Errors are of type *workspace.LayerError, *workspace.Abort or *workspace.Unknown.
func Call(h workspace.Handle, o *routine.Args, objects Objects) (Outcome, error) {
	c := &run{h: h, o: o, Objects: objects}
	if out, ok, err := c.inLibrary(); ok {
		return out, err
	}
	switch _, given := c.of(o.Routine); {
	case h.Profile() == nil:
		return Outcome{}, c.refuse(status.HipSOLVERNotInitialized, "the handle is null", nil)
	case !h.Profile().Modelled():
		return Outcome{}, workspace.NoLayer("hipSOLVER")
	case !given:
		return Outcome{}, c.refuse(status.HipSOLVERInvalidValue, "params is null", nil)
	}
	if o.Routine.IsSize() {
		lwork, err := c.size(o)
		return Outcome{Number: lwork}, err
	}
	return c.compute()
}

// inLibrary calls the library of the platform, if the handle belongs to that library.
func (c *run) inLibrary() (out Outcome, ok bool, err error) {
	if address, _ := c.of(c.o.Routine); address != 0 {
		c.o.SetPtr(routine.LayerInfo, address)
	}
	for i := range c.o.Routine.Params {
		if p := &c.o.Routine.Params[i]; p.IsNumber() {
			c.o.SetInt(p.Slot, routine.Host)
		}
	}
	st, results, ok, err := workspace.CallLayer(c.h, c.o)
	switch {
	case !ok || err != nil:
		return out, ok, err
	case status.HipSOLVER(st) != status.HipSOLVERSuccess:
		return out, true, c.refuse(status.HipSOLVER(st), "", nil)
	case c.o.Routine.IsSize() && (c.o.Routine.Wide || ruleOf(c.o.Routine).anySize):
		out.Number = int64(binary.NativeEndian.Uint64(results))
		if c.o.Routine.Wide {
			out.Host = int64(binary.NativeEndian.Uint64(results[routine.NumberBytes:]))
		}
	case results != nil:
		out.Number = intOf(results)
	}
	return out, true, nil
}

func intOf(raw []byte) int64 { return int64(int32(binary.NativeEndian.Uint32(raw))) }

// run is one call of a function.
type run struct {
	h workspace.Handle
	o *routine.Args
	Objects
}

func (c *run) refuse(s status.HipSOLVER, reason string, cause error) error {
	return &workspace.LayerError{Status: s, Func: c.o.Routine.CName(), Reason: reason, Cause: cause}
}

// mapped returns the error of a rocBLAS or rocSOLVER call as hipSOLVER returns it.
func (c *run) mapped(err error) error {
	var refused *workspace.Error
	if errors.As(err, &refused) {
		return c.refuse(refused.Status.InHipSOLVER(), "", err)
	}
	return err
}

// size makes the size queries of a function for the size of a buffer. The library ignores whether the queries could
// start, and a value that an enumeration does not have ends the function between start and stop.
func (c *run) size(o *routine.Args) (int64, error) {
	c.h.StartQuery()
	if refusal := checkEnums(o); refusal != nil {
		return 0, c.refuse(refusal.Status, refusal.Reason+"; the size query of the handle stays open", nil)
	}
	r := ruleOf(o.Routine)
	var first error
	for i, a := range r.calls(o) {
		a.Routine = a.Routine.Under(o.Routine)
		_, err := c.h.Call(a)
		if i == 0 || fatal(err) {
			first = err
		}
	}
	bytes, err := c.h.StopQuery(false)
	if first == nil {
		first = err
	}
	if first != nil {
		return 0, c.mapped(first)
	}
	if r.adds != nil {
		if bytes, err = c.add(bytes, r.adds(o)); err != nil {
			return 0, c.mapped(err)
		}
	}
	result := c.result(o.Routine, bytes)
	if result.Lwork > math.MaxInt32 && !r.anySize && !o.Routine.Wide {
		return 0, c.refuse(status.HipSOLVERInternalError,
			fmt.Sprintf("lwork is an int, which %d %s do not fit", result.Lwork, result.Unit()), nil)
	}
	return int64(result.Lwork), nil
}

// result returns the size of a buffer in the unit of a function.
func (c *run) result(f *routine.Routine, bytes uint64) Result {
	result := ResultOf(c.h.Profile().Release, f, bytes)
	if workspace.LayerBytes(c.h) {
		return result.InBytes()
	}
	return result
}

func fatal(err error) bool {
	var refused *workspace.Error
	return err != nil && !errors.As(err, &refused)
}

// add makes the size query of hipSOLVER's own bytes.
func (c *run) add(bytes uint64, adds []behavior.Buffer) (uint64, error) {
	list := []uint64{bytes}
	for _, b := range adds {
		list = append(list, b.Bytes)
	}
	c.h.StartQuery()
	if _, err := c.h.SetOptimalDeviceMemorySize(list...); err != nil {
		return 0, err
	}
	return c.h.StopQuery(false)
}

// ownSize returns the arguments of the function for the size of the call's buffer, in hipSOLVER's own interface. With
// 64-bit sizes it has the arguments of the call, and gesvda is only in the other interface.
func (c *run) ownSize() *routine.Args {
	if c.o.Routine.Wide || c.o.Routine.Family.Name == "gesvdaStridedBatched" {
		return c.o
	}
	name := strings.TrimPrefix(c.o.Routine.Name, "Dn") + "_bufferSize"
	f, ok := routine.Find(routine.HipSOLVER, name)
	if !ok {
		panic("workspace/hipsolver: no function " + name)
	}
	a := f.New()
	for i := range f.Params {
		if s := f.Params[i].Slot; s != routine.Lwork {
			a.SetInt(s, c.o.Int(s))
		}
	}
	return a
}

// compute binds the buffer or provides memory, and calls rocSOLVER.
func (c *run) compute() (out Outcome, err error) {
	if c.unmanaged() {
		return c.execute(nil)
	}
	lwork := c.o.Int(routine.Lwork)
	if c.o.Routine.Has(routine.Work) && !c.o.Routine.Has(routine.Lwork) {
		if lwork, err = c.size(c.ownSize()); err != nil {
			return out, err
		}
	}
	arrays, release, err := c.provide(driver.Ptr(c.o.Ptr(routine.Work)), lwork)
	if err != nil {
		return out, err
	}
	out, err = c.execute(arrays)
	if failed := release(); failed != nil && !fatal(err) {
		err = failed
	}
	return out, err
}

// unmanaged reports whether the function only calls rocSOLVER.
func (c *run) unmanaged() bool { return c.o.Routine.Wide && ruleOf(c.o.Routine).unmanaged }

// added returns the bytes of the arrays that the call takes from its memory.
func (c *run) added() (sizes []uint64) {
	r := ruleOf(c.o.Routine)
	if r.adds == nil || !c.o.Null(routine.RealWork) || r.takes != nil && !r.takes(c.o) {
		return nil
	}
	for _, b := range r.adds(c.o) {
		sizes = append(sizes, b.Bytes)
	}
	return sizes
}

// provide makes the caller's buffer the memory of the handle, where arrays come first, or lets the handle provide
// memory. It returns the addresses of the arrays.
func (c *run) provide(work driver.Ptr, lwork int64) (arrays []driver.Ptr, release func() error, err error) {
	release = func() error { return nil }
	sizes := c.added()
	if work != 0 && lwork != 0 {
		for _, bytes := range sizes {
			arrays, work = append(arrays, work), work+driver.Ptr(bytes)
		}
		return arrays, release, c.mapped(c.h.SetWorkspace(work, uint64(lwork)*c.unit()))
	}
	if lwork, err = c.size(c.ownSize()); err != nil {
		return nil, release, err
	}
	if err := c.manage(lwork); err != nil || sizes == nil {
		return nil, release, c.mapped(err)
	}
	allocation, err := c.h.DeviceMalloc(sizes...)
	switch {
	case err != nil:
		return nil, release, c.mapped(err)
	case allocation == nil:
		return nil, release, c.refuse(status.HipSOLVERAllocFailed, "no memory for arrays of the routine",
			c.h.Shortage(sizes...))
	}
	for _, span := range allocation.Spans() {
		arrays = append(arrays, span.Ptr)
	}
	return arrays, allocation.Release, nil
}

// unit returns the bytes of the unit of lwork.
func (c *run) unit() uint64 { return c.result(c.o.Routine, 0).Each }

// integerBytes is the size of an int.
const integerBytes = 4

// manage prepares the memory of a handle for a call without a buffer.
func (c *run) manage(lwork int64) error {
	if !c.h.Profile().Release.LayerSizesMemory {
		if c.h.IsManaging() {
			return nil
		}
		return c.h.SetWorkspace(0, 0)
	}
	if r := ruleOf(c.o.Routine); r.integers != nil {
		lwork += integerBytes * r.integers(c.o)
	}
	held := uint64(0)
	if c.h.IsUserManaging() {
		held, _ = c.h.DeviceMemorySize()
	}
	if uint64(lwork) <= held {
		return nil
	}
	return c.h.SetDeviceMemorySize(uint64(lwork))
}

// execute calls rocSOLVER. info of a routine that has none is set to 0.
func (c *run) execute(arrays []driver.Ptr) (result Outcome, err error) {
	refusal := checkEnums(c.o)
	if c.Jacobi != nil {
		if s, err := c.Jacobi.reserve(c.h.Device().Current(), c.o); err != nil {
			return result, c.refuse(s, "", err)
		}
	}
	inner := c.inner(arrays)
	if !inner.Routine.Has(routine.Info) && !c.unmanaged() {
		if err := c.clearInfo(); err != nil {
			return result, err
		}
	}
	if refusal != nil {
		return result, c.refuse(refusal.Status, refusal.Reason, nil)
	}
	out, err := c.h.Call(inner)
	if err != nil {
		return result, c.mapped(err)
	}
	if out.Unknown != "" {
		return result, &workspace.Unknown{Func: c.o.Routine.CName(), Reason: out.Unknown}
	}
	result.Status = out.Status.InHipSOLVER()
	if out.Results != nil {
		result.Number = intOf(out.Results)
	}
	return result, nil
}

func (c *run) clearInfo() error {
	p := driver.Ptr(c.o.Ptr(routine.Info))
	if p == 0 {
		return c.refuse(status.HipSOLVERInvalidValue, "devInfo is null", nil)
	}
	stream, err := c.h.Stream()
	if err == nil {
		err = c.h.Device().FillAsync(p, 0, uint64(integerBytes*max(0, batchOf(c.o))), stream)
	}
	if err != nil {
		return c.refuse(status.HipSOLVERInternalError, "", err)
	}
	return nil
}

func batchOf(o *routine.Args) int64 {
	if !o.Routine.Has(routine.BatchCount) {
		return 1
	}
	return o.Int(routine.BatchCount)
}

// inner returns the rocSOLVER call, with the arrays of the function.
func (c *run) inner(arrays []driver.Ptr) *routine.Args {
	r := ruleOf(c.o.Routine)
	list := r.calls(c.o)
	a := list[0]
	if r.second != nil && r.second(c.o) {
		a = list[1]
	}
	a.Routine = a.Routine.Under(c.o.Routine)
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if p.IsNumber() {
			a.SetInt(p.Slot, routine.Host)
		} else if c.o.Routine.Has(p.Slot) && p.Kind.IsPointer() {
			a.SetPtr(p.Slot, c.o.Ptr(p.Slot))
		}
	}
	for i, slot := range r.added {
		if arrays == nil {
			a.SetPtr(slot, c.o.Ptr(routine.RealWork))
		} else {
			a.SetPtr(slot, uint64(arrays[i]))
		}
	}
	if c.Jacobi != nil {
		c.Jacobi.set(a)
	}
	return a
}
