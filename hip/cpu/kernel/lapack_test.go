package kernel_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/cpu/kernel"
	"roclua/hip/dl"
	"roclua/hip/number"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/tests/randomcall"
)

var (
	lapackCalls = flag.Int("lapack", 3, "calls to each routine that are compared with LAPACK")
)

// differs reports the calls whose results differ between rocSOLVER and LAPACK, as its source and its kernels show.
var differs = map[routine.FamilyID]func(a *routine.Args) bool{
	routine.Lasyf: func(a *routine.Args) bool { return a.Int(routine.NB) == 0 },   // LAPACK divides by nb
	routine.Posv:  func(a *routine.Args) bool { return a.Int(routine.NRHS) == 0 }, // it leaves A
	routine.Larfg: func(a *routine.Args) bool { return a.Int(routine.N) == 0 },    // it leaves tau
	routine.Stebz: func(a *routine.Args) bool { return a.Int(routine.N) == 0 },    // it sets nsplit
	routine.Bdsqr: (*routine.Args).Empty,                                          // it leaves info
	routine.Gesvd: (*routine.Args).Empty,                                          // it leaves info
	routine.Steqr: ofOrder1,                                                       // it sets C to 1
	routine.Syevx: ofOrder1,                                                       // LAPACK leaves ifail
	routine.Sygvx: ofOrder1,
	routine.Bdsvdx: func(a *routine.Args) bool { // it leaves nsv, and LAPACK stores the vector outside of the range
		return a.Int(routine.N) <= 1
	},
	routine.Labrd: func(a *routine.Args) bool { // in complex LAPACK A does not get the last element of d
		return a.Routine.Type.IsComplex() && a.Int(routine.K) == min(a.Int(routine.M), a.Int(routine.N))
	},
}

// reductions to tridiagonal and bidiagonal form are backward stable, but their elements are ill-conditioned: each
// reflection depends on all earlier ones, so that rounding can change the last elements in half of their digits. As the
// tests of LAPACK do, the test compares Q T Q^H with the matrix, by the definitions in package randomcall: for the
// kernel's result and, to check the definition, for LAPACK's.
var reductions = []routine.FamilyID{routine.Sytrd, routine.Sytd2, routine.Latrd, routine.Gebrd, routine.Gebd2,
	routine.Labrd}

func ofOrder1(a *routine.Args) bool { return a.Int(routine.N) == 1 }

// withScratch are arrays with elements that LAPACK uses as scratch or leaves, and that the library sets to zero, or the
// other way round: next to a triangular factor, before the update of a panel, behind the singular values in a range.
var withScratch = []routine.Slot{routine.MatT, routine.MatX, routine.MatY, routine.MatW, routine.VecS}

// longer are arrays that LAPACK needs longer than rocSOLVER: with all singular values of a range's matrix, and with
// another column.
var longer = map[routine.FamilyID][]routine.Slot{
	routine.Bdsvdx: {routine.VecS, routine.MatZ},
	routine.Gesvdx: {routine.VecS},
}

// wrong are functions with errors in some versions of OpenBLAS, such as 0.3.26: gemmt if alpha or k is 0, and spr of
// complex vectors with a negative increment. Where results differ, the definition in package randomcall decides.
var wrong = []routine.FamilyID{routine.Gemmt, routine.Spr}

// Each array is between margins that no function may write, except behind an array in longer.
const (
	margin     = 64 << 10
	marginByte = 0x5A
)

// scratchElements is the size of scratch, which all functions of the test accept.
const scratchElements = 200000

// reference is a call of a function of LAPACK with copies of the arrays of a random call.
type reference struct {
	*randomcall.Call
	arrays map[routine.Slot][]byte // after the call
	around map[routine.Slot][]byte // the same with their margins
	words  []uintptr
	kept   []any // memory that the words point to
}

func (r *reference) pass(p unsafe.Pointer, keep any) {
	r.words, r.kept = append(r.words, uintptr(p)), append(r.kept, keep)
}

func (r *reference) passBytes(raw []byte) {
	raw = append(make([]byte, 0, len(raw)+64), raw...)
	r.pass(unsafe.Pointer(unsafe.SliceData(raw)), raw)
}

func (r *reference) passInt(v int64) {
	p := new(int32)
	*p = int32(v)
	r.pass(unsafe.Pointer(p), p)
}

