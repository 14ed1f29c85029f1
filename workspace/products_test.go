package workspace_test

import (
	"archive/zip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/tests/randomcall"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

// openPack opens the tuning files of bf16 for the tests.
func openPack(t testing.TB, profile, arch string) *tuning.Library {
	t.Helper()
	z, err := zip.OpenReader(filepath.Join("testdata", profile, "tuning-"+arch+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	lib, err := tuning.Open(z, arch)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// TestProducts compares the kernels, statuses and bytes of gemm_ex with those that the libraries printed and reported.
func TestProducts(t *testing.T) {
	files, err := filepath.Glob("testdata/*/products-*.jsonl.gz")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		profile, name := filepath.Base(filepath.Dir(file)), filepath.Base(file)
		arch := strings.TrimSuffix(strings.TrimPrefix(name, "products-"), ".jsonl.gz")
		t.Run(profile+"/"+arch, func(t *testing.T) {
			rt := open(t, arch, 64<<20)
			p, err := workspace.FindProfile(profile)
			if err != nil {
				t.Fatal(err)
			}
			h, err := workspace.Create(rt.Device(), workspace.Config{Profile: p,
				Tuning: tuning.Libraries{arch: openPack(t, profile, arch)}})
			if err != nil {
				t.Fatal(err)
			}
			block, err := rt.Device().Malloc(1 << 16)
			if err != nil {
				t.Fatal(err)
			}
			lost := 0
			readGolden(t, file, func(line int, p *randomcall.RecordedProduct) {
				var have []string
				if err := p.Run(h, block, func(line string) { have = append(have, line) }); err != nil {
					t.Fatalf("%s:%d: %v", file, line, err)
				}
				if !slices.Equal(have, p.Lines) {
					t.Errorf("%s:%d: %+v\n%s\nwant\n%s", file, line, p.Product, strings.Join(have, "\n"),
						strings.Join(p.Lines, "\n"))
				}
				if len(p.Lines) > 3 && p.Lines[1] != p.Lines[3] {
					lost++
				}
			})
			if lost == 0 && arch == "gfx90a" {
				t.Error("no product lost its kernel in a small workspace")
			}
		})
	}
}

// bfloatProduct returns the arguments of a gemm_ex of bf16 with a transposed A, which is summed in f32.
func bfloatProduct(t *testing.T, m, n, k int64) *routine.Args {
	t.Helper()
	r, ok := routine.Lookup("rocblas_gemm_ex")
	if !ok {
		t.Fatal("no rocblas_gemm_ex")
	}
	a := r.New()
	for s, v := range map[routine.Slot]int64{routine.TransA: routine.OperationTranspose,
		routine.TransB: routine.OperationNone, routine.M: m, routine.N: n, routine.K: k,
		routine.LDA: k, routine.LDB: k, routine.LDC: m, routine.LDD: m, routine.ComputeType: routine.DatatypeF32} {
		a.SetInt(s, v)
	}
	for _, s := range []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType} {
		a.SetInt(s, routine.DatatypeBF16)
	}
	a.SetScalar(routine.Alpha, 1)
	a.SetScalar(routine.Beta, 0)
	return a
}

// TestKernelOfProduct checks which kernel a product would use: it depends on the memory that is free.
func TestKernelOfProduct(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	p, _ := workspace.FindProfile("rocm-7.2")
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: p,
		Tuning: tuning.Libraries{"gfx90a": openPack(t, "rocm-7.2", "gfx90a")}})
	if err != nil {
		t.Fatal(err)
	}
	m := h.(*workspace.Model)
	a := bfloatProduct(t, 128, 128, 65536)
	for _, test := range []struct {
		change func() error
		want   string
	}{
		{func() error { return nil }, "split 15, 983040 bytes"}, // the default memory is 32 MiB
		{func() error { return m.SetDeviceMemorySize(1 << 20) }, "split 15, 983040 bytes"},
		{func() error { return m.SetDeviceMemorySize(983040 - 64) }, "split 1, 0 bytes"},
		{m.StartQuery, "split 15, 983040 bytes"},
	} {
		if err := test.change(); err != nil {
			t.Fatal(err)
		}
		c, err := m.ChooseKernel(a)
		if err != nil || c.Unknown != "" || c.Kernel == nil {
			t.Fatal(c, err)
		}
		have := fmt.Sprintf("split %d, %d bytes", c.Kernel.Split, c.Kernel.Workspace(&c.Problem))
		if have != test.want {
			t.Errorf("%s, want %s", have, test.want)
		}
	}
}
