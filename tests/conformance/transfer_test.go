package conformance

import (
	"errors"
	"math/rand/v2"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/workspace"
	"roclua/workspace/status"
)

// transferFunctions are the functions that copy between host and device, without a handle. Each has a 64-bit form.
var transferFunctions = []struct {
	name     string
	matrix   bool
	toDevice bool
	async    bool
}{
	{"rocblas_set_vector", false, true, false}, {"rocblas_get_vector", false, false, false},
	{"rocblas_set_matrix", true, true, false}, {"rocblas_get_matrix", true, false, false},
	{"rocblas_set_vector_async", false, true, true}, {"rocblas_get_vector_async", false, false, true},
	{"rocblas_set_matrix_async", true, true, true}, {"rocblas_get_matrix_async", true, false, true},
}

// TestTransfers compares the statuses of random copies between host and device. Numbers in the 64-bit forms may exceed
// 32 bits if the call copies nothing.
func TestTransfers(t *testing.T) {
	library, _, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	lib, err := dl.Open("librocblas.so.5", "librocblas.so.4")
	if err != nil {
		t.Skip(err)
	}
	r := rand.New(rand.NewPCG(*seed, 7))
	host := make([]byte, 4096)
	draw := func() int64 { return []int64{-1, 0, 1, 2, 3, 3, 4, 5}[r.IntN(8)] }
	for i := range *count {
		f := transferFunctions[r.IntN(len(transferFunctions))]
		call := &workspace.Transfer{Func: f.name, Rows: 1, Cols: draw(), ElemSize: draw(), ToDevice: f.toDevice,
			HostLD: draw(), DeviceLD: draw(), HostNull: r.IntN(8) == 0}
		if f.matrix {
			call.Rows = draw()
		}
		if r.IntN(8) != 0 {
			call.Device = library.Arrays()
		}
		symbolName, wide := f.name, r.IntN(2) == 0
		if wide {
			symbolName += "_64"
		}
		if wide && r.IntN(2) == 0 {
			call.HostNull = true
			for _, number := range []*int64{&call.Rows, &call.Cols, &call.ElemSize, &call.HostLD, &call.DeviceLD} {
				if r.IntN(2) == 0 && (number != &call.Rows || f.matrix) {
					*number += 1 << 32
				}
			}
		}
		_, err := call.Check()
		want := status.Success
		var refused *workspace.Error
		if errors.As(err, &refused) {
			want = refused.Status
		}
		symbol, err := lib.Symbol(symbolName)
		if err != nil {
			t.Fatal(err)
		}
		if have := status.Status(int32(dl.Call(symbol, words(call, f.matrix, f.async, host)...))); have != want {
			t.Fatalf("seed %d, copy %d, %s %+v: the model %s, the library %s", *seed, i, symbolName, call, want, have)
		}
	}
	t.Logf("%d copies agree", *count)
}

// words returns the arguments of a copy in C order.
func words(call *workspace.Transfer, matrix, async bool, host []byte) []uintptr {
	onHost := []uintptr{uintptr(unsafe.Pointer(&host[0])), uintptr(call.HostLD)}
	if call.HostNull {
		onHost[0] = 0
	}
	onDevice := []uintptr{uintptr(call.Device), uintptr(call.DeviceLD)}
	list := []uintptr{uintptr(call.Cols), uintptr(call.ElemSize)}
	if matrix {
		list = append([]uintptr{uintptr(call.Rows)}, list...)
	}
	if call.ToDevice {
		list = append(append(list, onHost...), onDevice...)
	} else {
		list = append(append(list, onDevice...), onHost...)
	}
	if async {
		list = append(list, 0) // the null stream
	}
	return list
}
