package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var level3ExRules = map[routine.FamilyID]rule{
	routine.TrsmEx:  trsmEx,
	routine.GemmEx:  tunedProduct,
	routine.SyrkEx:  syrkEx,
	routine.GemmEx3: eightBitProduct,
}

// trsmEx is trsm without the memory for inverted blocks that the caller supplies (rocblas_trsm_ex.cpp).
func trsmEx(t *Target, a *routine.Args) (d Demand) {
	s := mixedTriangularOf(a)
	d.solve(t, s)
	d.ShortInverse = d.Optimal.Len() > 1 && s.inverts() && !a.Null(routine.InvA)
	return d
}

func mixedTriangularOf(a *routine.Args) triangular {
	compute := a.Int(routine.ComputeType)
	element, _ := routine.SizeofDatatype(compute)
	return triangular{
		left: a.Int(routine.Side) == routine.SideLeft, none: a.Int(routine.TransA) == routine.OperationNone,
		m: a.Int(routine.M), n: a.Int(routine.N), element: element, real: !routine.IsComplexDatatype(compute),
		batch: a.Batch(), pointers: a.Routine.Variant == routine.Batched, supplied: a.Int(routine.InvASize),
	}
}

// eightBitProduct is gemm_ex3.
func eightBitProduct(*Target, *routine.Args) Demand { return Demand{Unknown: convertsFactors} }

// convertsFactors is why the kernel of gemm_ex3 is not known.
const convertsFactors = "the kernels of gemm_ex3 come from the tuning files of the library, and some calls convert " +
	"their factors, also in a size query, which that ends"

// syrkEx is a copy of the triangle that must not change. A query reports 8 bytes for each element, whatever its type.
// An executed call allocates elements of the type of C, or nothing if it computes in 64 bits.
func syrkEx(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	elements := n * (n - 1) / 2 // positive also for a negative n
	d.Optimal.add(buffer.TriangleCopy, product(elements, 8))
	d.Executed = Executed{Differs: true}
	if a.Int(routine.ExecutionType) == routine.DatatypeF32 {
		element, _ := routine.SizeofDatatype(a.Int(routine.CType))
		d.Executed.Buffer = Buffer{buffer.TriangleCopy, product(elements, element).n}
	}
	return d
}
