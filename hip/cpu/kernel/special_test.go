package kernel_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/number"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

// TestWideForms computes a call of each form with 64-bit sizes.
func TestWideForms(t *testing.T) {
	seed := randomtest.Seed(t)
	for i, rt := range routine.All() {
		if !rt.Wide || !kernel.Has(rt) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := randomcall.New(t, rt, r, randomcall.Largest, false, randomcall.BySizeRules(release.Default()))
		compute(t, nil)(rt.CName(), c)
	}
}

// TestResultInPlace computes sums and scaled matrices where the result is one of the operands.
func TestResultInPlace(t *testing.T) {
	for _, test := range []struct {
		family  routine.FamilyID
		operand routine.Slot
	}{{routine.Geam, routine.A}, {routine.Geam, routine.B}, {routine.Dgmm, routine.A}} {
		given := values{routine.TransA: routine.OperationNone, routine.TransB: routine.OperationNone}
		ofEach(t, test.family, given, nil, func(name string, c *randomcall.Call) {
			if c.Args.Routine.Variant != routine.Plain {
				return
			}
			c.Replace(test.operand, routine.C)
			compute(t, given)(name, c)
		})
	}
}

// TestZeroIncrements computes with vectors whose elements are all the same number.
func TestZeroIncrements(t *testing.T) {
	for _, family := range []routine.FamilyID{routine.Axpy, routine.AxpyEx, routine.Copy, routine.Dot, routine.Dgmm} {
		ofEach(t, family, nil, nil, func(name string, c *randomcall.Call) {
			c.Args.SetInt(routine.IncX, 0)
			compute(t, values{routine.IncX: 0})(name, c)
		})
	}
}

// TestTallHalfMatrices sums columns in the workspace.
func TestTallHalfMatrices(t *testing.T) {
	given := values{routine.M: 4097, routine.N: 2, routine.TransA: routine.OperationTranspose, routine.BatchCount: 2}
	ofEach(t, routine.HalfGemv, given, nil, compute(t, given))
	ofEach(t, routine.HalfSingleGemv, given, nil, compute(t, given))
}

// TestScalingByZero keeps a NaN, which scal reads whatever alpha is.
func TestScalingByZero(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dscal")
	c := newOf(t, r, values{routine.N: 1, routine.IncX: 1})
	c.Args.SetScalar(routine.Alpha, 0)
	c.Put(c.Param(routine.X), 0, 0, complex(math.NaN(), 0))
	if err := kernel.Run(c.Launch, c.Memory); err != nil {
		t.Fatal(err)
	}
	if data := c.Arrays[routine.X].Data(); bytes.Equal(data[:8], make([]byte, 8)) {
		t.Error("0 times NaN is 0")
	}
}

// TestUpdatesByZero leaves matrices as they are, also the imaginary parts of their diagonals.
func TestUpdatesByZero(t *testing.T) {
	for family, result := range map[routine.FamilyID]routine.Slot{
		routine.Gerc: routine.A, routine.Her: routine.A, routine.Hpr: routine.A, routine.Her2: routine.A,
		routine.Hpr2: routine.A, routine.Herk: routine.C, routine.Herkx: routine.C, routine.Her2k: routine.C,
	} {
		ofEach(t, family, nil, nil, func(name string, c *randomcall.Call) {
			c.Args.SetScalar(routine.Alpha, 0)
			if result == routine.C {
				c.Args.SetScalar(routine.Beta, 1)
			}
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(c.Arrays[result].Data(), c.Before[result]) {
				t.Errorf("%s with an alpha of 0 changes its result", name)
			}
		})
	}
}

// TestRotationInOnePlace stores the outputs of rotg in the order of its arguments. Two are the same.
func TestRotationInOnePlace(t *testing.T) {
	r, _ := routine.Lookup("rocblas_drotg")
	for range 20 {
		c := newOf(t, r, nil)
		c.Args.SetPtr(routine.C, c.Args.Ptr(routine.D))
		c.Put(c.Param(routine.A), 0, 0, 0)
		c.Put(c.Param(routine.B), 0, 0, 4)
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		if s := number.Load(routine.DatatypeF64, c.Arrays[routine.D].Data()); s != 1 {
			t.Fatalf("the sine is %v", s)
		}
	}
}

