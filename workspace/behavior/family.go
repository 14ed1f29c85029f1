// Package behavior models the calls to each family of routines: argument checks, device memory, steps on the host
// between kernels, and the arrays that are searched for unusual numbers.
//
// Each family is one entry in the file of its subject, next to the functions that it names. The checks are ordered
// lists of rules, and the rule that refuses an argument also explains it in words. A size rule names the buffers of a
// call, which its family declares, so that kernels find them by name. Like the library, size rules compute in unsigned
// 64-bit arithmetic; Buffers.Overflow reports a sum that overflows. All follow the published source of rocBLAS and
// rocSOLVER, and agree with every recorded result of the real libraries of ROCm 6.4 and 7.2.
package behavior

import (
	"cmp"
	"fmt"
	"reflect"
	"sync"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/tuning"
)

// family is the behavior of the routines of a family. ID, checks, size and steps must be given; a part that a family
// does not have is noWorkspace or noSteps.
type family struct {
	ID     routine.FamilyID
	also   ids            // further families whose calls do the same
	checks builder        // of arguments, in the library's order
	size   sizeRule       // the memory of a call
	steps  func(w *Steps) // of a call on the host

	numbers   *Numbers // arrays that a call searches for unusual numbers: given for rocBLAS, as only it searches
	datatypes *types   // that have kernels, for families with mixed datatypes
}

type ids []routine.FamilyID

// noWorkspace is the size rule of a family whose calls never need memory.
func noWorkspace(*request) {}

// anyDatatypes are the datatypes of a family that does not check them, or whose kernels are not known.
var anyDatatypes = &types{}

// lacks returns the part that the entry of a family lacks; "" if it has all.
func (f *family) lacks() string {
	declared := f.ID.Family()
	switch {
	case f.checks == nil:
		return "argument checks"
	case f.size == nil:
		return "size rule"
	case len(declared.Buffers) > 0 && same(f.size, noWorkspace):
		return "size rule for the buffers that it declares"
	case f.steps == nil:
		return "steps"
	case f.numbers == nil && declared.Library == routine.RocBLAS:
		return "arrays to search for unusual numbers"
	case declared.Mixed() && f.datatypes == nil:
		return "datatypes"
	}
	return ""
}

// same reports whether two functions, which are not closures, are the same one.
func same(f, g any) bool { return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer() }

// families holds the entry of every family, by its ID.
var families = sync.OnceValue(func() *[routine.FamilyCount]family {
	return complete(level1(), level2(), level3(), lu(), cholesky(), qr(), eigen(), svd(), sparse())
})

// complete joins the entries of all files. It panics if a family has no entry or two, or if its entry lacks a part.
func complete(files ...[]family) *[routine.FamilyCount]family {
	all, known := new([routine.FamilyCount]family), [routine.FamilyCount]bool{}
	for _, file := range files {
		for _, f := range file {
			for _, id := range append(ids{f.ID}, f.also...) {
				if known[id] {
					panic(fmt.Sprintf("workspace/behavior: %s has two entries", id))
				}
				f.ID, f.also = id, nil
				if part := f.lacks(); part != "" {
					panic(fmt.Sprintf("workspace/behavior: the entry of %s has no %s", id, part))
				}
				all[id], known[id] = f, true
			}
		}
	}
	for id, ok := range known {
		if !ok {
			panic(fmt.Sprintf("workspace/behavior: %s has no entry", routine.FamilyID(id)))
		}
	}
	return all
}

func familyOf(r *routine.Routine) *family { return &families()[r.Family.ID] }

// Of returns the demand of a call whose arguments passed the library's checks.
func Of(t *Target, a *routine.Args) (d Demand) {
	d.Set(t, a)
	return d
}

// Set makes d the demand of a call whose arguments passed the library's checks.
func (d *Demand) Set(t *Target, a *routine.Args) {
	if a = a.Received(); a.Empty() && !a.Routine.Family.Uses(buffer.SparseWork) {
		*d = Demand{} // rocSPARSE's is not known
		return
	}
	*d = Demand{}
	d.request.Demand = d
	d.request.read(t, a)
	familyOf(a.Routine).size(&d.request)
	d.request = request{}
	if d.Unknown != "" && t.Bound.Given {
		*d = Demand{}
		d.Optimal.Add(Buffer{ID: buffer.Bound, Bytes: t.Bound.Bytes})
	}
}

// Datatypes returns the combinations of datatypes that an _ex routine computes with, and the arguments that give them.
// Other routines have none.
func Datatypes(r *routine.Routine) (arguments []routine.Slot, combinations [][]int64) {
	if t := familyOf(r).datatypes; t != nil {
		return t.slots, t.combinations
	}
	return nil, nil
}

// Target is the device and the options on which the size of a call depends.
type Target struct {
	Release   *release.Release
	Arch      *arch.Arch
	Current   *arch.Arch // of the current device, see RunsOn; nil for Arch
	HostSterf bool       // sterf runs on the host: rocsolver_set_alg_mode set its hybrid mode
	TrsmLimit uint64     // bytes up to which trsm of a skinny problem takes its regular way; 0 means 128 MiB
	Bound     Bound
	Products  Products
}

