package workspace

import (
	"errors"
	"fmt"
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// The bits of ROCBLAS_CHECK_NUMERICS. Any other bit checks too, and neither prints nor fails.
const (
	printChecks    = 1 << 0 // print the result of each check
	printUnusual   = 1 << 1 // print the result of a check that finds a NaN, an infinity or a denormal number
	failUnusual    = 1 << 2 // return check_numerics_fail for such a result
	denormalsUsual = 1 << 3 // denormal numbers are not unusual
)

// numberChecks are the arrays of a family that the library checks before and after it computes, in its order.
type numberChecks struct {
	before, after []routine.Slot
}

// numberChecksOf returns the checks of a family. The library checks neither matrices in band or packed storage nor
// arrays of rocSOLVER.
func numberChecksOf(id routine.FamilyID) numberChecks {
	const a, b, c, d, x, y, invA = routine.A, routine.B, routine.C, routine.D, routine.X, routine.Y, routine.InvA
	list := func(slots ...routine.Slot) []routine.Slot { return slots }
	switch id {
	case routine.Asum, routine.Nrm2, routine.Iamax, routine.Iamin:
		return numberChecks{before: list(x)}
	case routine.Nrm2Ex, routine.Scal, routine.RealScal, routine.ScalEx, routine.Tbmv, routine.Tpmv, routine.Tbsv,
		routine.Tpsv, routine.Spr, routine.Hpr:
		return numberChecks{before: list(x), after: list(x)}
	case routine.Dot, routine.Dotu, routine.Dotc, routine.DotEx, routine.DotcEx, routine.Copy, routine.Swap,
		routine.Rot, routine.RealRot, routine.RotEx, routine.Rotm, routine.Sbmv, routine.Hbmv, routine.Spmv,
		routine.Hpmv, routine.Spr2, routine.Hpr2:
		return numberChecks{before: list(x, y), after: list(x, y)}
	case routine.Axpy, routine.AxpyEx:
		return numberChecks{before: list(x, y), after: list(y)}
	case routine.Rotg:
		return numberChecks{before: list(a, b, c, d), after: list(a, b, c, d)}
	case routine.Rotmg:
		return numberChecks{before: list(a, b, x, y), after: list(a, b, x, y)}
	case routine.Trmv, routine.Trsv:
		return numberChecks{before: list(a, x), after: list(x)}
	case routine.Gemv, routine.HalfGemv, routine.HalfSingleGemv, routine.Hemv:
		return numberChecks{before: list(a, x, y), after: list(y)}
	case routine.Symv:
		return numberChecks{before: list(a, x, y), after: list(a, x, y)}
	case routine.Gbmv:
		return numberChecks{before: list(x), after: list(y)}
	case routine.Syr, routine.Her:
		return numberChecks{before: list(a, x), after: list(a)}
	case routine.Ger, routine.Geru, routine.Gerc, routine.Syr2, routine.Her2:
		return numberChecks{before: list(a, x, y), after: list(a)}
	case routine.Trtri:
		return numberChecks{before: list(a), after: list(invA)}
	case routine.Trsm, routine.TrsmEx:
		return numberChecks{before: list(a, b), after: list(b)}
	case routine.Syrk, routine.SyrkEx, routine.Herk:
		return numberChecks{before: list(a, c), after: list(c)}
	case routine.Trmm:
		return numberChecks{before: list(a, b), after: list(c)}
	case routine.Symm, routine.Hemm, routine.Syr2k, routine.Her2k, routine.Syrkx, routine.Herkx, routine.Gemm,
		routine.Gemmt:
		return numberChecks{before: list(a, b, c), after: list(c)}
	case routine.GemmEx, routine.GemmEx3:
		return numberChecks{before: list(a, b, c), after: list(d)}
	case routine.Dgmm:
		return numberChecks{before: list(a, x, c), after: list(c)}
	case routine.Geam:
		return numberChecks{before: list(a, b), after: list(c)}
	case routine.GeamEx:
		return numberChecks{before: list(a, b, c, d), after: list(a, b, c, d)}
	}
	return numberChecks{}
}

// numberChecks returns the checks of the call, if ROCBLAS_CHECK_NUMERICS requests any.
func (c *call) numberChecks() numberChecks {
	a := c.args
	id := a.Routine.Family.ID
	switch {
	case (id == routine.Rotg || id == routine.Rotmg) && !c.OnDevice(), // it checks host memory
		id == routine.Trmm && !c.OnDevice() && a.Scalar(routine.Alpha) == 0, // it only clears C
		id == routine.GemmEx && a.Int(routine.AType) == routine.DatatypeI8:
		return numberChecks{}
	}
	return numberChecksOf(id)
}

// checksAfterErrors reports whether a call that failed checks its result too: herk of a batch ignores the status.
func (c *call) checksAfterErrors() bool {
	return c.args.Routine.Family.ID == routine.Herk && c.args.Routine.Variant != routine.Plain
}

func (c *call) checkBefore() error {
	if c.checks.before == nil { // in most calls
		return nil
	}
	return c.checkNumbers(c.checks.before, "before")
}

func (c *call) checkAfter() error {
	if c.checks.after == nil {
		return nil
	}
	return c.checkNumbers(c.checks.after, "after")
}

// checksResult reports whether the call checks its result: a call that returns perf_degraded does not, except a batched
// trsm of some releases.
func (c *call) checksResult() bool {
	if c.out.Status != status.PerfDegraded {
		return c.out.Status == status.Success
	}
	r := c.args.Routine
	return c.profile.Modelled() && !c.profile.Release.DegradedUnchecked && r.Variant == routine.Batched &&
		(r.Family.ID == routine.Trsm || r.Family.ID == routine.TrsmEx)
}

// usesProduct reports whether the call calls a product whose arrays are checked too: syrk_ex of 16-bit matrices
// computes in the workspace by gemm_ex.
func (c *call) usesProduct() bool {
	a := c.args
	return c.checks.before != nil && a.Routine.Family.ID == routine.SyrkEx &&
		(a.Int(routine.AType) == routine.DatatypeF16 || a.Int(routine.AType) == routine.DatatypeBF16)
}

// checkFactors checks the factors of the product, which both are A, and the memory for its result. In an invalidated
// capture the kernel that fills that memory has failed before.
func (c *call) checkFactors() error {
	if !c.usesProduct() || c.stream.CaptureStatus() == driver.CaptureInvalidated {
		return nil
	}
	if err := c.checkNumbers([]routine.Slot{routine.A, routine.A}, "before"); err != nil {
		return err
	}
	return c.checkProduct()
}

// checkProduct checks the result of the product. Devices do not compute in its memory, so that it finds nothing.
func (c *call) checkProduct() error {
	_, err := c.searchNumbers(nil)
	return err
}

// checkProducts checks the arrays of products that a solve makes: two factors and the result, and after the product the
// result. A product without memory for its checks makes no others, and its status is ignored. In an invalidated capture
// the product fails, unless a kernel of the solve has failed and ended the solve: rocm-6.4 ends only the solve whose
// kernel is the first one that fails.
func (c *call) checkProducts(w sizing.Waits) error {
	count, arrays := w.Products, 4
	if c.stream.CaptureStatus() == driver.CaptureInvalidated {
		if !c.profile.Release.RepeatedErrorsIgnored {
			return nil
		}
		arrays = 3
		if !c.repeated {
			count -= w.First
		}
	}
	for range count {
		for range arrays {
			err := c.checkProduct()
			if refused := (*Error)(nil); errors.As(err, &refused) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	if count > 0 && arrays == 3 {
		c.runsOn().Execute(c.stream, &c.launch) // the kernel of the last product, whose error is the last one
	}
	return nil
}

// checkNumbers checks arrays as ROCBLAS_CHECK_NUMERICS requests. Each check takes workspace and waits for the stream.
func (c *call) checkNumbers(list []routine.Slot, when string) error {
	function := c.args.Routine.CName()
	for _, s := range list {
		p, _ := c.args.Routine.ParamAt(s)
		if s == routine.InvA { // only its triangle is checked
			triangle := *p
			triangle.Layout = routine.Upper
			p = &triangle
		}
		found, err := c.searchNumbers(p)
		if err != nil {
			return err
		}
		unusual := found.NaN || found.Inf || found.Denormal && c.numerics&denormalsUsual == 0
		text := fmt.Sprintf("%s %s the call has %s", p.Name, when, found)
		if c.numerics&printChecks != 0 || unusual && c.numerics&printUnusual != 0 {
			c.out.Printed += fmt.Sprintf("%s: check_numerics: %s\n", function, text)
		}
		if unusual && c.numerics&failUnusual != 0 {
			return c.refusal(function, status.CheckNumericsFail, text)
		}
	}
	return nil
}

// searchNumbers searches an array, or nothing if it is nil. It finds nothing in an empty array, and while the handle's
// stream is captured.
func (c *call) searchNumbers(p *routine.Param) (found driver.Numbers, err error) {
	defer c.setCause("check_numerics")()
	if c.stream != c.runsOn().NullStream() && c.dev.Capturing() {
		if captured, err := c.stream.IsCapturing(); err == nil && captured != driver.CaptureNone {
			return found, nil
		}
	}
	if p != nil && !c.searches(p) {
		return found, nil
	}
	var memory Allocation
	enough, err := c.allocateBuffers(&memory, []uint64{driver.NumbersBytes}, byBuffers)
	if abort, ok := err.(*Abort); ok {
		abort.Func = c.args.Routine.CName()
	}
	if err != nil {
		return found, err
	}
	if !enough {
		return found, c.checkShortage(p)
	}
	result := make([]byte, driver.NumbersBytes)
	at := memory.spans[0].Ptr
	if err = c.dev.WriteAsync(at, result, c.stream); err == nil && p != nil {
		err = c.runsOn().SearchNumbers(c.stream, c.args, p, at)
	}
	if err == nil {
		err = c.dev.ReadAsync(result, at, c.stream)
	}
	if err == nil {
		err = c.stream.Synchronize()
	}
	if released := memory.Release(); err == nil {
		err = released
	}
	if err != nil { // the copy may not have ended
		return found, err
	}
	return driver.NumbersOf(result), nil
}

// checkShortage explains that there is too little memory for a check.
func (c *call) checkShortage(p *routine.Param) error {
	name := "the product"
	if p != nil {
		name = p.Name
	}
	e := c.refusal(c.args.Routine.CName(), status.MemoryError,
		"size queries do not report the memory for the check of "+name+" by "+EnvCheckNumerics)
	e.Sized, e.Required, e.Available = true, sizing.Granule, c.size-c.inUse
	if c.owner == Managed {
		e.Available = c.dev.FreeBytes()
	}
	return e
}

// searches reports whether an array is searched: it has elements. Some routines compute its length with 32 bits.
func (c *call) searches(p *routine.Param) bool {
	rows, cols := p.Rows.Of(c.args), int64(1)
	if !p.Cols.IsZero() {
		cols = p.Cols.Of(c.args)
	}
	switch c.args.Routine.Family.ID {
	case routine.Gemv, routine.HalfGemv, routine.HalfSingleGemv, routine.Dgmm:
		if p.Layout == routine.Vector {
			rows = int64(int32(rows))
		}
	case routine.Symm, routine.Hemm, routine.Trmm, routine.Trsm:
		if p.Layout == routine.Upper {
			rows = int64(uint32(rows))
		}
	}
	return rows > 0 && cols > 0 && c.args.Batch() > 0 && !c.args.Null(p.Slot)
}

// numericsMode returns the value of ROCBLAS_CHECK_NUMERICS. The library keeps its low 32 bits. Unlike the
// other variables it is read as a signed number: beyond 63 bits it is the largest or the smallest one.
func numericsMode(getenv lookup) int32 {
	text, _ := getenv(EnvCheckNumerics)
	negative, text := sign(text)
	value, _ := magnitude(text)
	if negative {
		return int32(-min(value, 1<<63))
	}
	return int32(min(value, math.MaxInt64))
}
