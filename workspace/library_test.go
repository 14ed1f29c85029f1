package workspace_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/defect"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// libraryFunctions are the functions that a handle of the library passes on, by their C names.
var libraryFunctions = []struct {
	name, vendor string
	call         func(workspace.Handle) error
}{
	{"rocblas_set_stream", "set_stream", func(h workspace.Handle) error { return h.SetStream(nil) }},
	{"rocblas_set_pointer_mode", "set_pointer_mode", func(h workspace.Handle) error {
		return h.SetPointerMode(routine.PointerModeDevice)
	}},
	{"rocblas_get_pointer_mode", "get_pointer_mode", func(h workspace.Handle) error { return second(h.PointerMode()) }},
	{"rocblas_set_atomics_mode", "set_atomics_mode", func(h workspace.Handle) error { return h.SetAtomicsMode(1) }},
	{"rocblas_get_atomics_mode", "get_atomics_mode", func(h workspace.Handle) error { return second(h.AtomicsMode()) }},
	{"rocblas_start_device_memory_size_query", "start", workspace.Handle.StartQuery},
	{"rocblas_get_device_memory_size", "get_size", func(h workspace.Handle) error {
		return second(h.DeviceMemorySize())
	}},
	{"rocblas_set_device_memory_size", "set_size", func(h workspace.Handle) error {
		return h.SetDeviceMemorySize(64)
	}},
	{"rocblas_set_workspace", "set_workspace", func(h workspace.Handle) error { return h.SetWorkspace(64, 64) }},
	{"rocblas_dasum", "call", func(h workspace.Handle) error { return second(h.Call(dasum())) }},
	{"rocblas_stop_device_memory_size_query", "stop", func(h workspace.Handle) error {
		return second(h.StopQuery(false))
	}},
	{"rocblas_destroy_handle", "destroy", workspace.Handle.Destroy},
}

func second[T any](_ T, err error) error { return err }

func dasum() *routine.Args {
	r, _ := routine.Lookup("rocblas_dasum")
	return r.New()
}

// stateOf describes the state that a handle of the library keeps itself.
func stateOf(h workspace.Handle) string {
	return fmt.Sprint(h.OnDevice(), h.IsQuery(), h.Destroyed())
}

// TestLibraryFunctions makes every function of a library fail, by a status and by its absence, and then succeed. A
// failure is an error with the reason, and leaves the handle as it was.
func TestLibraryFunctions(t *testing.T) {
	v, rt, h := openVendor(t)
	var watched []string
	rt.SetWatcher(func(s driver.Site) { watched = append(watched, s.Call) })
	for _, f := range libraryFunctions {
		before := stateOf(h)
		v.statuses[f.vendor] = int(status.InternalError)
		var refused *workspace.Error
		err := f.call(h)
		if !errors.As(err, &refused) || refused.Status != status.InternalError || refused.Func != f.name ||
			refused.Reason != status.InternalError.Meaning() {
			t.Errorf("%s fails: %v", f.name, err)
		}
		v.statuses[f.vendor], v.missing[f.vendor] = 0, true
		err = f.call(h)
		if !errors.As(err, &refused) || refused.Status != status.NotImplemented || !errors.Is(err, errMissing) {
			t.Errorf("%s is missing: %v", f.name, err)
		}
		if after := stateOf(h); after != before {
			t.Errorf("%s: the handle was %s, is %s", f.name, before, after)
		}
		v.missing[f.vendor], watched = false, nil
		if err := f.call(h); err != nil || !slices.Equal(watched, []string{f.name}) {
			t.Errorf("%s: %v, watched %v", f.name, err, watched)
		}
	}
	if have := stateOf(h); have != "true false true" {
		t.Errorf("after all functions: on the device, in a query, destroyed: %s", have)
	}
}

