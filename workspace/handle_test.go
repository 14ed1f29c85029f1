package workspace_test

import (
	"errors"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

const (
	mib            = 1 << 20
	defaultSize    = 32 * mib
	defaultSizeMI3 = 128 * mib
)

// open makes a simulated device that computes nothing.
func open(t *testing.T, arch string, memory uint64) *hip.Runtime {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: arch, MemoryBytes: memory,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt
}

func profile(t *testing.T, name string) *workspace.Profile {
	t.Helper()
	p, err := workspace.FindProfile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func create(t *testing.T, rt *hip.Runtime, profileName string, env map[string]string) workspace.Handle {
	t.Helper()
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, profileName), Environment: env})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// wantStatus checks the status that an error carries; a nil error is success.
func wantStatus(t *testing.T, err error, want status.Status) {
	t.Helper()
	var e *workspace.Error
	switch {
	case err == nil && want == status.Success:
	case errors.As(err, &e) && e.Status == want:
	default:
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCreationByEnvironmentAndArchitecture(t *testing.T) {
	size := func(v string) map[string]string { return map[string]string{workspace.EnvDeviceMemorySize: v} }
	for _, test := range []struct {
		name, arch string
		env        map[string]string
		owner      workspace.Owner
		size       uint64
	}{
		{"default", "gfx90a", nil, workspace.Managed, defaultSize},
		{"default with suffixes", "gfx90a:sramecc+:xnack-", nil, workspace.Managed, defaultSize},
		{"large default", "gfx942", nil, workspace.Managed, defaultSizeMI3},
		{"consumer card", "gfx1100", nil, workspace.Managed, defaultSize},
		{"zero", "gfx90a", size("0"), workspace.Managed, 0},
		{"empty", "gfx90a", size(""), workspace.Managed, 0},
		{"garbage", "gfx90a", size("abc"), workspace.Managed, 0},
		{"a number", "gfx90a", size("1000"), workspace.UserManaged, 1000},
		{"octal", "gfx90a", size("010"), workspace.UserManaged, 8},
		{"binary", "gfx90a", size("0b11"), workspace.UserManaged, 3},
		{"stream order in 32 bits", "gfx90a", map[string]string{workspace.EnvStreamOrderAlloc: "4294967296"},
			workspace.Managed, defaultSize},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt := open(t, test.arch, 1<<30)
			h := create(t, rt, "rocm-7.2", test.env)
			held, err := h.DeviceMemorySize()
			if err != nil || held != test.size || h.(*workspace.Model).Owner() != test.owner {
				t.Errorf("%s with %d bytes (%v), want %s with %d", h.(*workspace.Model).Owner(), held, err, test.owner,
					test.size)
			}
			if live := rt.Stats().LiveBytes; live != test.size {
				t.Errorf("%d bytes allocated, want %d", live, test.size)
			}
			wantStatus(t, h.Destroy(), status.Success)
			if live := rt.Stats().LiveBytes; live != 0 {
				t.Errorf("%d bytes live after destroy", live)
			}
		})
	}
}

// TestCreationWithoutMemory creates handles whose first memory, or with stream-ordered allocation the memory by which
// they warm the pool, is more than the device has.
func TestCreationWithoutMemory(t *testing.T) {
	inOrder := map[string]string{workspace.EnvStreamOrderAlloc: "1"}
	fixed := map[string]string{workspace.EnvDeviceMemorySize: "20000000"}
	for _, test := range []struct {
		profile string
		env     map[string]string
		want    uint64
	}{
		{"rocm-6.4", nil, defaultSize}, {"rocm-7.2", nil, defaultSize}, {"rocm-7.2", inOrder, defaultSize},
		{"rocm-7.2", fixed, 20000000}, {"rocm-7.1", nil, defaultSize}, {"rocm-7.1", fixed, 20000000},
	} {
		rt := open(t, "gfx90a", 16*mib)
		h, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, test.profile),
			Environment: test.env})
		if h != nil {
			t.Error("a handle although its memory could not be allocated")
		}
		wantStatus(t, err, status.MemoryError)
		var e *workspace.Error
		if errors.As(err, &e) && (!e.Sized || e.Required != test.want || e.Available != 16*mib ||
			e.Func != "rocblas_create_handle") {
			t.Errorf("%s, %v: %v, want %d", test.profile, test.env, e, test.want)
		}
	}
}

func TestSetSizeWithoutMemoryLosesTheOld(t *testing.T) {
	rt := open(t, "gfx90a", 40*mib)
	h := create(t, rt, "rocm-7.2", nil)
	wantStatus(t, h.SetDeviceMemorySize(64*mib), status.MemoryError)
	held, _ := h.DeviceMemorySize()
	if held != 0 || !h.IsManaging() || rt.Stats().LiveBytes != 0 {
		t.Errorf("%s, %d bytes live", h, rt.Stats().LiveBytes)
	}
}

