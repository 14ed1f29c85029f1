package workspace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// capture is a recorded sequence that captures streams, as roclua verify --kind captures writes it.
type capture struct {
	Env     map[string]string
	Devices int // 0 is one
	Ops     []capturedStep
}

type capturedStep struct {
	Op       string
	Args     map[string]json.Number
	Nulls    []string
	Scalars  map[string][2]float64
	Size     uint64
	Null     bool
	Direct   bool
	Value    *bool
	Status   string
	Held     *uint64 `json:"device_memory_size"`
	Handle   int
	Device   int
	Stream   int
	Event    int
	Mode     driver.CaptureMode
	Nodes    string
	Captures string
	Calls    []string
}

// functions are the names of functions that have others in recordings.
var functions = map[string]string{"start": "start_device_memory_size_query", "stop": "stop_device_memory_size_query",
	"is_managing": "is_managing_device_memory", "is_user_managing": "is_user_managing_device_memory"}

// operation returns the operation of a step.
func (s *capturedStep) operation(env map[string]string) *sequence.Operation {
	op := &sequence.Operation{Name: s.Op, Size: s.Size, Null: s.Null, Handle: s.Handle, Device: s.Device,
		Stream: s.Stream, Event: s.Event, Mode: s.Mode, Direct: s.Direct}
	if op.IsCreate() {
		op.Env = env
	}
	if name, ok := functions[s.Op]; ok {
		op.Name = name
	}
	if r, ok := routine.Lookup(s.Op); ok {
		op.Name, op.Call = "", s.call(r)
	}
	return op
}

// call returns the call of a step.
func (s *capturedStep) call(r *routine.Routine) *sequence.Call {
	c := sequence.NewCall(r, map[routine.Slot]int64{})
	for i := range r.Params {
		p := &r.Params[i]
		switch value := s.Args[p.Name]; {
		case slices.Contains(s.Nulls, p.Name):
			c.Null[p.Slot] = true
		case p.Kind == routine.Scalar:
			c.Scalars[p.Slot] = complex(s.Scalars[p.Name][0], s.Scalars[p.Name][1])
		case p.Kind == routine.Real:
			c.Reals[p.Slot], _ = value.Float64()
		case !p.Kind.IsPointer():
			c.Ints[p.Slot], _ = value.Int64()
		}
	}
	return c
}

// result returns the library's result of a step.
func (s *capturedStep) result(op *sequence.Operation) sequence.Result {
	r := sequence.Result{Status: s.Status, Value: s.Nodes, Calls: s.Calls, States: s.Captures}
	switch {
	case s.Value != nil:
		r.Value = fmt.Sprint(*s.Value)
	case op.StopsQuery() && s.Status == "success":
		r.Value = fmt.Sprint(s.Size)
	}
	if s.Held != nil {
		r.Held = fmt.Sprint(*s.Held)
	}
	return r
}

// archs returns the architecture of each device.
func (c *capture) archs() []string {
	list := strings.Split(archOf(c.Env), ",")
	for len(list) < c.Devices {
		list = append(list, list[len(list)-1])
	}
	return list
}

// hasCopies reports whether the copies of the library were recorded, too.
func (c *capture) hasCopies() bool {
	return slices.ContainsFunc(c.Ops, func(s capturedStep) bool {
		return slices.ContainsFunc(s.Calls, sequence.IsCopy)
	})
}

