package conformance

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"roclua/hip"
	_ "roclua/hip/amd"
	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/hip/routine"
	_ "roclua/tests/fakedriver"
	"roclua/workspace"
)

var (
	seed  = flag.Uint64("conformance.seed", 1, "seed of what is drawn")
	only  = flag.String("conformance.routines", ".", "regular expression of the C names of the routines that are drawn")
	count = flag.Int("conformance.count", 300, "queries, as many calls, and a twentieth as many sequences")
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

// drain returns the memory calls since the last call of drain.
func (s *stub) drain() []string {
	text := make([]byte, 1<<20)
	n := dl.Call(s.log, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	return lines(string(text[:n]))
}

func lines(text string) []string {
	var list []string
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			list = append(list, line)
		}
	}
	return list
}

// memoryCalls formats the calls of the model in the format of the stub.
func memoryCalls(rt *hip.Runtime) []string {
	var list []string
	for _, c := range rt.Trace() {
		switch c.Name {
		case "hipMalloc", "hipMallocAsync":
			list = append(list, fmt.Sprintf("%s %d %d", c.Name, c.Bytes, c.Result))
		case "hipFree", "hipFreeAsync", "hipMemPoolTrimTo", "hipStreamSynchronize", "hipDeviceSynchronize":
			list = append(list, fmt.Sprintf("%s 0 %d", c.Name, c.Result))
		}
	}
	return list
}

// pair opens the library and the model with the same memory.
func pair(t *testing.T, capacity uint64) (library, model *implementation, close func()) {
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
	name := workspace.ProfileOfLibrary(versions.Version)
	profile, err := workspace.FindProfile(name)
	if err != nil || profile.Platform != "" {
		t.Skipf("rocBLAS %s is not a modelled release", versions.Version)
	}
	arch, _, _ := strings.Cut(real.Device().Properties().Arch, ":")
	modelled, err := hip.Open("fake", driver.Config{Arch: arch, MemoryBytes: capacity})
	if err != nil {
		t.Fatal(err)
	}
	library = &implementation{rt: real, profile: profile, log: func() []string { return nil }}
	model = &implementation{rt: modelled, profile: profile, log: func() []string { modelled.Trace(); return nil }}
	if s != nil { // only the stub reports the calls of the library
		library.log, model.log = s.drain, func() []string { return memoryCalls(modelled) }
		library.fail = func(n int) { dl.Call(s.fail, uintptr(n)) }
		model.fail = func(n int) { modelled.SetFaults(fault.Plan{Nth: []int{n}}.Begin()) }
	}
	for _, side := range []*implementation{library, model} {
		if err := side.prepare(); err != nil {
			t.Fatal(err)
		}
	}
	return library, model, func() { real.Close(); modelled.Close() }
}

// compareOperation runs one operation on the model and then, if the model has a result, on the library.
func compareOperation(library, model *implementation, op *operation) error {
	want, err := model.run(op)
	if err != nil {
		return err
	}
	have, err := library.run(op)
	if err != nil {
		return fmt.Errorf("the library: %w", err)
	}
	if !have.same(want) {
		return &difference{want, have}
	}
	return nil
}

// difference is an operation with different results.
type difference struct{ model, library result }

func (d *difference) Error() string {
	return fmt.Sprintf("the model: %s\nthe library: %s", d.model, d.library)
}

// drawRoutine draws one of the routines that the flag admits.
func drawRoutine(r *rand.Rand, wide bool) *routine.Routine {
	list, all := admitted()
	if wide {
		list = all
	}
	return list[r.IntN(len(list))]
}

// admitted lists the routines that the flag admits: those with 32-bit sizes, and all.
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
		d := drawCall(r, drawRoutine(r, true), false)
		ops := []*operation{{name: "start_device_memory_size_query"}, {name: "call", draft: d},
			{name: "stop_device_memory_size_query"}}
		compared := true
		for _, op := range ops {
			err := compareOperation(library, model, op)
			if errors.Is(err, errNotComparable) {
				compared = false
				continue
			}
			if err != nil && compared {
				t.Errorf("seed %d, query %d, %s:\n%v", *seed, i, d.script(), err)
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

func begin(t *testing.T, library, model *implementation) {
	t.Helper()
	if err := compareOperation(library, model, &operation{name: "create_handle"}); err != nil {
		t.Fatal(err)
	}
}

func end(t *testing.T, library, model *implementation) {
	t.Helper()
	if err := compareOperation(library, model, &operation{name: "destroy_handle"}); err != nil {
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
			if err := compareOperation(library, model, drawMemory(r)); err != nil {
				t.Fatalf("seed %d, before call %d: %v", *seed, i, err)
			}
		}
		d := drawCall(r, drawRoutine(r, false), true)
		err := compareOperation(library, model, &operation{name: "call", draft: d})
		if errors.Is(err, errNotComparable) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d, call %d, %s:\n%v", *seed, i, d.script(), err)
		}
		called++
	}
	t.Logf("%d of %d calls could be made, and agree", called, *count)
	end(t, library, model)
}

