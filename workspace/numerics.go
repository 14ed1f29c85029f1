package workspace

import (
	"errors"
	"fmt"
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// The bits of ROCBLAS_CHECK_NUMERICS. Any other bit checks too, and neither prints nor fails.
const (
	printChecks    = 1 << 0 // print the result of each check
	printUnusual   = 1 << 1 // print the result of a check that finds a NaN, an infinity or a denormal number
	failUnusual    = 1 << 2 // return check_numerics_fail for such a result
	denormalsUsual = 1 << 3 // denormal numbers are not unusual
)

func (c *call) checkBefore() error {
	if c.checks.Before == nil { // in most calls
		return nil
	}
	return c.checkNumbers(c.checks.Before, "before")
}

func (c *call) checkAfter() error {
	if c.checks.After == nil {
		return nil
	}
	return c.checkNumbers(c.checks.After, "after")
}

// checksResult reports whether the call checks its result: a call that returns perf_degraded does not, except a batched
// trsm of some releases.
func (c *call) checksResult() bool {
	if c.out.Status != status.PerfDegraded {
		return c.out.Status == status.Success
	}
	return c.profile.Modelled() && !c.profile.Release.DegradedUnchecked && c.checks.Degraded
}

// checkFactors checks the factors of a product, which both are A, and the memory for its result. In an invalidated
// capture the kernel that fills that memory has failed before.
func (c *call) checkFactors() error {
	if c.stream.CaptureStatus() == driver.CaptureInvalidated {
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
func (c *call) checkProducts() error {
	count, arrays := c.steps.Products, 4
	if c.stream.CaptureStatus() == driver.CaptureInvalidated {
		if !c.profile.Release.RepeatedErrorsIgnored {
			return nil
		}
		arrays = 3
		if !c.repeated {
			count -= c.steps.First
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
	if p != nil && !behavior.Searched(c.args, p) {
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
	e.Sized, e.Required, e.Available = true, behavior.Granule, c.size-c.inUse
	if c.owner == Managed {
		e.Available = c.dev.FreeBytes()
	}
	return e
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
