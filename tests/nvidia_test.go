package tests

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host"
	"roclua/workspace"
)

// cudaHandle opens a handle on an NVIDIA device. It skips the test if there is none.
func cudaHandle(t *testing.T) (*hip.Device, workspace.Handle) {
	t.Helper()
	rt := openOn(t, "nvidia")
	profile, err := workspace.FindProfile("cuda")
	if err != nil {
		t.Fatal(err)
	}
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Destroy(); err != nil {
			t.Error(err)
		}
	})
	return rt.Device(), h
}

// product queues a product of square matrices that takes about 17 ms on the device.
func product(t *testing.T, h workspace.Handle, p driver.Ptr) {
	t.Helper()
	const n = 8192
	r, _ := routine.Lookup("rocblas_dgemm")
	a := r.New()
	for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.LDA, routine.LDB, routine.LDC} {
		a.SetInt(s, n)
	}
	a.SetInt(routine.TransA, routine.OperationNone)
	a.SetInt(routine.TransB, routine.OperationNone)
	for _, s := range []routine.Slot{routine.A, routine.B, routine.C} {
		a.SetPtr(s, uint64(p))
	}
	a.SetPtr(routine.C, uint64(p)+8*n*n)
	a.SetScalar(routine.Alpha, 1)
	a.SetScalar(routine.Beta, 0)
	if _, err := h.Call(a); err != nil {
		t.Fatal(err)
	}
}

// TestNVIDIAIsAsynchronous measures which calls wait for the device: a call and an asynchronous allocation return
// before the kernel ends; growth of the workspace waits.
func TestNVIDIAIsAsynchronous(t *testing.T) {
	dev, h := cudaHandle(t)
	p, err := dev.Malloc(2 * 8 * 8192 * 8192)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Free(p)
	product(t, h, p) // the first call of the libraries is slow
	during := func(what string, do func() error) (host, device time.Duration) {
		t.Helper()
		if err := dev.Synchronize(); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		product(t, h, p)
		if err := do(); err != nil {
			t.Fatal(err)
		}
		host = time.Since(start)
		if err := dev.Synchronize(); err != nil {
			t.Fatal(err)
		}
		device = time.Since(start)
		t.Logf("%s: the host continued after %v, the device finished after %v", what, host, device)
		return host, device
	}
	// An allocation that creates or grows the pool takes milliseconds on the host. So each call is repeated a few
	// times, and its blocks stay allocated. A call that waits for the device waits each time.
	var blocks []driver.Ptr
	for what, do := range map[string]func() error{
		"a call": func() error { return nil },
		"hipMallocAsync": func() error {
			block, err := dev.MallocAsync(1<<20, dev.NullStream())
			blocks = append(blocks, block)
			return err
		},
	} {
		waited := 0
		const attempts = 4
		for range attempts {
			if host, device := during(what, do); host > device/2 {
				waited++
			}
		}
		if waited == attempts {
			t.Errorf("%s waited %d times", what, waited)
		}
	}
	for _, block := range blocks {
		if err := dev.FreeAsync(block, dev.NullStream()); err != nil {
			t.Fatal(err)
		}
	}
	growth := func() error {
		allocation, err := h.DeviceMalloc(100 << 20)
		if err != nil {
			return err
		}
		return allocation.Release()
	}
	if host, device := during("a growth of the workspace", growth); host < device/2 {
		t.Errorf("a growth did not wait: %v of %v", host, device)
	}
}

// TestNVIDIAMemory requests more memory than the device has, then creates ten thousand handles and checks for leaks.
func TestNVIDIAMemory(t *testing.T) {
	dev, _ := cudaHandle(t)
	free, total, err := dev.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dev.Malloc(total); driver.CodeOf(err) != driver.ErrorOutOfMemory {
		t.Errorf("an allocation of all %d bytes succeeded: %v", total, err)
	}
	p, err := dev.Malloc(free / 2)
	if err != nil {
		t.Fatalf("after a failed allocation: %v", err)
	}
	if err := dev.Free(p); err != nil {
		t.Fatal(err)
	}
	profile, _ := workspace.FindProfile("cuda")
	makeHandles(t, dev, profile, 10)
	before, _, _ := dev.MemInfo()
	makeHandles(t, dev, profile, 10_000)
	after, _, err := dev.MemInfo()
	if err != nil || after != before {
		t.Errorf("%d bytes were free before 10,000 handles, %d after (%v)", before, after, err)
	}
}

func makeHandles(t *testing.T, dev *hip.Device, profile *workspace.Profile, n int) {
	t.Helper()
	for i := range n {
		scheme := workspace.Schemes[i%len(workspace.Schemes)]
		o, err := workspace.Open(dev, workspace.Config{Profile: profile}, scheme, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNVIDIAFault runs a scenario that reads unallocated memory between two correct ones. Only it may fail.
func TestNVIDIAFault(t *testing.T) {
	openOn(t, "nvidia")
	roclua, err := exec.LookPath("roclua") // TestMain installs it
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a_good.lua": `return { run = function(t) t:check(true) end }`,
		"b_bad.lua": `local rocblas, hip = require "rocblas", require "hip"
			return { schemes = { "managed" }, run = function(t)
				local p = hip.malloc(64)
				t.handle:dasum { n = 100000000, x = p }
			end }`,
		"c_good.lua": `local rocblas, hip, array = require "rocblas", require "hip", require "array"
			return { schemes = { "managed" }, run = function(t)
				local p = hip.upload(array.of("d", { 3, -4 }))
				t:equal(t.handle:dasum { n = 2, x = p }, 7)
				hip.free(p)
			end }`,
		"config.toml": "[[target]]\nplatform = \"nvidia\"\n[[scenario]]\nscript = \".\"\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	code := runProgram(t, roclua, folder, &out, "run", "--color", "never")
	if text := out.String(); code != 5 || !strings.Contains(text, "hipErrorIllegalAddress") ||
		!strings.Contains(text, "3 cases: 2 passed, 1 not passed") {
		t.Errorf("exit %d\n%s", code, out.String())
	}
}

// TestNVIDIAScenarios runs every bundled scenario on the device.
func TestNVIDIAScenarios(t *testing.T) {
	openOn(t, "nvidia")
	t.Chdir("..")
	var out bytes.Buffer
	args := []string{"run", "--platform", "nvidia", "--isolation", "case", "--color", "never"}
	if code := host.Main(args, testEnv(&out, io.Discard)); code != 0 {
		t.Errorf("exit %d\n%s", code, out.String())
	}
}
