package workspace_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestAfterDestroy checks that every function of a null and of a destroyed handle returns invalid_handle.
func TestAfterDestroy(t *testing.T) {
	destroyed := create(t, open(t, "gfx90a", 1<<30), "rocm-7.2", nil)
	wantStatus(t, destroyed.SetPointerMode(routine.PointerModeDevice), status.Success)
	if !destroyed.OnDevice() || workspace.Null.OnDevice() {
		t.Errorf("on the device: %v, the null handle %v", destroyed.OnDevice(), workspace.Null.OnDevice())
	}
	wantStatus(t, destroyed.Destroy(), status.Success)
	dgemm, _ := routine.Lookup("rocblas_dgemm")
	values := map[reflect.Type]any{reflect.TypeFor[int64](): int64(1), reflect.TypeFor[uint64](): uint64(64),
		reflect.TypeFor[*routine.Args](): dgemm.New()}
	for _, h := range []workspace.Handle{destroyed, workspace.Null} {
		for i, all := 0, reflect.TypeFor[workspace.Handle](); i < all.NumMethod(); i++ {
			m := all.Method(i)
			n := m.Type.NumOut()
			if n == 0 || m.Type.Out(n-1) != reflect.TypeFor[error]() || m.Name == "Shortage" { // which is not a call
				continue
			}
			var args []reflect.Value
			for j := range m.Type.NumIn() {
				arg := reflect.Zero(m.Type.In(j))
				if v, ok := values[m.Type.In(j)]; ok {
					arg = reflect.ValueOf(v)
				}
				args = append(args, arg)
			}
			f := reflect.ValueOf(h).MethodByName(m.Name)
			call := f.Call
			if m.Type.IsVariadic() {
				call = f.CallSlice
			}
			err, _ := call(args)[n-1].Interface().(error)
			var refused *workspace.Error
			if !errors.As(err, &refused) || refused.Status != status.InvalidHandle {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}

func TestModesAndStreams(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	wantStatus(t, h.SetPointerMode(7), status.Success)
	wantStatus(t, h.SetAtomicsMode(8), status.Success)
	if mode, err := h.PointerMode(); mode != 7 || err != nil {
		t.Errorf("pointer mode %d, %v", mode, err)
	}
	if mode, err := h.AtomicsMode(); mode != 8 || err != nil {
		t.Errorf("atomics mode %d, %v", mode, err)
	}
	own, _ := rt.Device().NewStream(false)
	other, _ := rt.Device().NewStream(false)
	wantStatus(t, h.SetStream(own), status.Success)
	own.Destroy()
	other.Destroy()
	wantStatus(t, h.SetStream(own), status.Success) // it does not change
	wantStatus(t, h.SetStream(other), status.InvalidValue)
	if s, err := h.Stream(); s != own || err != nil {
		t.Errorf("stream %v, %v", s, err)
	}
	wantStatus(t, h.SetStream(nil), status.Success)
	if s, _ := h.Stream(); s != rt.Device().NullStream() {
		t.Error("nil is not the null stream")
	}
}

// TestFailedAllocations checks that an error has bytes if, and only if, the device has too little memory.
func TestFailedAllocations(t *testing.T) {
	f, rt, h := openFailing(t, "rocm-7.2", nil)
	for code, sized := range map[driver.Error]bool{driver.ErrorOutOfMemory: true, driver.ErrorInvalidValue: false} {
		f.errs["Malloc"] = code
		_, creation := workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, "rocm-7.2")})
		for _, err := range []error{creation, h.SetDeviceMemorySize(100)} {
			var e *workspace.Error
			if !errors.As(err, &e) || e.Sized != sized || !errors.Is(err, code) {
				t.Errorf("%v: %v, sized %v", code, err, e.Sized)
			}
		}
	}
	f.errs["Malloc"] = nil
	wantStatus(t, h.SetDeviceMemorySize(100), status.Success)
	f.errs["Free"] = driver.ErrorInvalidDevicePtr
	wantStatus(t, h.SetDeviceMemorySize(200), status.InvalidPointer)
	if size, _ := h.DeviceMemorySize(); size != 128 || !h.IsUserManaging() {
		t.Errorf("the memory could not be freed: %s", h)
	}
	var abort *workspace.Abort
	if err := h.Destroy(); !errors.As(err, &abort) {
		t.Errorf("destroy: %v, want an abort", err)
	}
}

