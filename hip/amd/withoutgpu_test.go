package amd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/dl/dltest"
	"roclua/hip/nogpu"
)

// installation makes a folder with a library in the place of rocBLAS, which is not linked with HIP, and with kernels
// for an architecture.
func installation(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	kernels := filepath.Join(root, "lib", "rocblas", "library")
	if err := os.MkdirAll(kernels, 0o777); err != nil {
		t.Fatal(err)
	}
	library := dltest.Compile(t, "int rocblas_example;")
	if err := os.Rename(library, filepath.Join(root, "lib", blasNames()[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kernels, "TensileLibrary_lazy_gfx90a.dat"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvPath, root)
	t.Setenv("ROCBLAS_TENSILE_LIBPATH", "")
	t.Setenv(nogpu.EnvArch, "")
	return root
}

// TestWithoutGPU names the missing part: kernels of an architecture, HIP, rocBLAS.
func TestWithoutGPU(t *testing.T) {
	root := installation(t)
	if list := Installed(); len(list) == 0 || list[0] != filepath.Join(root, "lib", blasNames()[0]) {
		t.Errorf("installed %q, want rocBLAS in %s", list, root)
	}
	for arch, want := range map[string]string{
		"gfx1151": "has no kernels for the architecture gfx1151 (have gfx90a)",
		"gfx90a":  nogpu.ErrNoHIP.Error(), "gfx90a:xnack+": nogpu.ErrNoHIP.Error(),
	} {
		if path, err := WithoutGPU(t.Context(), arch); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %q", arch, path, err, want)
		}
	}
	t.Setenv(EnvPath, t.TempDir())
	if Installed() != nil {
		t.Skip("rocBLAS is installed")
	}
	_, err := WithoutGPU(t.Context(), "gfx90a")
	if err == nil || !strings.Contains(err.Error(), "to do: install ROCm") {
		t.Errorf("%v; want what to install", err)
	}
}
