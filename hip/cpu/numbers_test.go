package cpu

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// TestSearchNumbers checks the kinds of numbers in every datatype. The smallest normal numbers of f16, f32 and bf16,
// and f64 are 2^-14, 2^-126 and 2^-1022.
func TestSearchNumbers(t *testing.T) {
	const f16, bf16, f32, f64 = routine.DatatypeF16, routine.DatatypeBF16, routine.DatatypeF32, routine.DatatypeF64
	nan, inf := math.NaN(), math.Inf(-1)
	denormal := driver.Numbers{Denormal: true}
	for _, test := range []struct {
		cName    string
		datatype int64
		value    complex128
		want     driver.Numbers
	}{
		{"rocblas_hdot", f16, 0x1p-14, driver.Numbers{}}, {"rocblas_hdot", f16, 0x1p-15, denormal},
		{"rocblas_bfdot", bf16, 0x1p-126, driver.Numbers{}}, {"rocblas_bfdot", bf16, 0x1p-127, denormal},
		{"rocblas_sdot", f32, -0x1p-126, driver.Numbers{}}, {"rocblas_sdot", f32, -0x1p-127, denormal},
		{"rocblas_ddot", f64, 0x1p-1022, driver.Numbers{}}, {"rocblas_ddot", f64, 0x1p-1023, denormal},
		{"rocblas_ddot", f64, complex(nan, 0), driver.Numbers{NaN: true}},
		{"rocblas_ddot", f64, complex(inf, 0), driver.Numbers{Inf: true}},
		{"rocblas_zdotu", routine.DatatypeF64C, complex(1, nan), driver.Numbers{NaN: true}},
		{"rocblas_zdotu", routine.DatatypeF64C, complex(inf, 1), driver.Numbers{Inf: true}},
		{"rocblas_cdotu", routine.DatatypeF32C, complex(0, 0x1p-130), denormal},
		{"rocblas_cdotu", routine.DatatypeF32C, 0, driver.Numbers{Zero: true}},
	} {
		b := open(t, driver.Config{})
		l := b.launch(test.cName, map[routine.Slot]int64{routine.N: 2, routine.IncX: -2})
		x, _ := l.Args.Routine.ParamAt(routine.X)
		bytes := int(l.Args.ElementBytes(x))
		data := make([]byte, 3*bytes) // an element between the two does not count
		number.Store(test.datatype, data, 1)
		number.Store(test.datatype, data[bytes:], complex(nan, nan))
		number.Store(test.datatype, data[2*bytes:], test.value)
		l.Args.SetPtr(routine.X, uint64(b.malloc(uint64(len(data)))))
		b.write(driver.Ptr(l.Args.Ptr(routine.X)), data)
		if have := b.search(l.Args, x); have != test.want {
			t.Errorf("%s, %v: %s, want %s", test.cName, test.value, have, test.want)
		}
	}
}

// search returns the kinds of numbers that an array has.
func (b *bench) search(a *routine.Args, array *routine.Param) driver.Numbers {
	b.Helper()
	found := b.malloc(driver.NumbersBytes)
	b.write(found, make([]byte, driver.NumbersBytes))
	b.ok(b.dev.SearchNumbers(b.dev.null, a, array, found))
	return driver.NumbersOf(b.read(found, driver.NumbersBytes))
}

// TestSearchNumbersOfABatch checks that the problems of a batch are searched, by their pointers.
func TestSearchNumbersOfABatch(t *testing.T) {
	b := open(t, driver.Config{})
	l := b.launch("rocblas_dscal_batched", map[routine.Slot]int64{routine.N: 1, routine.IncX: 1,
		routine.BatchCount: 2})
	var list []byte
	for _, v := range []float64{1, math.Inf(1)} {
		p := b.malloc(8)
		b.write(p, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		list = binary.LittleEndian.AppendUint64(list, uint64(p))
	}
	pointers := b.malloc(16)
	b.write(pointers, list)
	l.Args.SetPtr(routine.X, uint64(pointers))
	x, _ := l.Args.Routine.ParamAt(routine.X)
	if have := b.search(l.Args, x); have != (driver.Numbers{Inf: true}) {
		t.Errorf("found %s", have)
	}
}

// TestSearchNumbersOutside checks that a search of memory that is not allocated is a fault of the device.
func TestSearchNumbersOutside(t *testing.T) {
	b := open(t, driver.Config{})
	l := b.asum(b.malloc(8), 2)
	x, _ := l.Args.Routine.ParamAt(routine.X)
	b.ok(b.dev.SearchNumbers(b.dev.null, l.Args, x, b.malloc(driver.NumbersBytes)))
	b.code(b.dev.null.Synchronize(), driver.ErrorIllegalAddress)
	b.code(b.dev.SearchNumbers(nil, l.Args, x, 0), driver.ErrorInvalidHandle)
}

// TestNumbersText checks the texts of kinds of numbers.
func TestNumbersText(t *testing.T) {
	all := driver.Numbers{NaN: true, Zero: true, Inf: true, Denormal: true}
	have := []string{driver.Numbers{}.String(), all.String()}
	if want := []string{"nothing", "NaN, zero, infinity, denormal number"}; !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}
