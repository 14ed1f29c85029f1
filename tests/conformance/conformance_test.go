package conformance

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"roclua/hip"
	_ "roclua/hip/amd"
	_ "roclua/hip/cpu"
	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

var (
	seed  = flag.Uint64("conformance.seed", 1, "seed of what is drawn")
	only  = flag.String("conformance.routines", ".", "regular expression of the C names of the routines that are drawn")
	count = flag.Int("conformance.count", 300,
		"queries, as many calls, a twentieth as many sequences and a 200th as many applications")
)

// stub has functions of the HIP runtime without a GPU. It is nil on a real device.
type stub struct{ log, reset, fail uintptr }

func findStub() *stub {
	lib, err := dl.Open("libamdhip64.so.7", "libamdhip64.so.6")
	if err != nil {
		return nil
	}
	log, err1 := lib.Symbol("roclua_hip_log")
	reset, err2 := lib.Symbol("roclua_hip_reset")
	fail, err3 := lib.Symbol("roclua_hip_fail")
	if err1 != nil || err2 != nil || err3 != nil {
		return nil
	}
	return &stub{log, reset, fail}
}

// pair opens the library and the model with the same memory.
func pair(t *testing.T, capacity uint64) (library, model *sequence.Side, close func()) {
	t.Helper()
	s := findStub()
	if s != nil {
		dl.Call(s.reset, uintptr(capacity))
	}
	real, err := hip.Open("amd", driver.Config{Devices: 1})
	if errors.Is(err, driver.ErrorNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	versions := hip.Probe("amd", driver.Config{Devices: 1})
	name, _ := workspace.ProfileOfLibrary(versions.Version, versions.Solver)
	profile, err := workspace.FindProfile(name)
	if err != nil || !profile.Modelled() {
		t.Skipf("rocBLAS %s is not a modelled release", versions.Version)
	}
	arch, _, _ := strings.Cut(real.Device().Properties().Arch, ":")
	modelled, err := hip.Open("cpu", driver.Config{Arch: arch, MemoryBytes: capacity,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	library = &sequence.Side{Runtime: real, Profile: profile, Log: func() []string { return nil }}
	model = &sequence.Side{Runtime: modelled, Profile: profile, Log: func() []string { modelled.Trace(); return nil }}
	if s != nil { // only the stub reports the library's calls
		library.Log = func() []string { return sequence.MemoryCalls(real) }
		model.Log = func() []string { return sequence.MemoryCalls(modelled) }
		library.Fail = func(n int) { dl.Call(s.fail, uintptr(n)) }
		model.Fail = func(n int) { modelled.SetFaults(fault.Plan{Nth: []int{n}}.Begin()) }
	}
	for _, side := range []*sequence.Side{library, model} {
		if err := side.Prepare(); err != nil {
			t.Fatal(err)
		}
	}
	return library, model, func() { real.Close(); modelled.Close() }
}

// compareOperation runs one operation on the model and then, if the model has a result, on the library. The library
// also ends size queries with results unknown to the model.
func compareOperation(library, model *sequence.Side, op *sequence.Operation) error {
	want, err := model.Run(op)
	if err != nil {
		if op.StopsQuery() && errors.Is(err, sequence.ErrNotComparable) {
			_, ended := library.Run(op)
			return cmp.Or(ended, err)
		}
		return err
	}
	if want.LacksMemory() {
		return errLacksMemory
	}
	have, err := library.Run(op)
	if err != nil {
		return fmt.Errorf("the library: %w", err)
	}
	if !have.Same(want) {
		return &difference{want, have}
	}
	return nil
}

// errLacksMemory is the error of a call that compareOperation did not make because the library would not survive it.
var errLacksMemory = errors.New("the library would compute without memory")

// difference is an operation with different results.
type difference struct{ model, library sequence.Result }

func (d *difference) Error() string {
	return fmt.Sprintf("the model: %s\nthe library: %s", d.model, d.library)
}

// drawRoutine draws one of the routines selected by the flag.
func drawRoutine(r *rand.Rand, wide bool) *routine.Routine {
	list, all := admitted()
	if wide {
		list = all
	}
	return list[r.IntN(len(list))]
}

// admitted lists the routines selected by the flag: the routines with 32-bit sizes, and all.
var admitted = sync.OnceValues(func() (narrow, all []*routine.Routine) {
	pattern := regexp.MustCompile(*only)
	for _, r := range routine.All() {
		if !pattern.MatchString(r.CName()) {
			continue
		}
		all = append(all, r)
		if !r.Wide {
			narrow = append(narrow, r)
		}
	}
	return narrow, all
})

// TestQueries compares the bytes of random calls, one in a query.
func TestQueries(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	r := rand.New(rand.NewPCG(*seed, 1))
	begin(t, library, model)
	asked := 0
	for i := range *count {
		form := sequence.Queried
		if i%2 == 1 {
			form = sequence.Bare
		}
		d := sequence.DrawCall(r, drawRoutine(r, true), form)
		compared := true
		for _, op := range sequence.Query(d) {
			err := compareOperation(library, model, op)
			if errors.Is(err, sequence.ErrNotComparable) {
				compared = false
				continue
			}
			if err != nil && compared {
				t.Errorf("seed %d, query %d, %s:\n%v", *seed, i, d, err)
				break
			}
		}
		if compared {
			asked++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d queries could be asked, and agree", asked, *count)
	end(t, library, model)
}

func begin(t *testing.T, library, model *sequence.Side) {
	t.Helper()
	if err := compareOperation(library, model, sequence.CreateHandle(nil)); err != nil {
		t.Fatal(err)
	}
}

func end(t *testing.T, library, model *sequence.Side) {
	t.Helper()
	if err := compareOperation(library, model, sequence.DestroyHandle()); err != nil {
		t.Error(err)
	}
}

// TestCalls executes random calls, valid and invalid, with memory of random sizes.
func TestCalls(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	r := rand.New(rand.NewPCG(*seed, 2))
	begin(t, library, model)
	called := 0
	for i := range *count {
		if r.IntN(4) == 0 {
			if err := compareOperation(library, model, sequence.DrawMemory(r)); err != nil {
				t.Fatalf("seed %d, before call %d: %v", *seed, i, err)
			}
		}
		d := sequence.DrawCall(r, drawRoutine(r, false), sequence.Executed)
		var err error
		for _, op := range sequence.Execute(d) {
			err = cmp.Or(err, compareOperation(library, model, op))
		}
		if errors.Is(err, sequence.ErrNotComparable) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d, call %d, %s:\n%v", *seed, i, d, err)
		}
		called++
	}
	t.Logf("%d of %d calls could be made, and agree", called, *count)
	end(t, library, model)
}

// TestSequences compares random sequences of operations, in all environments, with limited device memory.
func TestSequences(t *testing.T) {
	for i := range max(1, *count/20) {
		ops, s := drawSequence(rand.New(rand.NewPCG(*seed, uint64(100+i))))
		compareSequence(t, i, ops, s)
	}
	t.Logf("%d sequences agree", max(1, *count/20))
}

// TestFaults compares random sequences with exactly one failing allocation.
func TestFaults(t *testing.T) {
	library, _, closeBoth := pair(t, 64<<30)
	closeBoth()
	if library.Fail == nil {
		t.Skip("allocations can fail by injection only on the HIP runtime without a GPU")
	}
	for i := range max(1, *count/20) {
		r := rand.New(rand.NewPCG(*seed, uint64(1e6+i)))
		ops, _ := drawSequence(r)
		compareSequence(t, i, ops, conditions{capacity: 64 << 30, nth: 1 + r.IntN(8)})
	}
	t.Logf("%d sequences agree", max(1, *count/20))
}

// conditions are the conditions of a sequence other than its environment.
type conditions struct {
	capacity uint64 // bytes of device memory
	nth      int    // the allocation that fails; 0 for none
}

func compareSequence(t *testing.T, i int, ops []*sequence.Operation, s conditions) {
	t.Helper()
	first := replay(t, ops, s)
	if first == nil {
		return
	}
	ops = shrink(t, ops, s)
	t.Fatalf("seed %d, sequence %d, capacity %d, allocation %d fails:\n%v\nshrunk to:\n%s\n%v", *seed, i, s.capacity,
		s.nth, first, lines(ops), replay(t, ops, s))
}

// lines describes operations, one a line.
func lines(ops []*sequence.Operation) string {
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintln(&b, op)
	}
	return b.String()
}

func drawSequence(r *rand.Rand) (ops []*sequence.Operation, s conditions) {
	capacity := uint64(64 << 30)
	if r.IntN(3) == 0 { // arrays and workspaces leave little for the handle to grow
		capacity = sequence.ArenaBytes + sequence.WorkspaceBytes + uint64(40+r.IntN(60))<<20
	}
	if findStub() == nil {
		capacity = 0
	}
	narrow, _ := admitted()
	return sequence.DrawSequence(r, narrow, 1, false), conditions{capacity: capacity}
}

// replay runs a sequence on both sides from the beginning, and returns the first difference. It stops before a call
// that the library would not survive, or that would compute without memory.
func replay(t *testing.T, ops []*sequence.Operation, s conditions) error {
	t.Helper()
	library, model, closeBoth := pair(t, s.capacity)
	defer closeBoth()
	if s.nth > 0 {
		library.Fail(s.nth)
		model.Fail(s.nth)
	}
	unknown := false // a call may have added nodes to a graph that the model does not know
	for _, op := range ops {
		if !op.IsCreate() && (library.Handle == nil || model.Handle == nil) {
			continue
		}
		err := compareOperation(library, model, op)
		var abort *workspace.Abort
		switch {
		case errors.As(err, &abort):
			return nil
		case errors.Is(err, sequence.ErrNotComparable):
			unknown = true
		case err != nil && unknown && op.CName() == "hipStreamEndCapture":
		case errors.Is(err, errLacksMemory):
			library.Runtime.LastError() // the library did not make the call
			model.Runtime.LastError()
			end := sequence.DestroyHandle()
			end.Direct = true // the call can have invalidated captures of the model
			return compareOperation(library, model, end)
		case err != nil:
			return fmt.Errorf("%s\n%w", op.CName(), err)
		}
	}
	return nil
}

// shrink removes operations while the two sides still differ.
func shrink(t *testing.T, ops []*sequence.Operation, s conditions) []*sequence.Operation {
	for again := true; again; {
		again = false
		for i := len(ops) - 1; i > 0; i-- {
			shorter := append(append([]*sequence.Operation{}, ops[:i]...), ops[i+1:]...)
			if replay(t, shorter, s) != nil {
				ops, again = shorter, true
			}
		}
	}
	return ops
}