// TestLibraryAfterDestroy checks that a destroyed handle does not reach the library.
func TestLibraryAfterDestroy(t *testing.T) {
	v, _, h := openVendor(t)
	wantStatus(t, h.Destroy(), status.Success)
	v.called, v.managing, v.userManaged = nil, true, true
	for _, f := range libraryFunctions {
		wantStatus(t, f.call(h), status.InvalidHandle)
	}
	wantStatus(t, second(h.Stream()), status.InvalidHandle)
	v.called = slices.DeleteFunc(v.called, func(s string) bool { return s == "get_size" }) // for the history
	if len(v.called) > 0 {
		t.Errorf("called %v", v.called)
	}
	if h.IsManaging() || h.IsUserManaging() || h.String() != "rocblas_handle(destroyed)" {
		t.Errorf("%s: managing %v, user-managing %v", h, h.IsManaging(), h.IsUserManaging())
	}
}

func TestLibraryCreationFails(t *testing.T) {
	v, rt, _ := openVendor(t)
	v.statuses["create"] = int(status.MemoryError)
	h, err := createVendor(t, rt)
	wantStatus(t, err, status.MemoryError)
	if h != nil {
		t.Error("a handle although its creation failed")
	}
	v.missing["create"] = true
	wantStatus(t, second(createVendor(t, rt)), status.NotImplemented)
}

func TestLibraryStreamsAndModes(t *testing.T) {
	v, rt, h := openVendor(t)
	s, err := rt.Device().NewStream(false)
	if err != nil {
		t.Fatal(err)
	}
	stream := func() *hip.Stream {
		have, err := h.Stream()
		wantStatus(t, err, status.Success)
		return have
	}
	wantStatus(t, h.SetStream(s), status.Success)
	v.statuses["set_stream"] = int(status.InvalidValue)
	wantStatus(t, h.SetStream(nil), status.InvalidValue)
	if stream() != s {
		t.Error("the stream changed although the library refused it")
	}
	v.statuses["set_stream"] = 0
	wantStatus(t, h.SetStream(nil), status.Success)
	if stream() != rt.Device().NullStream() {
		t.Error("nil is not the null stream")
	}
	for _, mode := range []func() (int64, error){h.PointerMode, h.AtomicsMode} {
		if have, err := mode(); have != vendorMode || err != nil {
			t.Errorf("mode %d (%v), want %d", have, err, vendorMode)
		}
	}
	for mode, want := range map[int64]bool{routine.PointerModeDevice: true, routine.PointerModeHost: false} {
		if wantStatus(t, h.SetPointerMode(mode), status.Success); h.OnDevice() != want {
			t.Errorf("pointer mode %d: on the device %v", mode, h.OnDevice())
		}
	}
}

// TestLibraryLosesPointerMode checks that a handle in device pointer mode asks the library for its mode after each call
// of rocSOLVER, and keeps its own if the library returns none.
func TestLibraryLosesPointerMode(t *testing.T) {
	v, _, h := openVendor(t)
	r, _ := routine.Lookup("rocsolver_dpotrf")
	for _, c := range []struct {
		call           *routine.Args
		mode           int64
		failed         status.Status
		asks, onDevice bool
	}{
		{r.New(), routine.PointerModeDevice, 0, true, true},
		{r.New(), vendorMode, status.InternalError, true, true},
		{dasum(), vendorMode, 0, false, true},
		{r.New(), vendorMode, 0, true, false},
		{r.New(), routine.PointerModeDevice, 0, false, false},
	} {
		if h.OnDevice() != c.onDevice {
			wantStatus(t, h.SetPointerMode(routine.PointerModeDevice), status.Success)
		}
		v.mode, v.statuses["get_pointer_mode"], v.called = c.mode, int(c.failed), nil
		wantStatus(t, second(h.Call(c.call)), status.Success)
		asked := slices.Contains(v.called, "get_pointer_mode")
		if asked != c.asks || h.OnDevice() != c.onDevice {
			t.Errorf("%s, mode %d, status %d: asked %v, on the device %v", c.call.Routine.CName(), c.mode, c.failed,
				asked, h.OnDevice())
		}
	}
}

