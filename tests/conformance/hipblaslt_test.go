package conformance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/hip/amd"
	"roclua/hip/matmul"
)

// drawMatmul draws the options of a product of hipBLASLt.
func drawMatmul(r *rand.Rand) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	size := func(bits int) int { return 1 + r.IntN(1<<(1+r.IntN(bits))) }
	text := fmt.Sprintf("-m %d -n %d -k %d --transA %s --transB %s --epilogue %s", size(13), size(13), size(17),
		one("N", "T"), one("N", "T"), one("none", "bias", "gelu", "relu_bias"))
	if r.IntN(2) == 0 {
		text += fmt.Sprintf(" --a_type %s --b_type %s --c_type %s --bias_type %s %s", one("f8_r", "bf8_r"),
			one("f8_r", "bf8_r"), one("bf16_r", "f16_r", "f32_r", "f8_r"), one("bf16_r", "f16_r", "f32_r"),
			one("", "--scaleA 1 --scaleB 1", "--scaleA 2 --scaleB 2", "--scaleA 1 --scaleB 1 --scaleC 1 --scaleD 1"))
	} else {
		text += " -r " + one("bf16_r", "f16_r", "f32_r")
	}
	if r.IntN(4) == 0 {
		text += fmt.Sprintf(" --batch_count %d", size(5))
	}
	return text
}

// TestMatmuls checks kernels of the installed hipBLASLt: the bytes that the best one wants are the least with which it
// is chosen, and with fewer every kernel fits.
func TestMatmuls(t *testing.T) {
	l, err := amd.OpenBLASLt("")
	if err != nil {
		t.Skip(err)
	}
	r := rand.New(rand.NewPCG(*seed, 33))
	kernels, wanting := 0, 0
	for range *count {
		text := drawMatmul(r)
		p, err := matmul.New(matmul.Options(text))
		if err != nil {
			t.Fatal(err)
		}
		at := func(free uint64) *matmul.Kernel {
			k, err := l.Kernel(&p, free)
			if err != nil {
				t.Errorf("seed %d: %s: %v", *seed, text, err)
			}
			if k != nil && k.Bytes > free {
				t.Errorf("seed %d: %s: with %d bytes a kernel that wants %d", *seed, text, free, k.Bytes)
			}
			return k
		}
		best := at(^uint64(0))
		if best == nil {
			continue
		}
		if kernels++; best.Bytes == 0 {
			continue
		}
		wanting++
		if k := at(best.Bytes); k == nil || k.Name != best.Name {
			t.Errorf("seed %d: %s: with %d bytes %+v, want %+v", *seed, text, best.Bytes, k, best)
		}
		at(best.Bytes - 1)
		at(r.Uint64N(best.Bytes))
	}
	t.Logf("hipBLASLt %s, %s: %d products, %d with a kernel, %d want a workspace", l.Version, l.Arch, *count, kernels,
		wanting)
	if kernels == 0 {
		t.Errorf("no product has a kernel")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