// replay runs a sequence on the simulated device and returns the first difference.
func (c *capture) replay(profile *workspace.Profile) error {
	rt, err := hip.Open("cpu",
		driver.Config{Archs: c.archs(), MemoryBytes: 64 << 30, Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		return err
	}
	defer rt.Close()
	side := &sequence.Side{Runtime: rt, Profile: profile, Log: func() []string { return sequence.MemoryCalls(rt) }}
	if err := side.Prepare(); err != nil {
		return err
	}
	env := maps.Clone(c.Env)
	delete(env, "STUBHIP_ARCH")
	for i := range c.Ops {
		op := c.Ops[i].operation(env)
		if side.Lacks(op) {
			continue // the library was not called either
		}
		want := c.Ops[i].result(op)
		have, err := side.Run(op)
		var abort *workspace.Abort
		if errors.As(err, &abort) {
			have, err = sequence.Result{Status: "aborts"}, nil
		}
		if !c.hasCopies() {
			have.Calls = slices.DeleteFunc(have.Calls, sequence.IsCopy)
		}
		if want.Held == "" {
			have.Held = ""
		}
		if err != nil || !have.Same(want) {
			return fmt.Errorf("operation %d, %s: %s, %v, the library: %s", i, op.CName(), have, err, want)
		}
	}
	return nil
}

// captureSample is the part of the recorded captures that is replayed by default: one of so many.
const captureSample = 8

// TestCaptures replays the recorded captures on the simulated device: a part of them, or with -all every one.
func TestCaptures(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		profile, err := workspace.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range goldenFiles(t, name, "captures") {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				failed, replayed := 0, 0
				share := captureSample
				if *all {
					share = 1
				}
				readSample(t, file, share, func(line int, c *capture) {
					replayed++
					if err := c.replay(profile); err != nil {
						if failed++; failed <= 5 {
							t.Errorf("line %d, %v: %v", line, c.Env, err)
						}
					}
				})
				t.Logf("%d of %d captures agree", replayed-failed, replayed)
			})
		}
	}
}

// TestSequencesOfDevices replays the recorded sequences with a handle on each of two and three devices, which are used
// while any of the devices is the current one.
func TestSequencesOfDevices(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		profile, err := workspace.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range goldenFiles(t, name, "devices") {
			readGolden(t, file, func(line int, c *capture) {
				if err := c.replay(profile); err != nil {
					t.Errorf("%s, line %d, %v: %v", file, line, c.Env, err)
				}
			})
		}
	}
}