// DefaultBytes returns the memory of a new managed handle.
func (t *Target) DefaultBytes() uint64 { return t.Arch.DefaultBytes(t.Release) }

// RunsOn returns the architecture of the current device: rocSOLVER reads how many threads its wavefronts have, and
// rocPRIM chooses its blocks for it, whichever device the handle belongs to.
func (t *Target) RunsOn() *arch.Arch { return cmp.Or(t.Current, t.Arch) }

// Bound is a number of bytes that counts for calls whose need is not known.
type Bound struct {
	Bytes uint64
	Given bool
}

// Demand is the memory that a call needs.
type Demand struct {
	Optimal      Buffers
	CanDegrade   bool   // a smaller set is enough for a slower run: see Degraded
	narrows      bool   // the smaller set has the buffers of Optimal; otherwise it is empty
	narrowed     uint64 // bytes of the first one
	ShortInverse bool   // too few inverted blocks were supplied: they are not used, and the call returns perf_degraded
	Endless      bool   // the library never returns from computing the size
	Unreported   Buffer // memory that an executed call also allocates, although no size query reports it
	Executed     Executed
	Unknown      string         // why the size cannot be known; "" when it is known
	RunsWithout  bool           // the kernels of this program do not need the memory of unknown size
	Kernel       *tuning.Kernel // that computes a GEMM; nil if none does, or it is not known
	NoKernel     bool           // the tuning files have no kernel for the call, which returns not_implemented
	RunsInQuery  bool           // a size query of the call reports no bytes, and success
	executed     bool           // see Execute

	request request // while a rule makes the demand
}

// Degraded returns the smaller set, if CanDegrade.
func (d *Demand) Degraded() (b Buffers) {
	if d.narrows {
		b = d.Optimal
		b.bytes[0] = d.narrowed
	}
	return b
}

// NoSize returns why there is no number of bytes; "" if there is one.
func (d *Demand) NoSize() string {
	switch {
	case d.Endless:
		return "the library never returns from this query, because a search does not end"
	case d.Unknown != "":
		return d.Unknown
	case d.Optimal.Overflow():
		return "the size overflows in the library's own arithmetic, so its result has no meaning"
	}
	return ""
}

// Execute makes Optimal the memory that an executed call allocates instead of the size that a query reports.
func (d *Demand) Execute() {
	if d.executed {
		return
	}
	d.executed = true
	if d.Executed.Differs {
		d.Optimal = Buffers{}
		if d.Executed.Buffer.Bytes > 0 {
			d.Optimal.Add(d.Executed.Buffer)
		}
	}
	if d.Unreported.Bytes > 0 {
		d.Optimal.Add(d.Unreported)
	}
}

// Executed is the memory of an executed call that allocates less than a size query reports.
type Executed struct {
	Differs bool
	Buffer  Buffer // instead of Demand.Optimal; none if it has 0 bytes
}

// sizeRule makes the demand of a call whose arguments passed the library's checks.
type sizeRule func(*request)

// request is a call whose demand is made.
type request struct {
	*Demand
	callSizes
}

// callSizes are a call and the sizes of it that most rules and steps read.
type callSizes struct {
	*Target
	*routine.Args
	m, n, k, nrhs, batch int64  // m is n in a routine of square matrices
	element, real        int64  // bytes of a number of the routine's type, and of a real one
	arrays               amount // one pointer for each problem in the batched form, otherwise nothing
}

// read makes r the sizes of a call.
func (r *callSizes) read(t *Target, a *routine.Args) {
	r.Target, r.Args = t, a
	r.m, r.n, r.k, r.nrhs = a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), a.Int(routine.NRHS)
	r.batch, r.element, r.real, r.arrays = a.Batch(), a.Routine.Type.Size(), a.Routine.Type.RealSize(), zero
	if !a.Routine.Has(routine.M) {
		r.m = r.n
	}
	if a.Routine.Variant == routine.Batched {
		r.arrays = product(addressBytes, r.batch)
	}
}

func (r *request) add(id buffer.ID, bytes amount) { r.Optimal.add(id, bytes) }
func (r *request) addAll(pieces []piece)          { r.Optimal.addAll(pieces) }
func (r *request) addSolve(v solveBuffers)        { r.Optimal.addSolve(v) }

// inBatch reports whether the call is of one of the two batch forms.
func (r *callSizes) inBatch() bool { return r.Routine.Variant != routine.Plain }

// vectors reports whether the call computes eigenvectors.
func (r *callSizes) vectors() bool { return r.Int(routine.Evect) != routine.EvectNone }

// Granule is the multiple of bytes that each buffer is rounded up to.
const Granule = 64

// Round returns bytes rounded up to the granule, modulo 2^64 like the library.
func Round(bytes uint64) uint64 { return (bytes + Granule - 1) &^ (Granule - 1) }