// TestLibraryHistory checks which changes of the memory and which failed calls are marked in the history.
func TestLibraryHistory(t *testing.T) {
	v, rt, h := openVendor(t)
	wantStatus(t, h.SetDeviceMemorySize(64), status.Success)
	wantStatus(t, h.SetDeviceMemorySize(64), status.Success) // no change
	v.statuses["call"] = int(status.InvalidSize)
	wantStatus(t, second(h.Call(dasum())), status.InvalidSize)
	v.statuses["call"], v.held = 0, 128 // the library grows in a call
	wantStatus(t, second(h.Call(dasum())), status.Success)
	wantStatus(t, h.StartQuery(), status.Success)
	v.statuses["call"], v.held = int(status.InvalidSize), 192
	wantStatus(t, second(h.Call(dasum())), status.InvalidSize) // in a query
	wantStatus(t, second(h.StopQuery(false)), status.Success)
	v.statuses["get_size"] = int(status.InternalError)
	wantStatus(t, h.SetWorkspace(64, 256), status.Success) // the size is not known
	v.statuses["get_size"], v.missing["get_size"] = 0, true
	wantStatus(t, h.SetWorkspace(64, 320), status.Success)
	wantStatus(t, h.Destroy(), status.Success)
	var have []string
	for _, m := range rt.History().Marks {
		have = append(have, fmt.Sprintf("%d:%d:%v", m.Handle, m.Bytes, strings.Contains(m.Text, "invalid_size")))
	}
	want := []string{"1:1000:false", "1:64:false", "1:64:true", "1:128:false", "1:0:false"}
	if !slices.Equal(have, want) {
		t.Errorf("marks %v, want %v", have, want)
	}
}

// TestLibraryShortage checks the bytes of a memory_error, which come from a separate size query.
func TestLibraryShortage(t *testing.T) {
	v, rt, h := openVendor(t)
	v.need, v.statuses["call"] = 5000, int(status.MemoryError)
	shortage := func() *workspace.Error {
		out, err := h.Call(dasum())
		var refused *workspace.Error
		if !errors.As(err, &refused) || refused.Status != status.MemoryError || out.Status != status.MemoryError {
			t.Fatalf("%v, %v", out.Status, err)
		}
		return refused
	}
	for _, test := range []struct {
		managing, userManaged bool
		scheme                workspace.Owner
	}{
		{true, false, workspace.Managed}, {false, true, workspace.UserManaged}, {false, false, workspace.UserOwned},
	} {
		v.managing, v.userManaged = test.managing, test.userManaged
		e := shortage()
		if !e.Sized || e.Required != 5000 || e.Available != 1000 || e.Scheme != test.scheme.String() || e.Reason != "" {
			t.Errorf("%+v, want %s", e, test.scheme)
		}
	}
	v.called = nil
	checking, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, "rocm-7.2"),
		Environment: map[string]string{workspace.EnvCheckNumerics: "4"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = checking.Call(dasum())
	wantStatus(t, err, status.MemoryError)
	if slices.Contains(v.called, "start") {
		t.Errorf("a size query, which checks numbers and can grow the handle: %v", v.called)
	}
	for _, function := range []string{"start", "stop"} {
		v.statuses[function] = int(status.SizeQueryMismatch)
		if e := shortage(); e.Sized {
			t.Errorf("%s fails: %v", function, e)
		}
		v.statuses[function], v.missing[function] = 0, true
		if e := shortage(); e.Sized {
			t.Errorf("%s is missing: %v", function, e)
		}
		v.missing[function] = false
	}
	v.statuses["call"] = int(status.InvalidSize)
	v.called = nil
	wantStatus(t, second(h.Call(dasum())), status.InvalidSize)
	if slices.Contains(v.called, "start") {
		t.Errorf("a size query although there was enough memory: %v", v.called)
	}
}

