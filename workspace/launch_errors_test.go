package workspace_test

import (
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
	"roclua/workspace/status"
)

// lateCall is a handle on the simulated device and a call that follows an error.
type lateCall struct {
	*testing.T
	rt     *hip.Runtime
	handle workspace.Handle
	memory driver.Ptr // of all arrays
}

func newLateCall(t *testing.T, profile string, env map[string]string) *lateCall {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 30, Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	p, err := workspace.FindProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	rt.SetSuccessClearsError(p.Release.SuccessClearsError)
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: p, Environment: env})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := rt.Device().Malloc(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	return &lateCall{t, rt, h, memory}
}

// call calls a routine of order n, with as many elements of a sparse matrix, or none.
func (c *lateCall) call(name string, n int64, empty bool) (status.Status, error) {
	c.Helper()
	r, ok := routine.Lookup(name)
	if !ok {
		c.Fatal(name)
	}
	a, drawn := r.New(), sequence.SquareCall(r, n)
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case p.Slot == routine.NnzT && empty:
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		case p.Kind.IsPointer():
			a.SetPtr(p.Slot, uint64(c.memory))
		default:
			a.SetInt(p.Slot, drawn.Ints[p.Slot])
		}
	}
	out, err := c.handle.Call(a)
	return out.Status, err
}

// leave makes a call that leaves an error.
func (c *lateCall) leave(code driver.Error) {
	c.Helper()
	var err error
	switch code {
	case driver.ErrorInvalidDevice:
		err = c.rt.SetDevice(99)
	case driver.ErrorIllegalState:
		_, err = c.rt.Device().NullStream().EndCapture()
	default:
		_, err = c.rt.Device().Malloc(1 << 40)
	}
	if driver.CodeOf(err) != code {
		c.Fatalf("the call left %v, want %v", err, code)
	}
}

// TestEarlierErrors checks which calls return an error that an earlier call left, and reset it, as was observed with
// the libraries.
func TestEarlierErrors(t *testing.T) {
	const splitLU = "rocsolver_dcsrrf_splitlu"
	nullWork := map[string]string{workspace.EnvStreamOrderAlloc: "1", workspace.EnvDeviceMemorySize: "1000000"}
	for _, test := range []struct {
		profile, call string
		n             int64
		empty, query  bool
		env           map[string]string
		earlier       driver.Error
		want          status.Status
	}{
		{profile: "rocm-7.2", call: splitLU, n: 65, earlier: driver.ErrorOutOfMemory, want: status.MemoryError},
		{profile: "rocm-7.2", call: splitLU, n: 65, earlier: driver.ErrorInvalidDevice, want: status.InvalidHandle},
		{profile: "rocm-7.2", call: splitLU, n: 65, earlier: driver.ErrorIllegalState, want: status.InternalError},
		{profile: "rocm-7.2", call: splitLU, n: 64, earlier: driver.ErrorOutOfMemory, want: status.Success},
		{profile: "rocm-7.2", call: splitLU, n: 65, empty: true, earlier: driver.ErrorOutOfMemory,
			want: status.Success},
		{profile: "rocm-7.2", call: splitLU, n: 65, query: true, earlier: driver.ErrorOutOfMemory,
			want: status.SizeIncreased},
		{profile: "rocm-7.2", call: splitLU, n: 65, env: nullWork, earlier: driver.ErrorOutOfMemory,
			want: status.Success},
		{profile: "rocm-6.4", call: splitLU, n: 65, earlier: driver.ErrorOutOfMemory, want: status.Success},
		{profile: "rocm-7.2", call: "rocsolver_dcsrrf_sumlu", n: 65, earlier: driver.ErrorOutOfMemory,
			want: status.Success},
		{profile: "rocm-7.2", call: "rocblas_dgemm", n: 65, earlier: driver.ErrorOutOfMemory, want: status.Success},
		{profile: "rocm-7.2", call: "rocsolver_dgetrf", n: 65, earlier: driver.ErrorOutOfMemory, want: status.Success},
		{profile: "rocm-6.4", call: "rocblas_dgemv", n: 65, earlier: driver.ErrorOutOfMemory, want: status.Success},
	} {
		c := newLateCall(t, test.profile, test.env)
		if test.query {
			if err := c.handle.StartQuery(); err != nil {
				t.Fatal(err)
			}
		}
		c.leave(test.earlier)
		have, err := c.call(test.call, test.n, test.empty)
		if have != test.want {
			t.Errorf("%+v: %v (%v)", test, have, err)
		}
		reads := !test.want.OK() && !test.query
		if reads && !strings.Contains(err.Error(), test.earlier.Error()+": left by an earlier call, hip") {
			t.Errorf("%+v: the error is %q", test, err)
		}
		kept := test.earlier
		if reads || test.profile == "rocm-6.4" {
			kept = driver.Success
		}
		if code := c.rt.LastError(); code != kept {
			t.Errorf("%+v: the last error is %v, want %v", test, code, kept)
		}
		if reads {
			if have, err := c.call(test.call, test.n, false); have != status.Success {
				t.Errorf("%+v, repeated: %v (%v)", test, have, err)
			}
		}
	}
}

// TestErrorsOfGrowth checks that an error which the library caused itself is returned again by the next call that
// reads it, and not by the one after that.
func TestErrorsOfGrowth(t *testing.T) {
	c := newLateCall(t, "rocm-7.2", nil)
	if err := c.handle.SetDeviceMemorySize(1 << 40); err == nil {
		t.Fatal("the device has that much memory")
	}
	for i, want := range []status.Status{status.MemoryError, status.Success} {
		if have, err := c.call("rocsolver_scsrrf_splitlu", 100, false); have != want {
			t.Errorf("call %d: %v, want %v (%v)", i, have, want, err)
		}
	}
}