// passArgument passes the argument of a name in fortran.
func (r *reference) passArgument(name string) {
	slot, real := slotNames[name], routine.RealOf(r.Args.Routine.Type.Datatype())
	p, declared := r.Args.Routine.ParamAt(slot)
	switch {
	case name == "work" || name == "rwork" || name == "iwork":
		work := make([]complex128, scratchElements)
		r.pass(unsafe.Pointer(&work[0]), work)
	case name == "lwork":
		r.passInt(scratchElements)
	case name == "ldwork":
		r.passInt(max(1, r.Args.Int(routine.M), r.Args.Int(routine.N)))
	case !declared: // info of a routine without it, or the tolerance of one
		r.passBytes(make([]byte, 16))
	case p.Kind == routine.Scalar:
		raw := make([]byte, 16)
		number.Store(r.Args.Datatype(p), raw, r.Args.Scalar(slot))
		r.passBytes(raw)
	case p.Kind == routine.Real:
		raw := make([]byte, 16)
		number.Store(real, raw, complex(r.Args.Real(slot), 0))
		r.passBytes(raw)
	case slot == routine.Itype:
		r.passInt(r.Args.Int(slot) - routine.EformAx + 1)
	case p.Kind.IsEnum():
		r.passBytes([]byte{r.character(name, slot)})
	case p.Kind.IsInteger():
		r.passInt(r.Args.Int(slot))
	default:
		r.passArray(slot)
	}
}

// passArray passes a copy of an array.
func (r *reference) passArray(slot routine.Slot) {
	around := bytes.Repeat([]byte{marginByte}, margin+len(r.Before[slot])+margin)
	r.pass(unsafe.Pointer(&around[margin]), around)
	r.arrays[slot], r.around[slot] = around[margin:len(around)-margin], around
	copy(r.arrays[slot], r.Before[slot])
}

func (r *reference) character(name string, slot routine.Slot) byte {
	v := r.Args.Int(slot)
	switch {
	case name == "Vect" && v == routine.StorevColumns:
		return 'Q'
	case name == "Vect":
		return 'P'
	case slot == routine.TransA && v == routine.OperationConjugateTranspose && !r.Args.Routine.Type.IsComplex():
		return 'T'
	case name == "LeftSvect" || name == "RightSvect":
		if r.Args.Routine.Has(routine.Srange) && v == routine.SvectSingular {
			return 'V'
		}
	case name == "Svect" && v == routine.SvectSingular:
		return 'V'
	}
	return characters[v]
}

// TestLAPACK compares random calls, among them ones with empty dimensions, with the functions of the same name in
// OpenBLAS: the results, and which elements are written. Calls that rocSOLVER leaves and LAPACK does not are in leaves.
func TestLAPACK(t *testing.T) {
	lib, err := dl.Open("libopenblas.so.0", "libopenblas.so")
	if err != nil {
		t.Skip(err)
	}
	if threads, err := lib.Symbol("openblas_set_num_threads"); err == nil {
		dl.CallWords(threads, []uintptr{1}) // others take processor time to wait for such small calls
	}
	seed := randomtest.Seed(t)
	calls, empty, failed := 0, 0, map[string]int{}
	for i, rt := range routine.All() {
		id := rt.Family.ID
		if other, ok := alike[id]; ok {
			id = other
		}
		args, ok := fortran[id]
		if !ok || rt.Wide || rt.Variant != routine.Plain || !kernel.Has(rt) || rt.Type.Size() == 2 ||
			rt.Type.IsComplex() && id == routine.Syr2 && !rt.Family.Hermitian {
			continue
		}
		_, name, _ := strings.Cut(rt.CName(), "_")
		function, err := lib.Symbol(name + "_")
		if err != nil {
			continue // such as dsbmv for complex matrices
		}
		for k := range *lapackCalls {
			c := randomcall.New(t, rt, rand.New(rand.NewPCG(seed+uint64(i), uint64(k))), randomcall.Largest, false,
				randomcall.BySizeRules(release.Default()))
			if err := kernel.Run(c.Launch, c.Memory); err != nil {
				t.Fatal(err)
			}
			if different, ok := differs[rt.Family.ID]; ok && different(c.Args) {
				continue
			}
			r := callReference(c, function, args)
			calls++
			if c.Args.Empty() {
				empty++
			}
			err := r.compare()
			if err != nil && slices.Contains(wrong, rt.Family.ID) {
				err = r.Verify(0)
			}
			if err != nil {
				if failed[name]++; failed[name] < 4 {
					t.Errorf("call %d: %s %s: %v", k, name, dims(c), err)
				}
			}
		}
	}
	t.Logf("%d calls, %d of them empty, differences %v", calls, empty, failed)
}