// TestLibraryQueries checks that a call has results, except in a size query.
func TestLibraryQueries(t *testing.T) {
	v, _, h := openVendor(t)
	out, err := h.Call(dasum())
	if err != nil || len(out.Results) != 1 {
		t.Errorf("%v, %v", out, err)
	}
	wantStatus(t, h.StartQuery(), status.Success)
	v.statuses["call"], v.need = int(status.SizeIncreased), 5000
	out, err = h.Call(dasum())
	if err != nil || out.Results != nil || out.Status != status.SizeIncreased {
		t.Errorf("in a query: %v, %v", out, err)
	}
	if bytes, err := h.StopQuery(false); bytes != 5000 || err != nil {
		t.Errorf("%d bytes, %v", bytes, err)
	}
}

func TestLibraryDescription(t *testing.T) {
	v, rt, h := openVendor(t)
	if h.String() != "rocblas_handle(the library's, 1000 bytes)" || h.Device() != rt.Device() ||
		h.Profile() != profile(t, "rocm-7.2") {
		t.Errorf("%s", h)
	}
	for _, test := range []struct{ managing, userManaged, missing bool }{
		{true, false, false}, {false, true, false}, {false, false, false}, {true, true, true},
	} {
		v.managing, v.userManaged = test.managing, test.userManaged
		v.missing["is_managing"], v.missing["is_user_managing"] = test.missing, test.missing
		if h.IsManaging() != (test.managing && !test.missing) ||
			h.IsUserManaging() != (test.userManaged && !test.missing) {
			t.Errorf("%+v: managing %v, user-managing %v", test, h.IsManaging(), h.IsUserManaging())
		}
	}
	v.missing["get_size"] = true
	if h.String() != "rocblas_handle(the library's)" {
		t.Errorf("%s", h)
	}
	wantStatus(t, second(h.SetOptimalDeviceMemorySize(64)), status.NotImplemented)
	wantStatus(t, second(h.DeviceMalloc(64)), status.NotImplemented)
	wantStatus(t, h.Shortage(64), status.NotImplemented)
}

// TestLibraryDefects calls a library with calls that known defects concern: by the versions of its profile, after a
// success, and in no size query.
func TestLibraryDefects(t *testing.T) {
	v, rt, _ := openVendor(t)
	r, _ := routine.Lookup("rocsolver_dsytrf_batched")
	concerned := r.New()
	concerned.SetInt(routine.N, 200)
	concerned.SetInt(routine.BatchCount, 4)
	trsv, _ := routine.Lookup("rocblas_dtrsv")
	for _, test := range []struct {
		profile, ordered string
		args             *routine.Args
		status           status.Status
		querying         bool
		want             string
	}{
		{"rocm-7.2", "", concerned, status.Success, false, "[sytf2-race sytrf-workspace-batch]"},
		{"rocblas-5.3.0", "", concerned, status.Success, false, "[]"}, // its rocSOLVER is not known
		{"rocblas-5.2.0-rocsolver-3.33.0", "", concerned, status.Success, false, "[sytf2-race sytrf-workspace-batch]"},
		{"rocblas-5.2.0-rocsolver-3.35.0", "", concerned, status.Success, false, "[]"},
		{"cuda", "", concerned, status.Success, false, "[]"},
		{"rocm-7.2", "", concerned, status.MemoryError, false, "[]"},
		{"rocm-7.2", "", concerned, status.Success, true, "[]"},
		{"rocm-7.2", "1", trsv.New(), status.Success, false, "[]"}, // nothing is captured
	} {
		v.statuses, v.managing = map[string]int{}, true
		found := []string{}
		p, err := workspace.FindProfile(test.profile)
		if err != nil {
			t.Fatal(err)
		}
		h, err := workspace.Create(rt.Device(), workspace.Config{Profile: p,
			Environment: map[string]string{workspace.EnvStreamOrderAlloc: test.ordered},
			Found: func(list []defect.Finding, name string) {
				for _, f := range list {
					found = append(found, f.ID)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if test.querying {
			if err := h.StartQuery(); err != nil {
				t.Fatal(err)
			}
		}
		v.statuses["call"] = int(test.status)
		h.Call(test.args)
		slices.Sort(found)
		if have := fmt.Sprint(found); have != test.want {
			t.Errorf("%s, status %v, in a query %v: %s, want %s", test.profile, test.status, test.querying, have,
				test.want)
		}
	}
}
