package tests

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
// and release; without -all under the default release. The call must succeed, set the arrays of zeroed to zeros, and
// leave the others unchanged. The conformance tests compare the statuses, the memory, and whether a captured call adds
// nodes, with the libraries of rocm-6.4 and rocm-7.2.
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

// zeroed lists the arrays that empty calls set to zeros, for families that do not set only info. The solution of gels
// is zero if there are right-hand sides.
var zeroed = map[routine.FamilyID][]routine.Slot{
	routine.Gels:  {routine.Info, routine.B},
	routine.Stebz: {routine.Info, routine.Nev, routine.Nsplit},
	routine.Lasyf: {routine.Info, routine.KB},
	routine.Syevx: {routine.Info, routine.Nev}, routine.Sygvx: {routine.Info, routine.Nev},
	routine.Syevdx: {routine.Info, routine.Nev}, routine.Sygvdx: {routine.Info, routine.Nev},
	routine.Syevj:  {routine.Info, routine.Residual, routine.Sweeps},
	routine.Sygvj:  {routine.Info, routine.Residual, routine.Sweeps},
	routine.Gesvdj: {routine.Info, routine.Residual, routine.Sweeps},
	routine.Gesvdx: {routine.Info, routine.Nsv},

	routine.Bdsqr: nil, routine.Gesvd: nil, routine.GeblttrfNpvt: nil, routine.GeblttrfNpvtInterleaved: nil,
}

// isZeroed reports whether an empty call sets an array to zeros.
func isZeroed(a *routine.Args, s routine.Slot) bool {
	list, ok := zeroed[a.Routine.Family.ID]
	if !ok {
		list = []routine.Slot{routine.Info}
	}
	return a.Batch() > 0 && slices.Contains(list, s)
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
	profile, err := workspace.FindProfile(release)
	if err != nil {
		t.Fatal(err)
	}
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile, Environment: environment})
	if err != nil {
		t.Fatal(err)
	}
	a := r.New()
	if err := conformance.PlaceEmpty(rt.Device(), a, ints); err != nil {
		t.Fatal(err)
	}
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
	for i := range r.Params {
		p := &r.Params[i]
		if !p.Kind.IsPointer() {
			continue
		}
		have, err := conformance.ReadEmpty(rt.Device(), a, p)
		if err != nil {
			t.Fatal(err)
		}
		if want := zeroedContents(a, p); !bytes.Equal(have, want) {
			t.Errorf("%s: %s becomes %x, want %x", name, p.Name, have, want)
		}
	}
}

// zeroedContents returns the contents of an array after an empty call.
func zeroedContents(a *routine.Args, p *routine.Param) []byte {
	data := bytes.Repeat([]byte{conformance.Unwritten}, conformance.EmptyBytes)
	if !isZeroed(a, p.Slot) {
		return data
	}
	size, rows := int(a.ElementBytes(p)), int(p.Rows.Of(a))
	stride := rows * size
	if q, ok := a.Routine.Companion(p.Slot, routine.Stride); ok {
		stride = int(a.Int(q.Slot)) * size
	} else if p.Kind == routine.ArrayOfArrays {
		stride = conformance.EmptyBytes / conformance.EmptyBatch
	}
	ld, columns := 0, 1
	if q, ok := a.Routine.Companion(p.Slot, routine.LeadingDimension); ok {
		ld, columns = int(a.Int(q.Slot)), int(p.Cols.Of(a))
	}
	for b := range int(a.Batch()) {
		for j := range columns {
			clear(data[b*stride+j*ld*size:][:rows*size])
		}
	}
	return data
}
