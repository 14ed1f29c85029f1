package number_test

import (
	"math"
	"testing"

	"roclua/hip/number"
	"roclua/hip/routine"
)

func TestRoundTrip(t *testing.T) {
	tests := []struct {
		name       string
		datatype   int64
		give, want complex128
	}{
		{"f16 holds 11 bits", routine.DatatypeF16, 2049, 2048},
		{"f16 rounds to even", routine.DatatypeF16, 2051, 2052},
		{"f16 overflows", routine.DatatypeF16, 65520, complex(math.Inf(1), 0)},
		{"f16 has subnormals", routine.DatatypeF16, complex(math.Ldexp(1, -24), 0), complex(math.Ldexp(1, -24), 0)},
		{"f16 rounds once, up", routine.DatatypeF16, 2049 + 1e-9, 2050},
		{"f16 rounds once, down", routine.DatatypeF16, -2051 + 1e-9, -2050},
		{"f16 rounds a number below all floats", routine.DatatypeF16, 1e-300, 0},
		{"f16 rounds a number beyond all floats", routine.DatatypeF16, -1e300, complex(math.Inf(-1), 0)},
		{"bf16 holds 8 bits", routine.DatatypeBF16, 257, 256},
		{"bf16 rounds to even", routine.DatatypeBF16, 259, 260},
		{"bf16 rounds once, up", routine.DatatypeBF16, 257 + 1e-9, 258},
		{"bf16 rounds once, down", routine.DatatypeBF16, 259 - 1e-9, 258},
		{"bf16 rounds a number beyond all floats", routine.DatatypeBF16, 1e300, complex(math.Inf(1), 0)},
		{"bf16 reaches as far as f32", routine.DatatypeBF16, complex(math.Ldexp(1, 120), 0),
			complex(math.Ldexp(1, 120), 0)},
		{"f32", routine.DatatypeF32, 0.1, complex(float64(float32(0.1)), 0)},
		{"f64", routine.DatatypeF64, 0.1, 0.1},
		{"real takes the real part", routine.DatatypeF64, 1 + 2i, 1},
		{"f32 complex", routine.DatatypeF32C, 1.5 - 2.5i, 1.5 - 2.5i},
		{"f64 complex", routine.DatatypeF64C, 0.1 - 0.2i, 0.1 - 0.2i},
		{"f16 complex", routine.DatatypeF16C, 1.5 - 2.5i, 1.5 - 2.5i},
		{"i8", routine.DatatypeI8, -128, -128},
		{"i8 keeps the low bits", routine.DatatypeI8, 129, -127},
		{"u8", routine.DatatypeU8, 255, 255},
		{"i32 keeps the low bits", routine.DatatypeI32, 1 << 31, -1 << 31},
		{"no datatype", 7, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := make([]byte, 16)
			number.Store(test.datatype, b, test.give)
			if have := number.Load(test.datatype, b); have != test.want {
				t.Errorf("%v is stored as %v, want %v", test.give, have, test.want)
			}
			want := test.want
			if test.give == 1 { // is the same in every datatype
				want = 1
			}
			if have := number.Round(test.datatype, test.give); have != want {
				t.Errorf("%v is rounded to %v, want %v", test.give, have, want)
			}
		})
	}
}

func TestNaN(t *testing.T) {
	for _, datatype := range []int64{routine.DatatypeF16, routine.DatatypeBF16, routine.DatatypeF32,
		routine.DatatypeF64} {
		b := make([]byte, 8)
		number.Store(datatype, b, complex(math.NaN(), 0))
		if v := real(number.Load(datatype, b)); !math.IsNaN(v) {
			t.Errorf("a NaN of datatype %d is read as %g", datatype, v)
		}
	}
}
