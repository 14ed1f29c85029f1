package amd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/dl/dltest"
	"roclua/hip/matmul"
)

// fakeBLASLt puts a library in the place of hipBLASLt, with files of kernels for gfx90a. A process has one of them.
func fakeBLASLt(t *testing.T) {
	t.Helper()
	source, err := os.ReadFile("testdata/blaslt.c")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	kernels := filepath.Join(root, "hipblaslt", "library")
	library := dltest.Compile(t, string(source))
	err = errors.Join(os.MkdirAll(kernels, 0o777), os.Rename(library, filepath.Join(root, ltNames[0])),
		os.WriteFile(filepath.Join(kernels, "TensileLibrary_lazy_gfx90a.dat"), nil, 0o666))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvPath, root)
	t.Setenv(ltKernels.variable, "")
}

func product(t *testing.T, command string) *matmul.Product {
	t.Helper()
	p, err := matmul.New(matmul.Options(command))
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// TestBLASLt checks the requests to the library and its replies. It destroys a handle only if there are no other
// objects.
func TestBLASLt(t *testing.T) {
	fakeBLASLt(t)
	l, err := OpenBLASLt("")
	if err != nil {
		t.Fatal(err)
	}
	if l.Version != "1.2.3" || l.Arch != "gfx90a" || l.Units != 100 {
		t.Errorf("%+v", l)
	}
	for _, test := range []struct {
		command string
		free    uint64
		want    matmul.Kernel // its name is the end of the name
	}{
		{"-m 32 -n 48 -k 2048 --transA T -r bf16_r --bias_vector --bias_type f32_r", 1 << 30, matmul.Kernel{Index: 41,
			Name:  " 2,0 0=112 1=111 2=4 3=65536 4=0 14,2048,32,2048 14,2048,48,2048 14,32,48,32 14,32,48,32",
			Bytes: 92160, Tile: [2]int{96, 64}, Split: 15}},
		{"-m 32 -n 48 -k 2048 --transA T -r bf16_r", 92159, matmul.Kernel{Index: 40,
			Name: " 2,0 0=112 1=111 2=1 14,2048,32,2048 14,2048,48,2048 14,32,48,32 14,32,48,32",
			Tile: [2]int{96, 64}, Split: 1}},
		{"-m 3 -n 5 -k 7 -r f32_r --compute_type xf32_r --batch_count 2 --stride_b 0 --ldd 9", 0, matmul.Kernel{
			Index: 40,
			Name:  " 6,0 0=111 1=111 2=1 0,3,7,3 0=2 1=21 0,7,5,7 0=2 1=0 0,3,5,3 0=2 1=15 0,3,5,9 0=2 1=45",
			Tile:  [2]int{96, 64}, Split: 1}},
		{"-m 16 -n 16 -k 16 -r f8_r --c_type bf16_r --scaleA 1 --scaleB 2 --scaleD 1 --amaxD --activation_type gelu " +
			"--use_e --aux_type f16_r --scaleAlpha_vector", 0, matmul.Kernel{Index: 40,
			Name: " 2,0 0=111 1=111 2=160 5=65536 6=65536 8=65536 10=65536 11=16 12=0 13=4 14=65536 22=2 32=3 " +
				"28,16,16,16 28,16,16,16 14,16,16,16 14,16,16,16", Tile: [2]int{96, 64}, Split: 1}},
	} {
		k, err := l.Kernel(product(t, test.command), test.free)
		if err != nil || k == nil {
			t.Errorf("%s: %v, %v", test.command, k, err)
			continue
		}
		if !strings.HasSuffix(k.Name, "_WG32"+test.want.Name) {
			t.Errorf("%s: %s, want the end %s", test.command, k.Name, test.want.Name)
		}
		if test.want.Name = k.Name; *k != test.want {
			t.Errorf("%s: %+v, want %+v", test.command, *k, test.want)
		}
	}
	none := product(t, "-m 16 -n 16 -k 16 --activation_type gelu")
	if k, err := l.Kernel(none, 0); k != nil || err != nil {
		t.Errorf("%v, %v, want no kernel", k, err)
	}
	if _, err := l.Kernel(product(t, "-m 16 -n 16 -k 16 --compute_type f16_r"), 0); err == nil ||
		err.Error() != "hipblasLtMatmulDescCreate: HIPBLAS_STATUS_NOT_SUPPORTED" {
		t.Errorf("%v, want the status", err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("%v: objects remain", err)
	}
}

// TestNoBLASLt names the missing part: the library, kernels for an architecture.
func TestNoBLASLt(t *testing.T) {
	fakeBLASLt(t)
	_, err := BLASLtWithoutGPU(t.Context(), "gfx942")
	if err == nil || !strings.Contains(err.Error(), "has no kernels for the architecture gfx942 (have gfx90a)") {
		t.Errorf("%v", err)
	}
	t.Setenv(EnvPath, t.TempDir())
	_, err = BLASLtWithoutGPU(t.Context(), "gfx90a")
	if err == nil || !strings.Contains(err.Error(), "no hipBLASLt was found") {
		t.Skipf("hipBLASLt is installed: %v", err)
	}
	if !strings.Contains(err.Error(), "to do: install hipBLASLt (libhipblaslt1") {
		t.Errorf("%v; want what to install", err)
	}
}
