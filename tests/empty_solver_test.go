package tests

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/tests/conformance"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestEmptySolverCalls calls every routine of rocSOLVER with every combination of zero dimensions, under every scheme
// and release; without -all under the default release. The call must succeed, set info to 0 unless leavesInfo, and
// leave the other arrays unchanged; an empty batch has no info. The conformance tests compare the statuses, and whether
// a captured call adds nodes, with the libraries of rocm-6.4 and rocm-7.2.
func TestEmptySolverCalls(t *testing.T) {
	t.Parallel()
	releases := workspace.ProfileNames()
	if !*all {
		releases = []string{release.Default().Name}
	}
	for _, r := range routine.All() {
		if r.Library != routine.RocSOLVER {
			continue
		}
		for _, name := range releases {
			for _, environment := range []map[string]string{
				nil, {workspace.EnvDeviceMemorySize: "64"}, {workspace.EnvStreamOrderAlloc: "1"},
			} {
				for _, ints := range conformance.EmptyCalls(r) {
					testEmptySolver(t, r, name, environment, ints)
				}
			}
		}
	}
}

// refusesEmpty reports whether a call has an illegal size: an orthogonal matrix must not have more columns than rows
// or, from an LQ factorization, more rows than columns.
func refusesEmpty(a *routine.Args) bool {
	rows, columns := a.Int(routine.M), a.Int(routine.N)
	switch a.Routine.Family.ID {
	case routine.Org2r, routine.Org2l, routine.Orgqr, routine.Orgql, routine.Orgbr:
		return rows < columns
	case routine.Orgl2, routine.Orglq:
		return rows > columns
	}
	return false
}

// leavesInfo reports whether an empty call of a routine does not set info.
func leavesInfo(r *routine.Routine) bool {
	switch r.Family.ID {
	case routine.Bdsqr, routine.Gesvd, routine.GeblttrfNpvt, routine.GeblttrfNpvtInterleaved:
		return true
	}
	return false
}

// testEmptySolver makes one call with the given integers and enumerations.
func testEmptySolver(
	t *testing.T, r *routine.Routine, release string, environment map[string]string, ints map[routine.Slot]int64,
) {
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
	a := emptyCall(r, arrays, info, ints)
	_, hasInfo := r.ParamAt(routine.Info)
	name := fmt.Sprintf("%s %s %v m=%d n=%d nrhs=%d nb=%d nblocks=%d batch_count=%d", r.CName(), release, environment,
		a.Int(routine.M), a.Int(routine.N), a.Int(routine.NRHS), a.Int(routine.NB), a.Int(routine.NBlocks), a.Batch())
	_, err = h.Call(a)
	var refused *workspace.Error
	var unknown *workspace.Unknown
	switch {
	case r.Family.Uses(buffer.SparseWork): // rocSPARSE decides its size, regardless of the dimensions
		if !errors.As(err, &unknown) {
			t.Errorf("%s: %v, want an unknown need", name, err)
		}
		return
	case refusesEmpty(a):
		if !errors.As(err, &refused) || refused.Status != status.InvalidSize {
			t.Errorf("%s: %v, want invalid_size", name, err)
		}
		return
	case err != nil:
		t.Errorf("%s: %v", name, err)
		return
	}
	if have := read(t, rt, arrays); have != [conformance.EmptyBatch]uint32{ones, ones} {
		t.Errorf("%s: arrays become %x", name, have)
	}
	want := [conformance.EmptyBatch]uint32{ones, ones}
	for i := range want {
		// In a 64-bit form the first info fills both elements.
		if hasInfo && !leavesInfo(r) && (int64(i) < a.Batch() || r.Wide && a.Batch() > 0) {
			want[i] = 0
		}
	}
	if have := read(t, rt, info); have != want {
		t.Errorf("%s: info becomes %x, want %x", name, have, want)
	}
}

// emptyCall returns a call with all arrays in the same memory, except info.
func emptyCall(r *routine.Routine, arrays, info driver.Ptr, ints map[routine.Slot]int64) *routine.Args {
	a := r.New()
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Slot == routine.Info:
			a.SetPtr(p.Slot, uint64(info))
		case p.Kind.IsPointer():
			a.SetPtr(p.Slot, uint64(arrays))
		default:
			a.SetInt(p.Slot, ints[p.Slot])
		}
	}
	return a
}

// ones is an unwritten element of memory.
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
func read(t *testing.T, rt *hip.Runtime, p driver.Ptr) (list [conformance.EmptyBatch]uint32) {
	t.Helper()
	data := make([]byte, 4*conformance.EmptyBatch)
	if err := rt.Device().Read(data, p); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i] = binary.NativeEndian.Uint32(data[4*i:])
	}
	return list
}