func TestAllocationsAreAStack(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	wantStatus(t, h.SetDeviceMemorySize(1024), status.Success)
	first, err := h.DeviceMalloc(1, 0, 65)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	spans := first.Spans()
	if spans[1].Ptr != 0 || spans[2].Ptr-spans[0].Ptr != 64 || first.Bytes() != 64+128 {
		t.Errorf("spans %v, %d bytes", spans, first.Bytes())
	}
	if too, err := h.DeviceMalloc(1024 - 192 + 1); too != nil || err != nil {
		t.Errorf("allocated %v (%v), more than there is", too, err)
	}
	second, _ := h.DeviceMalloc(1024 - 192)
	if second == nil || second.Spans()[0].Ptr-spans[0].Ptr != 192 {
		t.Fatalf("the rest is %v", second)
	}
	wantStatus(t, h.SetDeviceMemorySize(0), status.InternalError)
	wantStatus(t, h.SetWorkspace(0, 0), status.InternalError)
	if nothing, err := h.DeviceMalloc(0); nothing == nil || err != nil {
		t.Errorf("an allocation of 0 bytes fails: %v", err)
	}
	var abort *workspace.Abort
	if err := first.Release(); !errors.As(err, &abort) {
		t.Errorf("out of order: %v, want an abort", err)
	}
}

