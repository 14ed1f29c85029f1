//go:build linux && amd64

package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/recording"
	"roclua/workspace"
)

// TestCalls records every kind of argument and of call.
func TestCalls(t *testing.T) {
	o := runRequest(t, Request{Command: []string{linked(t, "calls.c")}, Environ: append(os.Environ(),
		"ROCBLAS_LAYER=0", "TENSILE_DB=1=2", "HIPSOLVER_A=", "HIPBLASX=3")})
	const want = `blas_create_handle h0 s0 d0 =1 -> 0
    hipMalloc h0 s0 d0 p 33554432 -> 0
hipStreamCreate h0 s0 d0 =3 -> 0
blas_set_stream h1 s3 d0 1 3 -> 0
blas_start_device_memory_size_query h1 s3 d0 1 -> 0
solver_dgetrf h1 s3 d0 1 10 20 null 10 null null -> 0 waits 1
    hipMalloc h0 s0 d0 p 81920 -> 0
blas_stop_device_memory_size_query h1 s3 d0 1 =4096 -> 0
blas_set_workspace h1 s3 d0 1 p 123 -> 0
blas_dscal h1 s3 d0 1 5 [0000000000000440] p 1 -> 0
blas_dscal h1 s3 d0 1 5 [] p 1 -> 0
blas_set_pointer_mode h1 s3 d0 1 1 -> 0
blas_dscal h1 s3 d0 1 -5 [device] null 1 -> 6
blas_set_pointer_mode h1 s3 d0 1 0 -> 0
blas_gemm_ex h1 s3 d0 1 111 112 1 2 3 [0000803f] null 151 1 null 151 3 [00000000] null 151 4 null 151 5 151 0 7 9 -> 0
solver_ssyevx h1 s3 d0 1 211 231 121 4 null 4 0.5 1.5 3 4 0.25 null null null 44 null p -> 0
hipblasDscal h1 s3 d0 1 -1 [0000000000000440] null 1 -> 6
    blas_dscal h1 s3 d0 1 -1 [0000000000000440] null 1 -> 6
    blas_dscal h1 s3 d0 1 -1 [0000000000000440] null 1 -> 6
hipsolverDnDgetrf_bufferSize h1 s3 d0 1 4 5 null 4 =77 -> 0
hipsolverCreate h0 s0 d0 =2 -> 0
    blas_create_handle h0 s0 d0 =2 -> 0
    hipMalloc h0 s0 d0 p 33554432 -> 0
hipsolverSetStream h2 s3 d0 2 3 -> 0
    blas_set_stream h2 s3 d0 2 3 -> 0
hipsolverDestroy h2 s3 d0 2 -> 0
    blas_destroy_handle h2 s3 d0 2 -> 0
    hipFree h0 s0 d0 p -> 0
solver_dgetrf h1 s3 d0 1 -1 0 null 1 null null -> 400 waits 1
    hipStreamSynchronize h0 s4 d0 4 -> 400
hipMalloc3D h0 s0 d0 p 2 3 4 -> 0
hipExtLaunchKernel h0 s3 d0 p p p p p null 7 3 0 1 8 -> 0
hipCtxSetCurrent h0 s0 d2 p -> 0
hipCtxSetCurrent h0 s0 d0 null -> 0
hipMemPoolSetAttribute h0 s0 d0 p 4 [0000004000000000] -> 0
hipGetLastError h0 s0 d0 -> 98
blas_set_optimal_device_memory_size_impl h1 s3 d0 1 0 0 -> 0
blas_set_optimal_device_memory_size_impl h1 s3 d0 1 1 64 -> 9
blas_device_malloc_alloc h1 s3 d0 1 =64 7 512 -> 0
blas_device_malloc_free h0 s0 d0 p -> 0
hipDeviceSynchronize h0 s0 d0 -> 0
hipSetDevice h0 s0 d3 3 -> 0
blas_dscal h0 s0 d3 0 1 null null 1 -> 0
blas_destroy_handle h1 s3 d3 1 -> 0
    hipFree h0 s0 d3 p -> 0
blas_create_handle h0 s0 d3 =3 -> 0
    hipMalloc h0 s0 d3 p 33554432 -> 0`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(lines(calls(t, o.Files[0])), "\n")); diff != "" {
		t.Error(diff)
	}
	if o.Code != 42 || o.stdout != "done\n" || o.stderr != "" || o.Calls != 10 || o.Handles != 3 || o.Growths != 1 {
		t.Errorf("exit code %d, output %q and %q: %s", o.Code, o.stdout, o.stderr, o.Summary())
	}
	f, err := recording.Open(o.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	host, _ := os.Hostname()
	for name, want := range map[string]string{
		"host": host, "program": linked(t, "calls.c"), "rocblas.version": "4.4.1",
		"rocblas.path": filepath.Join(fake(t), "libfake.so"), "hip.version": "6.4.43484", "device.0.arch": "gfx90a",
		"device.0.name": "no GPU", "device.0.memory": "1073741824", "device.0.free": "1000", "env.ROCBLAS_LAYER": "0",
		"env.TENSILE_DB": "1=2", "env.HIPBLASX": "",
	} {
		if have := f.Process.Facts[name]; have != want {
			t.Errorf("%s is %q, want %q", name, have, want)
		}
	}
	if have, set := f.Process.Facts["env.HIPSOLVER_A"]; have != "" || !set {
		t.Errorf("an empty variable is recorded: %v, with the value %q", set, have)
	}
	if have := facts(t, runRecorded(t, linked(t, "many.c"), "version", "0")); have["rocblas.version"] != "4.4.1" ||
		have["device.0.arch"] != "" {
		t.Errorf("without a handle the facts are %q", have)
	}
	if !f.Process.Ended || f.Process.DiskFull || f.Process.Parent != os.Getpid() {
		t.Errorf("the process is %+v", f.Process)
	}
	last := calls(t, o.Files[0])
	for i, c := range last {
		if c.Start < 0 || c.End < c.Start || i > 0 && c.Start < last[i-1].End {
			t.Errorf("%s from %s to %s", c.Name, c.Start, c.End)
		}
	}
}

// facts returns the facts of the first recording.
func facts(t *testing.T, o outcome) map[string]string {
	t.Helper()
	f, err := recording.Open(o.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.Process.Facts
}

// TestVariablesAreRecorded checks that the recorder writes the variables on which the memory of new handles depends.
func TestVariablesAreRecorded(t *testing.T) {
	environ := os.Environ()
	for _, name := range workspace.HandleVariables() {
		environ = append(environ, name+"=value of "+name)
	}
	o := runRequest(t, Request{Command: []string{linked(t, "calls.c")}, Environ: environ})
	have := facts(t, o)
	for _, name := range workspace.HandleVariables() {
		if have["env."+name] != "value of "+name {
			t.Errorf("%s is recorded as %q", name, have["env."+name])
		}
	}
	environ = append(environ, "TENSILE_LONG="+strings.Repeat("x", recording.HeaderBytes))
	o = runRequest(t, Request{Command: []string{linked(t, "calls.c")}, Environ: environ})
	f, err := recording.Open(o.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := []string{"the variables of the libraries are too long: some, or versions, are missing"}
	if have := f.Process.Missing(); !slices.Equal(have, want) || f.Process.Facts["device.0.free"] == "" {
		t.Errorf("with a long variable %q is missing, want %q", have, want)
	}
}
