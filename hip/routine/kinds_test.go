package routine

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func lookup(t *testing.T, cName string) *Routine {
	t.Helper()
	r, ok := Lookup(cName)
	if !ok {
		t.Fatalf("no routine %s", cName)
	}
	return r
}

func TestKinds(t *testing.T) {
	for kind := Int32; kind <= Object; kind++ {
		isEnum := len(ConstantsOf(kind)) > 0
		isPointer := slices.Contains([]Kind{Scalar, Array, ArrayOfArrays, Output, Object}, kind)
		isInteger := !isEnum && !isPointer && kind != Real
		if kind.IsEnum() != isEnum || kind.IsPointer() != isPointer || kind.IsInteger() != isInteger {
			t.Errorf("kind %d: enumeration %v, pointer %v, integer %v, want %v, %v, %v", kind, kind.IsEnum(),
				kind.IsPointer(), kind.IsInteger(), isEnum, isPointer, isInteger)
		}
	}
	for access, want := range map[Access][2]bool{None: {}, In: {true, false}, Out: {false, true}, InOut: {true, true}} {
		if have := [2]bool{access.Reads(), access.Writes()}; have != want {
			t.Errorf("access %d: reads and writes %v, want %v", access, have, want)
		}
	}
}

// TestConst checks that C types of arrays that are only read start with const.
func TestConst(t *testing.T) {
	for param, want := range map[string]string{"A": "const double*", "C": "double*", "alpha": "const double*",
		"m": "rocblas_int"} {
		r := lookup(t, "rocblas_dgemm")
		p, ok := r.Param(param)
		if have := r.CType(p); !ok || have != want {
			t.Errorf("%s is a %q, want %q", param, have, want)
		}
	}
	r := lookup(t, "rocblas_dgemm_batched")
	p, _ := r.Param("C")
	if have, want := r.CType(p), "double* const*"; have != want {
		t.Errorf("C of a batch is a %q, want %q", have, want)
	}
}

func TestCheckRange(t *testing.T) {
	for _, test := range []struct {
		routine, param string
		value          int64
		want           string // in the error
	}{
		{"rocblas_dgemm", "m", math.MaxInt32, ""}, {"rocblas_dgemm", "m", math.MinInt32, ""},
		{"rocblas_dgemm", "m", math.MaxInt32 + 1, "2147483648 does not fit the rocblas_int of rocblas_dgemm " +
			"(-2147483648 to 2147483647); rocblas.dgemm_64 takes 64-bit sizes"},
		{"rocblas_dgemm", "m", math.MinInt32 - 1, "does not fit"},
		{"rocblas_dgemm_64", "m", math.MaxInt64, ""}, {"rocblas_dgemm_64", "m", math.MinInt64, ""},
		{"rocsolver_dgetrf", "m", math.MaxInt32 + 1, "(-2147483648 to 2147483647)"},
		{"rocblas_gemm_ex", "flags", 0, ""}, {"rocblas_gemm_ex", "flags", math.MaxUint32, ""},
		{"rocblas_gemm_ex", "flags", -1, "-1 is negative, and uint32_t is unsigned"},
		{"rocblas_gemm_ex", "flags", math.MaxUint32 + 1, "does not fit the uint32_t"},
		{"rocblas_gemm_ex", "solution_index", math.MaxInt32 + 1, "does not fit the int32_t"},
	} {
		r := lookup(t, test.routine)
		p, ok := r.Param(test.param)
		if !ok {
			t.Fatalf("%s has no parameter %s", test.routine, test.param)
		}
		err := r.CheckRange(p, test.value)
		if err == nil != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s = %d: %v, want %q", test.param, test.routine, test.value, err, test.want)
		}
	}
	if err := lookup(t, "rocblas_dgemm").CheckRange(&Param{Name: "n", Kind: Size}, -1); err == nil {
		t.Error("a size can be negative")
	}
}

