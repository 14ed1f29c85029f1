package lines

import (
	"slices"
	"strings"

	"roclua/hip/routine"
)

// This file lists irregular log lines of rocBLAS 4.4 to 5.2 and rocSOLVER 3.28 to 3.32.

// unprefixed are functions whose trace lines lack the prefix rocblas_, without _64.
var unprefixed = []string{
	"sscal_batched", "dscal_batched", "cscal_batched", "zscal_batched", "csscal_batched", "zdscal_batched",
	"nrm2_ex", "nrm2_batched_ex", "nrm2_strided_batched_ex",
}

// otherCommand replaces ./rocblas-bench in the commands of gemmt, whose 64-bit forms also lack --api 1.
const otherCommand = "ROCBLAS_API_BENCH"

// joinedOption follows the value of --api in the commands of rot, without a blank.
const joinedOption = "-f"

// undashed are options that some commands write without dashes.
var undashed = []string{"stride_x", "batch_count"}

// shortCommands are families whose commands always lack an integer.
var shortCommands = []routine.FamilyID{routine.Laswp, routine.Rotm}

// lacksPrefix reports whether the trace writes a name without the prefix of the library.
func lacksPrefix(name []byte) bool {
	return slices.Contains(unprefixed, strings.TrimSuffix(string(name), "_64"))
}

// cName returns the C name of a function that a trace line or a profile names: trsm_batched is logged as batched_trsm.
func cName(name string) string {
	if !strings.HasPrefix(name, "rocblas_") {
		return "rocblas_" + name
	}
	short, wide := name[len("rocblas_"):], ""
	for _, v := range []routine.Variant{routine.StridedBatched, routine.Batched} {
		rest, ok := strings.CutPrefix(short, v.Suffix()[1:]+"_")
		if !ok {
			continue
		}
		if trimmed, ok := strings.CutSuffix(rest, "_64"); ok {
			rest, wide = trimmed, "_64"
		}
		return "rocblas_" + rest + v.Suffix() + wide
	}
	return name
}

// ignored marks a value in a trace line that is not an argument, or repeats one.
const ignored = routine.SlotCount

// order is an argument order that differs from the C parameters.
type order struct {
	families []routine.FamilyID
	variant  routine.Variant
	slots    []routine.Slot
}

// orders lists trace lines with missing arguments, superfluous values or another order.
var orders = []order{
	{[]routine.FamilyID{routine.Her2, routine.Syr2}, routine.Batched, []routine.Slot{routine.Uplo, routine.N,
		routine.Alpha, ignored, routine.X, routine.IncX, routine.Y, routine.IncY, routine.A, routine.LDA}},
	{[]routine.FamilyID{routine.Hpr, routine.Spr}, routine.Batched, []routine.Slot{routine.Uplo, routine.N,
		routine.Alpha, ignored, routine.X, routine.IncX, routine.A}},
	{[]routine.FamilyID{routine.Hpr2, routine.Spr2}, routine.Batched, []routine.Slot{routine.Uplo, routine.N,
		routine.Alpha, ignored, routine.X, routine.IncX, routine.Y, routine.IncY, routine.A}},
	{[]routine.FamilyID{routine.Syr}, routine.Batched, []routine.Slot{routine.Uplo, routine.N, routine.Alpha,
		routine.X, routine.IncX, routine.A, routine.LDA}},
	{[]routine.FamilyID{routine.Syr}, routine.StridedBatched, []routine.Slot{routine.Uplo, routine.N, routine.Alpha,
		routine.X, routine.IncX, routine.A, routine.LDA, routine.BatchCount}},
	{[]routine.FamilyID{routine.Hpr}, routine.StridedBatched, []routine.Slot{routine.Uplo, routine.N, routine.Alpha,
		routine.X, routine.IncX, routine.StrideX, routine.A, routine.BatchCount}},
	{[]routine.FamilyID{routine.Hpr2}, routine.StridedBatched, []routine.Slot{routine.Uplo, routine.N, routine.Alpha,
		routine.X, routine.IncX, routine.StrideX, routine.Y, routine.IncY, routine.StrideY, routine.A,
		routine.BatchCount}},
	{[]routine.FamilyID{routine.Tpmv}, routine.StridedBatched, []routine.Slot{routine.Uplo, routine.TransA,
		routine.Diag, routine.N, routine.A, routine.X, routine.IncX, routine.StrideA, ignored, routine.StrideX,
		routine.BatchCount}},
	{[]routine.FamilyID{routine.Trmv}, routine.StridedBatched, []routine.Slot{routine.Uplo, routine.TransA,
		routine.Diag, routine.N, routine.A, routine.LDA, routine.X, routine.IncX, routine.StrideA, ignored,
		routine.StrideX, routine.BatchCount}},
	{[]routine.FamilyID{routine.Rotm}, routine.StridedBatched, []routine.Slot{routine.N, routine.X, routine.IncX,
		routine.StrideX, routine.Y, routine.IncY, routine.StrideY, routine.RotationParam, routine.BatchCount}},
	{[]routine.FamilyID{routine.Nrm2Ex}, routine.Batched, []routine.Slot{routine.N, routine.X, routine.XType,
		routine.IncX, routine.ResultType, routine.BatchCount, routine.ExecutionType}},
	{[]routine.FamilyID{routine.Nrm2Ex}, routine.StridedBatched, []routine.Slot{routine.N, routine.X, routine.XType,
		routine.IncX, routine.StrideX, routine.ResultType, routine.BatchCount, routine.ExecutionType}},
}

// writtenTwice is the first of the two trace lines of her_batched, which lacks the batch count.
var writtenTwice = order{[]routine.FamilyID{routine.Her}, routine.Batched, []routine.Slot{routine.Uplo, routine.N,
	routine.Alpha, ignored, routine.X, routine.IncX, routine.A, routine.LDA}}

func (o *order) matches(r *routine.Routine) bool {
	return r.Variant == o.variant && slices.Contains(o.families, r.Family.ID)
}

// traceOrder returns the slots of a routine's trace line, which omits the results of reductions.
func traceOrder(r *routine.Routine) []routine.Slot {
	for i := range orders {
		if orders[i].matches(r) {
			return orders[i].slots
		}
	}
	var list []routine.Slot
	for i := range r.Params {
		if r.Params[i].Kind != routine.Output {
			list = append(list, r.Params[i].Slot)
		}
	}
	return list
}
