package tests

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestEmptySolverCalls calls every routine of rocSOLVER with every set of dimensions that are 0, under every release
// and scheme. As in the libraries of rocm-6.4 and rocm-7.2 the call succeeds, sets info to 0 and leaves the other
// arrays as they are; an empty batch has no info.
func TestEmptySolverCalls(t *testing.T) {
	for _, r := range routine.All() {
		if r.Library != routine.RocSOLVER {
			continue
		}
		for _, release := range workspace.ProfileNames() {
			for _, environment := range []map[string]string{
				nil, {workspace.EnvDeviceMemorySize: "64"}, {workspace.EnvStreamOrderAlloc: "1"},
			} {
				accepted := 0
				for sizes := range 1<<len(dimensionsOf(r)) - 1 {
					if testEmptySolver(t, r, release, environment, sizes) {
						accepted++
					}
				}
				if accepted == 0 {
					t.Errorf("%s: every empty call is refused", r.CName())
				}
			}
		}
	}
}

// dimensionsOf returns the dimensions and the batch count of a routine.
func dimensionsOf(r *routine.Routine) []routine.Slot {
	var list []routine.Slot
	for _, s := range []routine.Slot{routine.M, routine.N, routine.NRHS, routine.BatchCount} {
		if _, ok := r.ParamAt(s); ok {
			list = append(list, s)
		}
	}
	return list
}

const (
	emptyOrder = 3
	emptyBatch = 2
)

// testEmptySolver makes one call. A set bit of sizes is a dimension that is not 0. It returns false for dimensions that
// the routine refuses, because one must not be smaller than another.
func testEmptySolver(
	t *testing.T, r *routine.Routine, release string, environment map[string]string, sizes int,
) (accepted bool) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	arrays, info := fillWithOnes(t, rt), fillWithOnes(t, rt)
	profile, err := workspace.FindProfile(release)
	if err != nil {
		t.Fatal(err)
	}
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile, Environment: environment})
	if err != nil {
		t.Fatal(err)
	}
	a := emptyCall(r, arrays, info, sizes)
	_, hasInfo := r.ParamAt(routine.Info)
	name := fmt.Sprintf("%s %s %v m=%d n=%d nrhs=%d batch_count=%d", r.CName(), release, environment,
		a.Int(routine.M), a.Int(routine.N), a.Int(routine.NRHS), a.Batch())
	_, err = h.Call(a)
	var refused *workspace.Error
	if errors.As(err, &refused) && refused.Status == status.InvalidSize {
		return false
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return true
	}
	if have := read(t, rt, arrays); have != [emptyBatch]uint32{ones, ones} {
		t.Errorf("%s: arrays become %x", name, have)
	}
	want := [emptyBatch]uint32{ones, ones}
	for i := range want {
		// The first info of a 64-bit form is both numbers.
		if hasInfo && (int64(i) < a.Batch() || r.Wide && a.Batch() > 0) {
			want[i] = 0
		}
	}
	if have := read(t, rt, info); have != want {
		t.Errorf("%s: info becomes %x, want %x", name, have, want)
	}
	return true
}

// emptyCall returns a call whose arrays are all in the same memory, except info.
func emptyCall(r *routine.Routine, arrays, info driver.Ptr, sizes int) *routine.Args {
	a := r.New()
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, routine.Legal(p.Kind)[0])
		case p.Slot == routine.K && r.Family.ID != routine.Larft && r.Family.ID != routine.Larfb, p.Slot == routine.NB:
			// Zero: mostly it must not be larger than a dimension.
		case p.Slot == routine.Info:
			a.SetPtr(p.Slot, uint64(info))
		case p.Kind.IsPointer():
			a.SetPtr(p.Slot, uint64(arrays))
		case p.Kind.IsInteger():
			a.SetInt(p.Slot, emptyOrder)
		}
	}
	for i, s := range dimensionsOf(r) {
		switch {
		case sizes>>i&1 == 0:
			a.SetInt(s, 0)
		case s == routine.BatchCount:
			a.SetInt(s, emptyBatch)
		}
	}
	return a
}

// ones is an element of memory that no call wrote.
const ones = 0x01010101

func fillWithOnes(t *testing.T, rt *hip.Runtime) driver.Ptr {
	t.Helper()
	p, err := rt.Device().Malloc(4096)
	if err == nil {
		err = rt.Device().Fill(p, 1, 4096)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// read returns the first elements of memory.
func read(t *testing.T, rt *hip.Runtime, p driver.Ptr) (list [emptyBatch]uint32) {
	t.Helper()
	data := make([]byte, 4*emptyBatch)
	if err := rt.Device().Read(data, p); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i] = binary.NativeEndian.Uint32(data[4*i:])
	}
	return list
}
