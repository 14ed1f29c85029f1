package conformance

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/hipblas"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// TestNullHandles calls every routine, and every other function with a handle, with the null handle.
func TestNullHandles(t *testing.T) {
	_, _, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	libraries := map[routine.Library]*dl.Library{}
	for library, files := range map[routine.Library][]string{
		routine.RocBLAS: {"librocblas.so.5", "librocblas.so.4"}, routine.RocSOLVER: {"librocsolver.so.0"},
		routine.HipBLAS:   {"libhipblas.so.3", "libhipblas.so.2"},
		routine.HipSOLVER: {"libhipsolver.so.1", "libhipsolver.so.0"},
	} {
		opened, err := dl.Open(files...)
		if err != nil {
			t.Skip(err)
		}
		libraries[library] = opened
	}
	called := 0
	for _, r := range slices.Concat(routine.All(), routine.HipBLAS.Routines(), routine.HipSOLVER.Routines()) {
		symbol, err := libraries[r.Library].Symbol(r.CName())
		if err != nil {
			continue // not in this release
		}
		if narrow, wide := strings.CutSuffix(r.CName(), "_64"); r.Library == routine.HipBLAS && r.Family.Mixed() {
			// On rocm-6.4 the other functions take datatypes of another enumeration.
			name := narrow + "_v2"
			if wide {
				name += "_64"
			}
			if second, err := libraries[r.Library].Symbol(name); err == nil {
				symbol = second
			}
		}
		for _, args := range nullCalls(r) {
			words := make([]uintptr, 1, len(r.Params)+1)
			for i := range r.Params {
				words = append(words, uintptr(args.Int(r.Params[i].Slot)))
			}
			have := int(int32(dl.Call(symbol, words...)))
			if want := nullStatus(args); have != want {
				t.Errorf("%s%v: the model %d, the library %d", r.CName(), words, want, have)
			}
			called++
		}
	}
	t.Logf("%d calls agree", called)
	nullHandleFunctions(t, libraries)
}

// scratch is memory for what calls store.
var scratch [1 << 12]byte

// nullCalls returns calls with all arguments 0, 1 and -1, and legal values of enumerations. In other calls all
// enumerations but one are legal, or datatypes have one of their combinations.
func nullCalls(r *routine.Routine) (list []*routine.Args) {
	memory := int64(uintptr(unsafe.Pointer(&scratch)))
	slots, combinations := behavior.Datatypes(r)
	add := func(value int64, legal bool) *routine.Args {
		a := r.New()
		for i := range r.Params {
			switch p := &r.Params[i]; {
			case p.Kind.IsEnum() && legal:
				a.SetInt(p.Slot, p.Legal()[0])
			case p.Kind.IsPointer() && value != 0, p.IsNumber() && r.Library == routine.HipBLAS:
				a.SetInt(p.Slot, memory)
			default:
				a.SetInt(p.Slot, value)
			}
		}
		list = append(list, a)
		return a
	}
	for _, value := range []int64{0, 1, -1} {
		add(value, false)
		add(value, true)
		for i := range r.Params {
			if p := &r.Params[i]; p.Kind.IsEnum() {
				add(value, true).SetInt(p.Slot, 7)
			}
		}
		for _, datatypes := range combinations {
			a := add(value, false)
			for i, datatype := range datatypes {
				a.SetInt(slots[i], datatype)
			}
		}
	}
	return list
}

// nullStatus returns the number of the status of a call with the null handle.
func nullStatus(a *routine.Args) int {
	var err error
	switch a.Routine.Library {
	case routine.HipBLAS:
		_, err = hipblas.Call(workspace.Null, a)
	case routine.HipSOLVER:
		_, err = hipsolver.Call(workspace.Null, a, hipsolver.Objects{})
	default:
		_, err = workspace.Null.Call(a)
	}
	var layer *workspace.LayerError
	if errors.As(err, &layer) {
		return layer.Status.Number()
	}
	return int(statusOf(err))
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
func nullHandleFunctions(t *testing.T, libraries map[routine.Library]*dl.Library) {
	blas, null := libraries[routine.RocBLAS], workspace.Null
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
		"set_math_mode":                  {null.SetMathMode(1), []uintptr{1}},
		"get_math_mode":                  {modeOf(null.MathMode()), []uintptr{result}},
		"set_performance_metric":         {null.SetPerformanceMetric(1), []uintptr{1}},
		"get_performance_metric":         {modeOf(null.PerformanceMetric()), []uintptr{result}},
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