// TestHeldMemoryIsMarked checks the memory of a handle in the history of its runtime.
func TestHeldMemoryIsMarked(t *testing.T) {
	for _, test := range []struct {
		name string
		env  map[string]string
		want []uint64
	}{
		// Creation, growth in two steps or memory of the pool, then the user's memory, its removal, the user's memory
		// again, and the destruction of the handle.
		{"managed", nil, []uint64{defaultSize, 0, defaultSize + 64*mib, 1000, 0, 1000, 0}},
		{"stream order", map[string]string{workspace.EnvStreamOrderAlloc: "1"},
			[]uint64{0, 64 * mib, 0, 1000, 0, 1000, 0}},
	} {
		rt := open(t, "gfx90a", 1<<30)
		h := create(t, rt, "rocm-7.2", test.env)
		buffers, err := h.DeviceMalloc(64 * mib)
		if err != nil || buffers == nil {
			t.Fatal(buffers, err)
		}
		wantStatus(t, buffers.Release(), status.Success)
		p, _ := rt.Device().Malloc(1000)
		wantStatus(t, h.SetWorkspace(p, 1000), status.Success)
		wantStatus(t, h.SetWorkspace(0, 0), status.Success)
		wantStatus(t, h.SetWorkspace(p, 1000), status.Success)
		wantStatus(t, h.Destroy(), status.Success)
		var have []uint64
		for _, m := range rt.History().Marks {
			have = append(have, m.Bytes)
		}
		if have = slices.Compact(have); !slices.Equal(have, test.want) {
			t.Errorf("%s: %d, want %d", test.name, have, test.want)
		}
	}
}

func TestSchemes(t *testing.T) {
	for _, name := range workspace.Schemes {
		if err := workspace.CheckScheme(name); err != nil {
			t.Error(err)
		}
	}
	rt := open(t, "gfx90a", 1<<30)
	config := workspace.Config{Profile: profile(t, "rocm-7.2"),
		Environment: map[string]string{workspace.EnvDeviceMemorySize: "5", workspace.EnvAtomicsMode: "1"}}
	if _, err := workspace.Open(rt.Device(), config, "managd", 0); err == nil ||
		!strings.Contains(err.Error(), `"managd", did you mean "managed"?`) {
		t.Errorf("unknown scheme: %v", err)
	}
	o, err := workspace.Open(rt.Device(), config, workspace.SchemePreallocated, 1000)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := o.DeviceMemorySize()
	if mode, _ := o.AtomicsMode(); size != 1000 || mode != 1 {
		t.Errorf("%d bytes, atomics mode %d: the scheme has precedence, other variables stay", size, mode)
	}
	if len(config.Environment) != 2 || config.Environment[workspace.EnvDeviceMemorySize] != "5" {
		t.Errorf("the environment becomes %v", config.Environment)
	}
}

// TestCloseFails checks that closing a scheme frees the user's memory after a failure, and returns the first failure.
func TestCloseFails(t *testing.T) {
	f, rt, h := openFailing(t, "rocm-7.2", nil)
	wantStatus(t, h.Destroy(), status.Success)
	config := workspace.Config{Profile: profile(t, "rocm-7.2")}
	openOwned := func() *workspace.Opened {
		o, err := workspace.Open(rt.Device(), config, workspace.SchemeUserOwned, 1000)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := openOwned()
	buffers, err := o.DeviceMalloc(64)
	if err != nil || buffers == nil {
		t.Fatal(buffers, err)
	}
	var abort *workspace.Abort
	if err := o.Close(); !errors.As(err, &abort) || rt.Stats().LiveBytes != 0 {
		t.Errorf("in use: %v, %d bytes live", err, rt.Stats().LiveBytes)
	}
	o = openOwned()
	f.errs["Free"] = driver.ErrorInvalidValue
	if err := o.Close(); !errors.Is(err, driver.ErrorInvalidValue) {
		t.Errorf("a free fails: %v", err)
	}
	f.errs["Free"] = nil
	o = openOwned()
	if err := o.Close(); err != nil {
		t.Errorf("nothing fails: %v", err)
	}
	if err := o.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// TestErrorText checks who has the memory in the text of an error.
func TestErrorText(t *testing.T) {
	for want, e := range map[string]*workspace.Error{
		"f: memory_error: needs 64 bytes, the device has 1 byte":                        {Scheme: "rocblas_managed"},
		"f: memory_error: needs 64 bytes, the handle's user_owned workspace has 1 byte": {Scheme: "user_owned"},
		fmt.Sprintf("f: memory_error: needs 64 bytes, the device has 1 byte: %v", driver.ErrorOutOfMemory): {
			Scheme: "user_managed", Cause: driver.ErrorOutOfMemory},
	} {
		e.Status, e.Func, e.Sized, e.Required, e.Available = status.MemoryError, "f", true, 64, 1
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}