// TestCaptureThresholds checks the orders where the libraries of both releases begin to wait, or do not check a
// launch in a capture that was invalidated.
func TestCaptureThresholds(t *testing.T) {
	both := []string{"rocm-6.4", "rocm-7.2"}
	type operations []*sequence.Operation
	invalid := operations(sequence.Order(3, 2, 0))
	device := operations{{Name: "set_pointer_mode", Size: routine.PointerModeDevice}}
	for _, c := range []struct {
		profiles []string
		call     string
		n        int64
		before   operations // in the capture
		want     string
	}{
		{both, "rocsolver_dbdsqr", 1, nil, "success, 1"}, {both, "rocsolver_dbdsqr", 2, nil, "internal_error, 2"},
		{both, "rocsolver_dsyevj", 58, nil, "success, 1"}, {both, "rocsolver_dsyevj", 59, nil, "internal_error, 2"},
		{both, "rocsolver_dsygvj", 59, nil, "success, 2"}, {both, "rocsolver_dsytrd", 256, nil, "success, 1"},
		{both[:1], "rocsolver_dsytrd", 257, nil, "success, 2"},
		{both[1:], "rocsolver_dsytrd", 257, nil, "success, 1"},
		{both, "rocblas_dtrtri_batched", 32, nil, "success, 1"},
		{both, "rocblas_dtrtri_batched", 33, nil, "success, 2"},
		{both, "rocblas_dtrtri_batched", 64, nil, "internal_error, 2"},
		{both, "rocblas_dtrtri_batched", 127, nil, "internal_error, 2"},
		{both[:1], "rocblas_dtrtri_batched", 128, nil, "success, 2"},
		{both[1:], "rocblas_dtrtri_batched", 128, nil, "internal_error, 2"},
		{both, "rocblas_dtrtri", 200, nil, "success, 1"},
		{both, "rocblas_dtrtri", 32, device, "success, 1"},
		{both, "rocblas_dtrtri", 33, device, "success, 2"},
		{both, "rocblas_dtrtri", 64, device, "internal_error, 2"},
		{both[:1], "rocblas_dtrtri", 128, device, "success, 2"},
		{both[1:], "rocblas_dtrtri", 128, device, "internal_error, 2"},
		{both, "rocblas_dtrsm", 32, invalid, "internal_error, 2"}, {both, "rocblas_dtrsm", 33, invalid, "success, 2"},
		{both, "rocblas_dtrsm", 64, invalid, "success, 2"}, {both, "rocblas_dtrsm", 65, invalid, "internal_error, 2"},
		{both, "rocblas_ztrsm", 33, invalid, "internal_error, 2"},
		{both[:1], "rocblas_dtrmm", 384, invalid, "success, 2"},
		{both[1:], "rocblas_dtrmm", 384, invalid, "internal_error, 2"},
		{both, "rocsolver_dgetrf", 200, invalid, "success, 2"},
		{both, "rocsolver_dstedc", 200, invalid, "internal_error, 2"},
		{both, "rocsolver_dsterf", 200, invalid, "success, 2"},
		{both, "rocblas_trsm_ex", 64, invalid, "success, 2"},
		{both, "rocblas_trsm_ex", 65, invalid, "internal_error, 2"},
		{both, "rocblas_trsm_ex", 1, device, "success, 1"},
		{both, "rocblas_trsm_ex", 65, device, "internal_error, 2"},
		{both, "rocsolver_dgeblttrf_npvt", 1, device, "success, 1"},
		{both, "rocsolver_dgeblttrf_npvt", 2, device, "success, 2"},
		{both, "rocsolver_dgeblttrs_npvt", 1, device, "success, 1"},
		{both, "rocsolver_dgeblttrs_npvt", 2, device, "success, 2"},
		{both, "rocsolver_dsyevdj", 15, device, "success, 1"},
		{both, "rocsolver_dsyevdj", 16, device, "success, 2"},
		{both, "rocsolver_dsyevdx", 15, device, "success, 1"},
		{both, "rocsolver_dsyevdx", 16, device, "success, 2"},
		{both, "rocsolver_dsygvdj", 16, device, "success, 1"},
		{both, "rocsolver_dsyevd", 1, invalid, "internal_error, 2"},
		{both, "rocsolver_dstedc", 15, invalid, "success, 2"},
		{both, "rocsolver_dstedc", 16, invalid, "internal_error, 2"},
		{both, "rocsolver_dcsrrf_splitlu", 64, invalid, "success, 2"},
		{both, "rocsolver_dcsrrf_splitlu", 65, invalid, "internal_error, 2"},
		{both, "rocblas_idamax", 200, nil, "internal_error, 2"},
		{both, "rocblas_idamax_64", 200, nil, "success, 2"},
	} {
		for _, name := range c.profiles {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			if have := capturedCall(t, profile, c.call, c.n, c.before); have != c.want {
				t.Errorf("%s, %s n=%d after %d operations: %s, want %s", name, c.call, c.n, len(c.before), have, c.want)
			}
		}
	}
}

// capturedCall captures operations and a call of order n, and returns the status of the call and of the capture.
func capturedCall(t *testing.T, profile *workspace.Profile, name string, n int64,
	before []*sequence.Operation) string {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 64 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	side := &sequence.Side{Runtime: rt, Profile: profile}
	if err := side.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, ok := routine.Lookup(name)
	if !ok {
		t.Fatal(name)
	}
	ops := []*sequence.Operation{sequence.CreateHandle(nil), sequence.SetStream(2), sequence.BeginCapture(2, 0)}
	ops = append(append(ops, before...), &sequence.Operation{Call: sequence.SquareCall(r, n)})
	var last sequence.Result
	for _, op := range ops {
		if last, err = side.Run(op); err != nil {
			t.Fatalf("%s: %v", op.CName(), err)
		}
	}
	return fmt.Sprintf("%s, %s", last.Status, last.States[2:3])
}