func TestEnumerationValues(t *testing.T) {
	for k := Operation; k.IsEnum(); k++ {
		if EnumName(k) == "" || len(Legal(k)) == 0 {
			t.Errorf("enumeration kind %d has no row in the table of enumerations", k)
		}
	}
	if have, want := Legal(Fill), []int64{FillUpper, FillLower}; !slices.Equal(have, want) {
		t.Errorf("legal fills %v, want %v", have, want)
	}
	for _, c := range Constants {
		if slices.Contains(Legal(c.Enum), c.Value) == c.Reserved {
			t.Errorf("%s: legal and reserved %v", c.Name, c.Reserved)
		}
	}
	for datatype, want := range map[int64]bool{DatatypeF64: false, DatatypeF64C: true, DatatypeBF16C: true,
		DatatypeF16: false, DatatypeI32: false} {
		if IsComplexDatatype(datatype) != want {
			t.Errorf("datatype %d is complex: %v", datatype, !want)
		}
	}
}

// TestScalars checks which scalar leaves an array unread, which routines are mixed, and the defaults of the scalars.
func TestScalars(t *testing.T) {
	r := lookup(t, "rocblas_dgemm")
	for name, want := range map[string]Slot{"A": Alpha, "B": Alpha, "C": Beta} {
		p, _ := r.Param(name)
		if have := p.ReadFactor(r); have != want {
			t.Errorf("factor of %s: slot %d, want %d", name, have, want)
		}
	}
	trmv := lookup(t, "rocblas_dtrmv")
	x, _ := trmv.Param("x")
	if have := x.ReadFactor(trmv); have != Alpha {
		t.Errorf("factor of x: slot %d, want that of alpha, which the routine does not have", have)
	}
	if r.Family.Mixed() || !lookup(t, "rocblas_gemm_ex").Family.Mixed() {
		t.Error("only gemm_ex is mixed")
	}
	a := r.New()
	for slot, want := range map[Slot]complex128{Alpha: 1, Beta: 0} {
		p, _ := r.ParamAt(slot)
		d, ok := r.Default(p)
		if !ok {
			t.Fatalf("%s has no default", p.Name)
		}
		if d.Set(a); a.Scalar(slot) != want {
			t.Errorf("default of %s: %v, want %v", p.Name, a.Scalar(slot), want)
		}
	}
}

// TestSmallest checks defaults that depend on the side and on increments.
func TestSmallest(t *testing.T) {
	for _, test := range []struct {
		routine, param string
		values         map[Slot]int64
		want           int64
	}{
		{"rocblas_dtrsm", "lda", map[Slot]int64{Side: SideLeft, M: 7, N: 5}, 7},
		{"rocblas_dtrsm", "lda", map[Slot]int64{Side: SideRight, M: 7, N: 5}, 5},
		{"rocblas_dasum_strided_batched", "stridex", map[Slot]int64{N: 7, IncX: 2}, 14},
		{"rocblas_dasum_strided_batched", "stridex", map[Slot]int64{N: 7, IncX: -2}, 14},
		{"rocblas_dasum_strided_batched", "stridex", map[Slot]int64{N: 7, IncX: 0}, 0},
		{"rocblas_dgemm", "lda", map[Slot]int64{TransA: OperationNone, M: 0, K: 3}, 1},
		{"rocblas_dgbmv", "lda", map[Slot]int64{M: 50, N: 50, KL: 5, KU: 3}, 9},
	} {
		a := arguments(t, test.routine, test.values)
		p, ok := a.Routine.Param(test.param)
		if !ok {
			t.Fatalf("%s has no parameter %s", test.routine, test.param)
		}
		if have := Smallest(a, p); have != test.want {
			t.Errorf("%s of %s %v: %d, want %d", test.param, test.routine, test.values, have, test.want)
		}
	}
}

func TestComplexTypes(t *testing.T) {
	for typ, want := range map[Type]bool{TypeS: false, TypeD: false, TypeC: true, TypeZ: true} {
		if typ.IsComplex() != want {
			t.Errorf("type %c is complex: %v", typ, !want)
		}
	}
}