func callReference(c *randomcall.Call, function uintptr, args string) *reference {
	r := &reference{Call: c, arrays: map[routine.Slot][]byte{}, around: map[routine.Slot][]byte{}}
	if !c.Args.Routine.Type.IsComplex() {
		before, _, optional := strings.Cut(args, "[")
		if optional {
			_, after, _ := strings.Cut(args, "]")
			args = before + after
		}
	}
	for _, name := range strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(args)) {
		r.passArgument(name)
	}
	for range 4 { // lengths of strings
		r.words = append(r.words, 1)
	}
	dl.CallWords(function, r.words)
	runtime.KeepAlive(r.kept)
	return r
}

// compare compares the arrays. Vectors are unique only up to a factor, so it compares which elements change; only
// tridiagonal and bidiagonal matrices of order 1 have the vectors of LAPACK. Destroyed arrays are not compared.
func (r *reference) compare() error {
	reduces := slices.Contains(reductions, r.Args.Routine.Family.ID)
	for slot, want := range r.arrays {
		p, _ := r.Args.Routine.ParamAt(slot)
		have, before := r.Arrays[slot].Data(), r.Before[slot]
		size, datatype := int(r.Args.ElementBytes(p)), r.Args.Datatype(p)
		if err := r.inside(slot, p); err != nil {
			return err
		}
		if !p.Access.Writes() || strings.Contains(p.About, "destroyed") {
			continue
		}
		at := func(raw []byte, i int) complex128 { return number.Load(datatype, raw[i:]) }
		scale := 1.0
		for i := 0; i < len(want); i += size {
			if v := cmplx.Abs(at(want, i)); !math.IsInf(v, 0) && !math.IsNaN(v) {
				scale = max(scale, v)
			}
		}
		for i := 0; i < len(want); i += size {
			x, y := at(have, i), at(want, i)
			if bytes.Equal(have[i:i+size], want[i:i+size]) ||
				slices.Contains(withScratch, slot) && (x == 0 || y == 0) {
				continue
			}
			old := before[i : i+size]
			left, leftByLAPACK := bytes.Equal(have[i:i+size], old), bytes.Equal(want[i:i+size], old)
			switch {
			case p.Access == routine.Out && left != leftByLAPACK:
				return fmt.Errorf("%s[%d]: %v, written %t; by LAPACK %v, written %t", p.Name, i/size, x, !left, y,
					!leftByLAPACK)
			case reduces, strings.Contains(p.About, "vectors") && !r.ofOneElement():
			case !(cmplx.Abs(x-y) <= scale*r.tolerance()):
				return fmt.Errorf("%s[%d] is %v, by LAPACK %v", p.Name, i/size, x, y)
			}
		}
	}
	if reduces {
		return r.verify()
	}
	return nil
}

// inside returns an error if LAPACK has written next to an array.
func (r *reference) inside(slot routine.Slot, p *routine.Param) error {
	around := r.around[slot]
	margins := [][]byte{around[:margin], around[len(around)-margin:]}
	if slices.Contains(longer[r.Args.Routine.Family.ID], slot) {
		margins = margins[:1]
	}
	for _, outside := range margins {
		if slices.ContainsFunc(outside, func(b byte) bool { return b != marginByte }) {
			return fmt.Errorf("LAPACK wrote outside of %s, which has %d bytes", p.Name, len(r.arrays[slot]))
		}
	}
	return nil
}

// verify compares the kernel's result with the definition of the routine, and then LAPACK's.
func (r *reference) verify() error {
	if err := r.Verify(0); err != nil {
		return err
	}
	for slot, raw := range r.arrays {
		copy(r.Arrays[slot].Data(), raw)
	}
	if err := r.Verify(0); err != nil {
		return fmt.Errorf("LAPACK: %w", err)
	}
	return nil
}

func (r *reference) ofOneElement() bool {
	id := r.Args.Routine.Family.ID
	return (id == routine.Stedc || id == routine.Bdsqr) && r.Args.Int(routine.N) == 1
}

// tolerance is the largest difference of elements, relative to the largest element.
func (r *reference) tolerance() float64 {
	if r.Args.Routine.Type.RealSize() == 4 {
		return 1e-3
	}
	return 1e-10
}

// dims lists the arguments of a call that are not arrays.
func dims(c *randomcall.Call) string {
	s := ""
	for i := range c.Args.Routine.Params {
		p := &c.Args.Routine.Params[i]
		if !p.Kind.IsPointer() {
			s += fmt.Sprintf(" %s=%d", p.Name, c.Args.Int(p.Slot))
		} else if p.Kind == routine.Scalar {
			s += fmt.Sprintf(" %s=%v", p.Name, c.Args.Scalar(p.Slot))
		}
	}
	return s
}
