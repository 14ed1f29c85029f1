package conformance

import (
	"errors"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/argcheck"
	"roclua/workspace/status"
)

// TestNullHandles calls every routine, and every other function with a handle, with the null handle. The model rejects
// it before any other check.
func TestNullHandles(t *testing.T) {
	_, _, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	blas, err := dl.Open("librocblas.so.5", "librocblas.so.4")
	if err != nil {
		t.Skip(err)
	}
	solver, err := dl.Open("librocsolver.so.0")
	if err != nil {
		t.Skip(err)
	}
	called := 0
	for _, r := range routine.All() {
		library := blas
		if r.Library == routine.RocSOLVER {
			library = solver
		}
		symbol, err := library.Symbol(r.CName())
		if err != nil {
			continue // not in this release
		}
		for _, args := range nullCalls(r) {
			words := make([]uintptr, 1, len(r.Params)+1)
			for i := range r.Params {
				words = append(words, uintptr(args.Int(r.Params[i].Slot)))
			}
			_, err := workspace.Null.Call(args)
			have := status.Status(int32(dl.Call(symbol, words...)))
			if want := statusOf(err); have != want {
				t.Errorf("%s%v: the model %s, the library %s", r.CName(), words, want, have)
			}
		}
		called++
	}
	t.Logf("%d routines agree", called)
	nullHandleFunctions(t, blas)
}

// nullCalls returns calls with all arguments 0, 1 and -1, and with each combination of datatypes.
func nullCalls(r *routine.Routine) []*routine.Args {
	slots, combinations := argcheck.Datatypes(r)
	var list []*routine.Args
	for _, value := range []int64{0, 1, -1} {
		for _, datatypes := range append(combinations, nil) {
			a := r.New()
			for i := range r.Params {
				a.SetInt(r.Params[i].Slot, value)
			}
			for i, datatype := range datatypes {
				a.SetInt(slots[i], datatype)
			}
			list = append(list, a)
		}
	}
	return list
}

// statusOf returns the status of an error of the model.
func statusOf(err error) status.Status {
	var refused *workspace.Error
	switch {
	case err == nil:
		return status.Success
	case errors.As(err, &refused):
		return refused.Status
	}
	return status.InternalError
}

// nullHandleFunctions calls the functions that are not routines.
func nullHandleFunctions(t *testing.T, blas *dl.Library) {
	null := workspace.Null
	modeOf := func(_ int64, err error) error { return err }
	sizeOf := func(_ uint64, err error) error { return err }
	_, streamErr := null.Stream()
	var out [64]byte // receives results
	result := uintptr(unsafe.Pointer(&out[0]))
	for name, f := range map[string]struct {
		model error
		args  []uintptr
	}{
		"destroy_handle":                 {null.Destroy(), nil},
		"set_stream":                     {null.SetStream(nil), []uintptr{0}},
		"get_stream":                     {streamErr, []uintptr{result}},
		"set_pointer_mode":               {null.SetPointerMode(1), []uintptr{1}},
		"get_pointer_mode":               {modeOf(null.PointerMode()), []uintptr{result}},
		"set_atomics_mode":               {null.SetAtomicsMode(1), []uintptr{1}},
		"get_atomics_mode":               {modeOf(null.AtomicsMode()), []uintptr{result}},
		"start_device_memory_size_query": {null.StartQuery(), nil},
		"stop_device_memory_size_query":  {sizeOf(null.StopQuery(false)), []uintptr{result}},
		"get_device_memory_size":         {sizeOf(null.DeviceMemorySize()), []uintptr{result}},
		"set_device_memory_size":         {null.SetDeviceMemorySize(64), []uintptr{64}},
		"set_workspace":                  {null.SetWorkspace(0, 0), []uintptr{0, 0}},
	} {
		symbol, err := blas.Symbol("rocblas_" + name)
		if err != nil {
			t.Error(err)
			continue
		}
		have := status.Status(int32(dl.Call(symbol, append([]uintptr{0}, f.args...)...)))
		if want := statusOf(f.model); have != want {
			t.Errorf("rocblas_%s(NULL): the model %s, the library %s", name, want, have)
		}
	}
	for name, model := range map[string]bool{
		"is_managing_device_memory":      null.IsManaging(),
		"is_user_managing_device_memory": null.IsUserManaging(),
	} {
		symbol, err := blas.Symbol("rocblas_" + name)
		if err != nil {
			t.Error(err)
			continue
		}
		if have := byte(dl.Call(symbol, 0)) != 0; have != model {
			t.Errorf("rocblas_%s(NULL): the model %t, the library %t", name, model, have)
		}
	}
}