// drawMemory draws a change of the handle's memory.
func drawMemory(r *rand.Rand) *operation {
	sizes := []uint64{0, 1, 63, 64, 65, 1000, 4096, 65536, 100000, 1 << 20, 4732160, 9 << 20, 16 << 20,
		uint64(r.IntN(8 << 20))}
	op := &operation{name: "set_device_memory_size", size: sizes[r.IntN(len(sizes))]}
	if r.IntN(2) == 0 {
		op.name, op.null = "set_workspace", r.IntN(5) == 0
	}
	return op
}

// TestSequences compares random sequences of operations, in all environments, with limited device memory.
func TestSequences(t *testing.T) {
	for i := range max(1, *count/20) {
		ops, s := drawSequence(rand.New(rand.NewPCG(*seed, uint64(100+i))))
		compareSequence(t, i, ops, s)
	}
	t.Logf("%d sequences agree", max(1, *count/20))
}

// TestFaults compares random sequences in which exactly one allocation fails.
func TestFaults(t *testing.T) {
	library, _, closeBoth := pair(t, 64<<30)
	closeBoth()
	if library.fail == nil {
		t.Skip("allocations can be made to fail only on the HIP runtime without a GPU")
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

func compareSequence(t *testing.T, i int, ops []*operation, s conditions) {
	t.Helper()
	if replay(t, ops, s) == nil {
		return
	}
	ops = shrink(t, ops, s)
	t.Fatalf("seed %d, sequence %d, capacity %d, allocation %d fails, shrunk to:\n%s\n%v", *seed, i, s.capacity, s.nth,
		script(ops), replay(t, ops, s))
}

func drawSequence(r *rand.Rand) (ops []*operation, s conditions) {
	capacity := uint64(64 << 30)
	if r.IntN(3) == 0 { // arrays and workspaces take 80 MiB of it, which leaves little for the handle to grow
		capacity = arenaBytes + workspaceBytes + uint64(40+r.IntN(60))<<20
	}
	if findStub() == nil {
		capacity = 0
	}
	env := map[string]string{}
	switch r.IntN(6) {
	case 0:
		env["ROCBLAS_DEVICE_MEMORY_SIZE"] = []string{"0", "1", "4732160", "64KB", "", "-1", " 12 "}[r.IntN(7)]
	case 1:
		env["ROCBLAS_DEVICE_MEMORY_SIZE"] = strconv.Itoa(r.IntN(8 << 20))
	case 2:
		env["ROCBLAS_STREAM_ORDER_ALLOC"] = []string{"1", "0", "2", "x"}[r.IntN(4)]
	case 3:
		env["ROCBLAS_DEFAULT_ATOMICS_MODE"] = []string{"1", "0", "2", "x", "", "-1", "08"}[r.IntN(7)]
	}
	ops = append(ops, &operation{name: "create_handle", env: env}, &operation{name: "get_atomics_mode"})
	for range 40 + r.IntN(40) {
		ops = append(ops, drawOperation(r))
	}
	return append(ops, &operation{name: "destroy_handle"}), conditions{capacity: capacity}
}

func drawOperation(r *rand.Rand) *operation {
	switch r.IntN(12) {
	case 0, 1:
		return drawMemory(r)
	case 2:
		return &operation{name: "start_device_memory_size_query"}
	case 3:
		return &operation{name: "stop_device_memory_size_query"}
	case 4:
		return &operation{name: "is_managing_device_memory"}
	case 5:
		return &operation{name: "is_user_managing_device_memory"}
	}
	return &operation{name: "call", draft: drawCall(r, drawRoutine(r, false), true)}
}

// replay runs a sequence on both from the beginning, and returns the first difference.
func replay(t *testing.T, ops []*operation, s conditions) error {
	t.Helper()
	library, model, closeBoth := pair(t, s.capacity)
	defer closeBoth()
	if s.nth > 0 {
		library.fail(s.nth)
		model.fail(s.nth)
	}
	for _, op := range ops {
		if op.name != "create_handle" && (library.handle == nil || model.handle == nil) {
			continue
		}
		err := compareOperation(library, model, op)
		if errors.Is(err, errNotComparable) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s\n%w", op.script(), err)
		}
	}
	return nil
}

// shrink removes operations as long as the two still differ.
func shrink(t *testing.T, ops []*operation, s conditions) []*operation {
	for again := true; again; {
		again = false
		for i := len(ops) - 1; i > 0; i-- {
			shorter := append(append([]*operation{}, ops[:i]...), ops[i+1:]...)
			if replay(t, shorter, s) != nil {
				ops, again = shorter, true
			}
		}
	}
	return ops
}

func script(ops []*operation) string {
	text := []string{`local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"`,
		fmt.Sprintf("local arrays, workspace = hip.malloc(%d), hip.malloc(%d)", arenaBytes, workspaceBytes)}
	for _, op := range ops {
		text = append(text, op.script())
	}
	return strings.Join(text, "\n")
}