func TestAborts(t *testing.T) {
	var abort *workspace.Abort
	t.Run("destroyed with memory in use", func(t *testing.T) {
		h := create(t, open(t, "gfx90a", 1<<30), "rocm-6.4", nil)
		h.DeviceMalloc(64)
		if err := h.Destroy(); !errors.As(err, &abort) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("growth with memory in use", func(t *testing.T) {
		h := create(t, open(t, "gfx90a", 1<<30), "rocm-6.4", nil)
		h.DeviceMalloc(64)
		if _, err := h.DeviceMalloc(64 * mib); !errors.As(err, &abort) {
			t.Errorf("got %v", err)
		}
	})
}

func TestGrowth(t *testing.T) {
	rt := open(t, "gfx90a", 200*mib)
	h := create(t, rt, "rocm-7.2", nil)
	rt.Trace()
	buffers, err := h.DeviceMalloc(40 * mib)
	if buffers == nil || err != nil {
		t.Fatal(buffers, err)
	}
	calls := rt.Trace()
	if len(calls) != 2 || calls[0].Name != "hipFree" || calls[1].Bytes != 72*mib || calls[1].Cause != "growth" {
		t.Errorf("calls %+v", calls)
	}
	buffers.Release()
	// Too much: the old memory is freed, and the next call tries again.
	if buffers, err := h.DeviceMalloc(190 * mib); buffers != nil || err != nil {
		t.Errorf("allocated %v (%v)", buffers, err)
	}
	if held, _ := h.DeviceMemorySize(); held != 0 || !h.IsManaging() {
		t.Errorf("holds %d after a failed growth", held)
	}
	if buffers, _ := h.DeviceMalloc(64); buffers == nil {
		t.Error("the handle is not usable after a failed growth")
	}
}

func TestStreamSwitchKeepsTheStreamOfAnAllocation(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", map[string]string{workspace.EnvStreamOrderAlloc: "1"})
	first, _ := rt.Device().NewStream(false)
	second, _ := rt.Device().NewStream(false)
	wantStatus(t, h.SetStream(first), status.Success)
	buffers, _ := h.DeviceMalloc(64)
	wantStatus(t, h.SetStream(second), status.Success)
	rt.Trace()
	if err := buffers.Release(); err != nil {
		t.Fatal(err)
	}
	if calls := rt.Trace(); len(calls) != 1 || calls[0].Name != "hipFreeAsync" || calls[0].Stream != first.ID() {
		t.Errorf("calls %+v", calls)
	}
}

func TestNullHandle(t *testing.T) {
	h := workspace.Null
	wantStatus(t, h.Destroy(), status.InvalidHandle)
	wantStatus(t, h.StartQuery(), status.InvalidHandle)
	wantStatus(t, h.SetWorkspace(0, 0), status.InvalidHandle)
	wantStatus(t, h.SetDeviceMemorySize(0), status.InvalidHandle)
	if h.IsManaging() || h.IsUserManaging() || h.IsQuery() {
		t.Error("a null handle is managed, user-managed or in a query")
	}
	r, _ := routine.Lookup("rocblas_dasum")
	_, err := h.Call(r.New())
	wantStatus(t, err, status.InvalidHandle)
}

func TestROCm71ManagesInStreamOrderOnly(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.1", map[string]string{workspace.EnvDeviceMemorySize: "1000"})
	if !h.IsManaging() || h.IsUserManaging() {
		t.Errorf("%s", h)
	}
	wantStatus(t, h.SetDeviceMemorySize(4096), status.Success)
	if h.IsUserManaging() || rt.Stats().LiveBytes != 0 {
		t.Errorf("set_device_memory_size does something: %s", h)
	}
	rt.Trace()
	buffers, _ := h.DeviceMalloc(100)
	buffers.Release()
	var names []string
	for _, c := range rt.Trace() {
		names = append(names, c.Name)
	}
	if len(names) != 2 || names[0] != "hipMallocAsync" || names[1] != "hipFreeAsync" {
		t.Errorf("calls %v", names)
	}
}

func TestOpenUnderSchemes(t *testing.T) {
	for scheme, want := range map[string]struct {
		owner workspace.Owner
		size  uint64
	}{
		workspace.SchemeManaged:       {workspace.Managed, defaultSize},
		workspace.SchemePreallocated:  {workspace.UserManaged, 1000},
		workspace.SchemeManual:        {workspace.UserManaged, 1024},
		workspace.SchemeUserOwned:     {workspace.UserOwned, 1000},
		workspace.SchemeStreamOrdered: {workspace.Managed, defaultSize},
	} {
		t.Run(scheme, func(t *testing.T) {
			rt := open(t, "gfx90a", 1<<30)
			o, err := workspace.Open(rt.Device(), workspace.Config{Profile: profile(t, "rocm-7.2")}, scheme, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if held, _ := o.DeviceMemorySize(); o.Handle.(*workspace.Model).Owner() != want.owner || held != want.size {
				t.Errorf("%s", o.Handle)
			}
			if err := o.Close(); err != nil || rt.Stats().LiveBytes != 0 {
				t.Errorf("%v, %d bytes live", err, rt.Stats().LiveBytes)
			}
		})
	}
}

func TestChunkedReductionsAreNotExecuted(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	x, _ := rt.Device().Malloc(8 * 70000)
	r, _ := routine.Lookup("rocblas_dasum_strided_batched_64")
	a := r.New()
	a.SetInt(routine.N, 1)
	a.SetInt(routine.IncX, 1)
	a.SetInt(routine.StrideX, 1)
	a.SetPtr(routine.X, uint64(x))
	a.SetInt(routine.Result, routine.Host)
	a.SetInt(routine.BatchCount, 65520)
	_, err := h.Call(a)
	wantStatus(t, err, status.Success)
	a.SetInt(routine.BatchCount, 65521)
	_, err = h.Call(a)
	wantStatus(t, err, status.NotImplemented)
}

// TestInitialAtomicsMode compares with handles of the libraries of rocm-6.4 and rocm-7.2. rocm-7.1 was not compared; it
// has the mode of rocm-7.2.
func TestInitialAtomicsMode(t *testing.T) {
	initial := func(release string, env map[string]string) int64 {
		mode, err := create(t, open(t, "gfx90a", 1<<30), release, env).AtomicsMode()
		if err != nil {
			t.Fatal(err)
		}
		return mode
	}
	for release, want := range map[string]int64{"rocm-6.4": 1, "rocm-7.1": 0, "rocm-7.2": 0} {
		if have := initial(release, nil); have != want {
			t.Errorf("%s: mode %d, want %d", release, have, want)
		}
		for text, want := range map[string]int64{"1": 1, "2": 1, "-1": 1, " 1": 1, "1x": 1, "0x1": 1, "4294967296": 1,
			"0": 0, "x": 0, "": 0, "00": 0, "08": 0, "0x": 0, "-0": 0, "true": 0} {
			if have := initial(release, map[string]string{workspace.EnvAtomicsMode: text}); have != want {
				t.Errorf("%s, %q: mode %d, want %d", release, text, have, want)
			}
		}
	}
}

// TestFailedStreamOrderedAllocation has the results of rocblas_device_malloc in rocm-6.4 and rocm-7.2: under stream
// order more memory than the device has is an allocation that succeeds, with the first buffer at address 0 and the
// others behind it. A handle whose fixed size has no memory has such buffers, too.
func TestFailedStreamOrderedAllocation(t *testing.T) {
	ordered := map[string]string{workspace.EnvStreamOrderAlloc: "1"}
	fixed := map[string]string{workspace.EnvStreamOrderAlloc: "1", workspace.EnvDeviceMemorySize: "1024"}
	for _, test := range []struct {
		env   map[string]string
		sizes []uint64
		want  []uint64 // addresses; nil for memory_error
	}{
		{ordered, []uint64{1 << 50}, []uint64{0}},
		{ordered, []uint64{64, 1 << 50}, []uint64{0, 64}},
		{ordered, []uint64{1 << 50, 0}, []uint64{0, 0}},
		{ordered, []uint64{0}, []uint64{0}},
		{fixed, []uint64{64, 64}, []uint64{0, 64}},
		{fixed, []uint64{0, 64}, []uint64{0, 0}},
		{fixed, []uint64{64, 1 << 50}, nil},
		{nil, []uint64{1 << 50}, nil},
	} {
		for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
			h := create(t, open(t, "gfx90a", 1<<30), release, test.env)
			buffers, err := h.DeviceMalloc(test.sizes...)
			if err != nil || (buffers == nil) != (test.want == nil) {
				t.Errorf("%s %v %d: %v, %v", release, test.env, test.sizes, buffers, err)
				continue
			}
			for i, want := range test.want {
				if have := uint64(buffers.Spans()[i].Ptr); have != want {
					t.Errorf("%s %v %d: buffer %d is at %#x, want %#x", release, test.env, test.sizes, i, have, want)
				}
			}
			if buffers != nil {
				wantStatus(t, buffers.Release(), status.Success)
			}
			wantStatus(t, h.Destroy(), status.Success)
		}
	}
}
