package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Arguments that the routine does not have as parameters, in lists of slots.
const (
	zero        = routine.SlotCount + iota // 0, or the operation none
	elementType                            // CUDA's number of the routine's element type
)

// values returns arguments of a call as the libraries receive them; 0 for an argument that the routine does not have.
func values(a *routine.Args, slots ...routine.Slot) []int64 {
	return appendValues(nil, a, slots)
}

func appendValues(list []int64, a *routine.Args, slots []routine.Slot) []int64 {
	for _, s := range slots {
		list = append(list, value(a, s))
	}
	return list
}

func value(a *routine.Args, s routine.Slot) int64 {
	switch s {
	case zero:
		return 0
	case elementType:
		return cudaTypes[a.Routine.Type.Datatype()]
	}
	p, ok := a.Routine.ParamAt(s)
	switch {
	case !ok:
		return 0
	case p.Kind.IsEnum():
		return enumeration(p.Kind, a.Int(s))
	case p.Role == routine.LeadingDimension:
		return max(1, a.Int(s))
	}
	return a.Int(s)
}

// enumeration translates a constant of rocBLAS to the constant of cuBLAS or cuSOLVER.
func enumeration(kind routine.Kind, v int64) int64 {
	switch kind {
	case routine.Operation:
		return v - routine.OperationNone
	case routine.Fill:
		switch v {
		case routine.FillUpper:
			return 1
		case routine.FillFull:
			return 2
		}
		return 0
	case routine.Diagonal:
		return v - routine.DiagonalNonUnit
	case routine.SideKind:
		return v - routine.SideLeft
	case routine.Storage:
		return v - routine.StorevColumns
	case routine.Datatype:
		return cudaTypes[v]
	case routine.EigenvectorJob:
		if v == routine.EvectNone {
			return 0
		}
		return 1
	case routine.ProblemForm:
		return v - routine.EformAx + 1
	case routine.EigenvalueRange:
		return eigenRanges[v]
	case routine.SingularVectorJob:
		return singularJobs[v]
	}
	return v
}

// cudaTypes are the numbers of cudaDataType.
var cudaTypes = map[int64]int64{
	routine.DatatypeF16: 2, routine.DatatypeBF16: 14, routine.DatatypeF32: 0, routine.DatatypeF64: 1,
	routine.DatatypeF32C: 4, routine.DatatypeF64C: 5, routine.DatatypeI8: 3, routine.DatatypeI32: 10,
}

// eigenRanges are cuSOLVER's numbers of ranges of eigenvalues.
var eigenRanges = map[int64]int64{
	routine.ErangeAll: 1001, routine.ErangeIndex: 1002, routine.ErangeValue: 1003,
}

// singularJobs are cuSOLVER's letters for the singular vectors that are computed.
var singularJobs = map[int64]int64{
	routine.SvectAll: 'A', routine.SvectSingular: 'S', routine.SvectOverwrite: 'O', routine.SvectNone: 'N',
}

// adjointOf returns cuBLAS's operation of the conjugate transpose.
func adjointOf(t routine.Type) int64 {
	if t.IsComplex() {
		return 2
	}
	return 1
}

// wide returns the end of the name of cuBLAS's function for a routine.
func wide(a *routine.Args) string {
	if a.Routine.Wide {
		return "_64"
	}
	return ""
}

// element returns the bytes of one element of an array; 0 if the routine does not have the array.
func element(a *routine.Args, s routine.Slot) uint64 {
	p, ok := a.Routine.ParamAt(s)
	if !ok {
		return 0
	}
	return uint64(a.ElementBytes(p))
}

// matrix is a column-major matrix in device memory. Its address is 0 in size queries.
type matrix struct{ at, ld int64 }

// from returns the part of the matrix that begins at a row and a column.
func (m matrix) from(t routine.Type, row, column int64) matrix {
	if m.at == 0 {
		return m
	}
	return matrix{m.at + (row+column*m.ld)*t.Size(), m.ld}
}

// matrixAt returns an argument of a call.
func matrixAt(a *routine.Args, s routine.Slot) matrix {
	ld, _ := a.Routine.Companion(s, routine.LeadingDimension)
	return matrix{a.Int(s), max(1, a.Int(ld.Slot))}
}

// noNeeds is for calls without workspace.
func noNeeds(*gpu, *routine.Args) driver.Needs { return driver.Needs{} }
