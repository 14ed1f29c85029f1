package workspace_test

import (
	"errors"
	"slices"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestTransferStatuses has statuses of the libraries of ROCm 6.4 and 7.2, which are the same for all forms.
func TestTransferStatuses(t *testing.T) {
	for _, test := range []struct {
		rows, cols, elem, hostLD, deviceLD int64
		hostNull, deviceNull               bool
		want                               status.Status
		done                               bool
	}{
		{rows: 1, cols: 5, elem: 8, hostLD: 2, deviceLD: 3},
		{rows: 4, cols: 3, elem: 8, hostLD: 5, deviceLD: 4},
		{rows: 1, cols: 0, elem: 0, hostNull: true, deviceNull: true, done: true},
		{rows: 0, cols: -1, elem: 8, hostLD: 4, deviceLD: 4, done: true},
		{rows: -1, cols: 0, elem: 8, hostLD: 4, deviceLD: 4, done: true},
		{rows: 1, cols: -1, elem: 8, hostLD: 1, deviceLD: 1, want: status.InvalidSize, done: true},
		{rows: -1, cols: 3, elem: 8, hostLD: 4, deviceLD: 4, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: 0, hostLD: 1, deviceLD: 1, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: -8, hostLD: 1, deviceLD: 1, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: 8, hostLD: 0, deviceLD: 1, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: 8, hostLD: -1, deviceLD: 1, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: 8, hostLD: 1, deviceLD: 0, want: status.InvalidSize, done: true},
		{rows: 4, cols: 3, elem: 8, hostLD: 3, deviceLD: 4, want: status.InvalidSize, done: true},
		{rows: 4, cols: 3, elem: 8, hostLD: 4, deviceLD: 3, want: status.InvalidSize, done: true},
		{rows: 4, cols: 3, elem: 8, hostLD: 3, deviceLD: 4, hostNull: true, want: status.InvalidSize, done: true},
		{rows: 1, cols: 5, elem: 8, hostLD: 1, deviceLD: 1, hostNull: true, want: status.InvalidPointer, done: true},
		{rows: 4, cols: 3, elem: 8, hostLD: 4, deviceLD: 4, deviceNull: true, want: status.InvalidPointer, done: true},
	} {
		call := &workspace.Transfer{Func: "rocblas_set_matrix", Rows: test.rows, Cols: test.cols, ElemSize: test.elem,
			HostLD: test.hostLD, DeviceLD: test.deviceLD, HostNull: test.hostNull, Device: 4096}
		if test.deviceNull {
			call.Device = 0
		}
		done, err := call.Check()
		have := status.Success
		var refused *workspace.Error
		if errors.As(err, &refused) {
			have = refused.Status
		}
		if done != test.done || have != test.want {
			t.Errorf("%+v: done %v, %v", test, done, err)
		}
	}
}

func TestTransferHostBytes(t *testing.T) {
	for _, test := range []struct {
		rows, cols, ld int64
		want           uint64
		ok             bool
	}{{1, 1, 7, 8, true}, {1, 5, 2, 72, true}, {4, 3, 6, 128, true}, {1, 1 << 31, 1 << 31, 0, false}} {
		call := &workspace.Transfer{Rows: test.rows, Cols: test.cols, ElemSize: 8, HostLD: test.ld}
		if bytes, ok := call.HostBytes(); ok != test.ok || ok && bytes != test.want {
			t.Errorf("%+v: %d bytes, %v", test, bytes, ok)
		}
	}
}

// TestTransferErrors copies more than the device memory has. The libraries of ROCm 6.4 print the error and return
// success; the functions of 7.2 return a status.
func TestTransferErrors(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		rt, err := hip.Open("cpu", driver.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer rt.Close()
		p, err := rt.Device().Malloc(64)
		if err != nil {
			t.Fatal(err)
		}
		profile, err := workspace.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, ld := range []int64{1, 2} {
			call := &workspace.Transfer{Func: "rocblas_set_vector", Rows: 1, Cols: 9, ElemSize: 8, ToDevice: true,
				Host: make([]byte, 256), HostLD: ld, Device: p, DeviceLD: ld}
			ignored, err := call.Copy(rt.Device(), profile)
			var refused *workspace.Error
			returned := errors.As(err, &refused) && refused.Status == status.InternalError
			if older := name == "rocm-6.4"; older != (ignored != "") || older == returned {
				t.Errorf("%s, increment %d: printed %q, returned %v", name, ld, ignored, err)
			}
		}
	}
}

// TestTransferCopies copies matrices with and without gaps, in both directions, by the forms that wait and those that
// do not. The elements arrive, the gaps stay, and HIP copies once.
func TestTransferCopies(t *testing.T) {
	const rows, cols, elem = 3, 4, 8
	for _, test := range []struct {
		hostLD, deviceLD int64
		name             string
	}{
		{rows, rows, "hipMemcpy"},
		{rows + 2, rows, "hipMemcpy2D"},
		{rows, rows + 2, "hipMemcpy2D"},
		{rows + 1, rows + 2, "hipMemcpy2D"},
	} {
		for _, toDevice := range []bool{true, false} {
			for _, async := range []bool{true, false} {
				call := &workspace.Transfer{Func: "rocblas_set_matrix", Rows: rows, Cols: cols, ElemSize: elem,
					HostLD: test.hostLD, DeviceLD: test.deviceLD, ToDevice: toDevice}
				name := test.name
				if async {
					name += "Async"
				}
				checkTransfer(t, call, async, name)
			}
		}
	}
}

// checkTransfer makes one copy between an array of ones and an array of twos, and checks the HIP call.
func checkTransfer(t *testing.T, call *workspace.Transfer, async bool, name string) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	dev, bytes := rt.Device(), uint64(call.DeviceLD*call.Cols*call.ElemSize)
	call.Host = slices.Repeat([]byte{1}, int(call.HostLD*call.Cols*call.ElemSize))
	if call.Device, err = dev.Malloc(bytes); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, dev.Fill(call.Device, 2, bytes), status.Success)
	if async {
		if call.Stream, err = dev.NewStream(false); err != nil {
			t.Fatal(err)
		}
	}
	rt.Trace()
	if ignored, err := call.Copy(dev, profile(t, "rocm-7.2")); ignored != "" || err != nil {
		t.Fatal(ignored, err)
	}
	if calls := rt.Trace(); len(calls) != 1 || calls[0].Name != name {
		t.Errorf("calls %+v, want %s", calls, name)
	}
	wantStatus(t, dev.Synchronize(), status.Success)
	device := make([]byte, bytes)
	wantStatus(t, dev.Read(device, call.Device), status.Success)
	checkArray(t, call, "host", call.Host, call.HostLD, call.ToDevice, 1)
	checkArray(t, call, "device", device, call.DeviceLD, !call.ToDevice, 2)
}

// checkArray checks an array that was full of a value before a copy. A source keeps it; a destination keeps it in gaps.
func checkArray(t *testing.T, call *workspace.Transfer, side string, have []byte, ld int64, source bool, before byte) {
	t.Helper()
	for i, b := range have {
		want := before
		if row := int64(i) / call.ElemSize % ld; !source && row < call.Rows {
			want = 3 - before
		}
		if b != want {
			t.Fatalf("%+v: byte %d of the %s is %d, want %d", call, i, side, b, want)
		}
	}
}