// TestFirstOfSeveralNaN finds the first NaN of a vector that has others in later blocks.
func TestFirstOfSeveralNaN(t *testing.T) {
	for _, name := range []string{"rocblas_idamax", "rocblas_idamin"} {
		r, _ := routine.Lookup(name)
		c := newOf(t, r, values{routine.N: 3000})
		c.Args.SetInt(routine.IncX, 1)
		for _, i := range []int64{5, 7, 1500, 2999} {
			c.Put(c.Param(routine.X), 0, i, complex(math.NaN(), 0))
		}
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		if have := c.Result(0); have != 6 {
			t.Errorf("%s is %v", name, have)
		}
	}
}

// TestInverseInPlace inverts one triangle of a matrix and leaves the other as it is.
func TestInverseInPlace(t *testing.T) {
	const n, size = 5, 8
	r, _ := routine.Lookup("rocblas_dtrtri")
	for _, uplo := range []int64{routine.FillUpper, routine.FillLower} {
		c := newOf(t, r, values{routine.N: n, routine.Uplo: uplo, routine.Diag: routine.DiagonalNonUnit})
		c.Args.SetPtr(routine.InvA, c.Args.Ptr(routine.A))
		ld := c.Args.Int(routine.LDA)
		c.Args.SetInt(routine.LDInvA, ld)
		if err := kernel.Run(c.Launch, c.Memory); err != nil {
			t.Fatal(err)
		}
		for j := range int64(n) {
			for i := range int64(n) {
				at := size * (i + j*ld)
				same := bytes.Equal(c.Arrays[routine.A].Data()[at:at+size], c.Before[routine.A][at:at+size])
				if other := i != j && (i < j) != (uplo == routine.FillUpper); same != other {
					t.Errorf("triangle %d: element (%d, %d) is as before: %t", uplo, i, j, same)
				}
			}
		}
	}
}

// TestTriangleThatStays adds nothing to C, which may then be null.
func TestTriangleThatStays(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dgemmt")
	c := newOf(t, r, nil)
	c.Args.SetScalar(routine.Alpha, 0)
	c.Args.SetScalar(routine.Beta, 1)
	c.Args.SetPtr(routine.C, 0)
	if err := kernel.Run(c.Launch, c.Memory); err != nil {
		t.Error(err)
	}
}

// TestNullScalarInDeviceMemory scales C by a product without elements, whose alpha may be null.
func TestNullScalarInDeviceMemory(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dgemm")
	c := newOf(t, r, values{routine.M: 3, routine.N: 3, routine.K: 3})
	c.Put(c.Param(routine.A), 0, 0, 2) // beta
	c.Args.SetPtr(routine.Beta, c.Args.Ptr(routine.A))
	c.Args.SetPtr(routine.Alpha, 0)
	c.Args.SetInt(routine.K, 0)
	c.Launch.OnDevice = true
	if err := kernel.Run(c.Launch, c.Memory); err != nil {
		t.Fatal(err)
	}
	load := func(raw []byte) complex128 { return number.Load(routine.DatatypeF64, raw) }
	if have, want := load(c.Arrays[routine.C].Data()), 2*load(c.Before[routine.C]); have != want {
		t.Errorf("the first element of C is %v, want %v", have, want)
	}
}

// TestSystemsWithoutSolution factorizes matrices of zeros: info says so, and the right-hand sides stay.
func TestSystemsWithoutSolution(t *testing.T) {
	for _, family := range []routine.FamilyID{routine.Gesv, routine.Posv} {
		ofEach(t, family, values{routine.N: 4, routine.BatchCount: 2}, nil, func(name string, c *randomcall.Call) {
			clear(c.Arrays[routine.A].Data())
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Fatal(err)
			}
			if info := c.Arrays[routine.Info].Data()[0]; info != 1 {
				t.Errorf("%s: info is %d", name, info)
			}
			if !bytes.Equal(c.Arrays[routine.B].Data(), c.Before[routine.B]) {
				t.Errorf("%s changes B", name)
			}
		})
	}
}

// TestCombinationsOfNothing has matrices A and B without elements: the result is beta C.
func TestCombinationsOfNothing(t *testing.T) {
	for _, operation := range []int64{routine.GeamMinPlus, routine.GeamPlusMin} {
		given := values{routine.K: 0, routine.GeamOperation: operation}
		ofEach(t, routine.GeamEx, given, nil, func(name string, c *randomcall.Call) {
			c.Args.SetScalar(routine.Beta, 2)
			compute(t, given)(name, c)
		})
	}
}
