package driver

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// TestElementsHaveTwoNames compares the names of every type in the driver, in scripts and in C, and finds it by name.
func TestElementsHaveTwoNames(t *testing.T) {
	for e, want := range map[Element]string{
		ElementS: "s (float)", ElementD: "d (double)", ElementC: "c (float complex)", ElementZ: "z (double complex)",
		ElementF16: "f16 (half)", ElementBF16: "bf16 (bfloat16)", ElementI8: "i8 (int8_t)", ElementI32: "i32 (int32_t)",
		ElementI64: "i64 (int64_t)", ElementPtr: "ptr (device address)",
		AnyElement: "bytes", elements: "bytes", elements + 1: "bytes",
	} {
		if e.String() != want {
			t.Errorf("type %d is %q, want %q", e, e, want)
		}
		name, _, ok := strings.Cut(want, " (")
		if !ok {
			name, e = "", AnyElement
		}
		if found := ElementNamed(name); found != e {
			t.Errorf("%q is %v, want %v", name, found, e)
		}
		if ok && e.Name() != name {
			t.Errorf("the name of %v is %q, want %q", e, e.Name(), name)
		}
	}
	if ElementNamed("float") != AnyElement || AnyElement.Name() != "" || elements.Name() != "" {
		t.Error("a type that does not exist has a name")
	}
}

// TestElementOf finds the types of arguments by the type of the routine, the form and the datatypes of the call.
func TestElementOf(t *testing.T) {
	for _, test := range []struct {
		routine string
		slot    routine.Slot
		want    Element
	}{
		{"rocblas_sgemm", routine.A, ElementS},
		{"rocblas_zgemm", routine.Alpha, ElementZ},
		{"rocblas_cherk", routine.C, ElementC},
		{"rocblas_cherk", routine.Alpha, ElementS},
		{"rocblas_dznrm2", routine.Result, ElementD},
		{"rocblas_hdot", routine.X, ElementF16},
		{"rocblas_bfdot", routine.X, ElementBF16},
		{"rocblas_gemm_ex", routine.A, ElementI8},
		{"rocsolver_dgetrf", routine.Ipiv, ElementI32},
		{"rocsolver_dgetrf_64", routine.Ipiv, ElementI64},
		{"rocsolver_dgetrf_64", routine.A, ElementD},
	} {
		r, ok := routine.Lookup(test.routine)
		if !ok {
			t.Fatalf("no routine %s", test.routine)
		}
		a := r.New()
		for i := range r.Params {
			if r.Params[i].Kind == routine.Datatype {
				a.SetInt(r.Params[i].Slot, routine.DatatypeI8)
			}
		}
		p, _ := r.ParamAt(test.slot)
		if have := ElementOf(a, p); have != test.want {
			t.Errorf("%s of %s is %v, want %v", p.Name, test.routine, have, test.want)
		}
	}
}

// TestReportsOfMemory compares the descriptions of reads of unwritten memory and of elements of another type.
func TestReportsOfMemory(t *testing.T) {
	read := UnwrittenRead{Site: Site{Call: "rocblas_dasum", Origin: "a.lua:4"}, Param: "x",
		Ptr: 0x1000_0000_0010, Bytes: 8, Of: 64,
		Offset: 16, Allocated: Site{Call: "hipMalloc", Origin: "a.lua:2"}, Size: 4096}
	copied, uncomputed := read, read
	copied.Param = ""
	uncomputed.Uncomputed, uncomputed.Platform = "geam", "cpu"
	mismatch := MismatchError{Site: read.Site, Param: "x", Ptr: 0x1000_0000_0010, Read: ElementD, Holds: ElementS,
		Written: Site{Call: "hipMemcpy", Origin: "a.lua:3"}}
	unnamed := mismatch
	unnamed.Param = ""
	for _, test := range []struct{ have, want string }{
		{read.String(), "rocblas_dasum at a.lua:4 reads x, of which nothing has written 8 of 64 bytes, from " +
			"0x100000000010 on: byte 16 of the 4096 bytes allocated by hipMalloc at a.lua:2"},
		{copied.String(), "rocblas_dasum at a.lua:4 reads device memory, of which nothing has written 8 of 64 bytes, " +
			"from 0x100000000010 on: byte 16 of the 4096 bytes allocated by hipMalloc at a.lua:2"},
		{uncomputed.String(), "rocblas_dasum at a.lua:4 reads x, of which 8 of 64 bytes have no values, because geam " +
			"is not computed on cpu; they begin at 0x100000000010, byte 16 of the 4096 bytes allocated by hipMalloc " +
			"at a.lua:2"},
		{mismatch.Error(), "rocblas_dasum: x is read as elements of type d (double), but at 0x100000000010 it holds " +
			"s (float), written by hipMemcpy at a.lua:3; hip.reinterpret declares that memory holds another type"},
		{unnamed.Error(), "rocblas_dasum: device memory is read as elements of type d (double), but at " +
			"0x100000000010 it holds s (float), written by hipMemcpy at a.lua:3; hip.reinterpret declares that " +
			"memory holds another type"},
		{Hazard{Earlier: Use{Call: "hipMemcpyAsync", Stream: 1, Origin: "x.lua:2"},
			Later: Use{Call: "read", Host: true, Origin: "x.lua:3"}}.String(),
			"read on the host (x.lua:3) uses memory that hipMemcpyAsync in stream 1 (x.lua:2) may still be using"},
	} {
		if test.have != test.want {
			t.Errorf("have %q,\nwant %q", test.have, test.want)
		}
	}
}

// TestNamesOfScripts converts names of C, and lists the constants of scripts under such names.
func TestNamesOfScripts(t *testing.T) {
	for cName, want := range map[string]string{
		"hipErrorOutOfMemory": "error_out_of_memory", "hipDeviceAttributeWarpSize": "device_attribute_warp_size",
		"hipSuccess": "success", "Malloc": "malloc",
	} {
		if have := ScriptName(cName); have != want {
			t.Errorf("%s becomes %s, want %s", cName, have, want)
		}
	}
	constants := Constants()
	for name, want := range map[string]int{"memcpy_default": 4, "stream_non_blocking": 1,
		"device_attribute_warp_size": int(AttributeWarpSize)} {
		if have, ok := constants[name]; !ok || have != want {
			t.Errorf("%s is %d, %v, want %d", name, have, ok, want)
		}
	}
	if list := Errors(); !slices.IsSorted(list) || len(list) != len(errorTable) || list[0] != Success {
		t.Errorf("the errors are %v", list)
	}
}

func TestMemoryOfABuffer(t *testing.T) {
	span := Span{Ptr: 256, Bytes: 64}
	l := Launch{Work: []Work{{ID: buffer.PartialSums}, {ID: buffer.Solution, Span: span}}}
	if have := l.Buffer(buffer.Solution); have != span {
		t.Errorf("the second buffer is %v, want %v", have, span)
	}
	if have := l.Buffer(buffer.MatrixCopy); have != (Span{}) {
		t.Errorf("a buffer that the call does not have is %v", have)
	}
	if n := (Rows{Width: 12, Count: 5, HostPitch: 16, DevicePitch: 20}).Bytes(); n != 60 {
		t.Errorf("5 rows of 12 bytes are %d bytes", n)
	}
}
