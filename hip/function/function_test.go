package function_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"roclua/hip/function"
	"roclua/hip/routine"
)

// readJSON reads a compressed JSON file.
func readJSON(t *testing.T, name string, to any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(to); err != nil {
		t.Fatal(err)
	}
}

// accepts reports whether a kind is right for a C type.
func accepts(k function.Kind, typ string) bool {
	typ = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(typ, "const", "")), " ", "")
	pointer := strings.HasSuffix(typ, "*")
	switch k {
	case function.Int32:
		return !pointer && typ != "size_t" && !strings.Contains(typ, "64") && typ != "unsignedint" &&
			typ != "rocblas_handle" && !strings.HasSuffix(typ, "rfinfo") && !strings.HasSuffix(typ, "ptr_t")
	case function.Uint32:
		return strings.HasPrefix(typ, "unsigned") && !pointer && !strings.Contains(typ, "long") || typ == "uint32_t" ||
			typ == "rocblas_layer_mode_flags"
	case function.Int64:
		return typ == "int64_t" || typ == "uint64_t" || typ == "rocblas_stride" || typ == "unsignedlonglong"
	case function.Size:
		return typ == "size_t"
	case function.Handle:
		return typ == "rocblas_handle"
	case function.Stream:
		return typ == "hipStream_t"
	case function.Event:
		return typ == "hipEvent_t"
	case function.Graph:
		return typ == "hipGraph_t" || typ == "hipGraphExec_t"
	case function.Address:
		return typ == "void*" || strings.HasSuffix(typ, "malloc_base*") || slices.Contains(objects, typ)
	case function.NewHandle:
		return typ == "rocblas_handle*"
	case function.NewStream:
		return typ == "hipStream_t*"
	case function.NewEvent:
		return typ == "hipEvent_t*"
	case function.NewGraph:
		return typ == "hipGraph_t*" || typ == "hipGraphExec_t*"
	case function.NewObject:
		return typ == "rocsolver_rfinfo*" || pointer && slices.Contains(objects, typ[:len(typ)-1])
	case function.NewMemory:
		return typ == "void**" || typ == "hipDeviceptr_t*" || typ == "hipPitchedPtr*"
	case function.SizeOut:
		return typ == "size_t*" || typ == "unsignedlonglong*"
	case function.IntOut:
		return pointer && typ != "size_t*" && typ != "void*" && typ != "char*"
	case function.Value:
		return typ == "void*"
	case function.InMemory:
		return structures[typ] > 2
	case function.Pointer:
		return pointer || strings.HasSuffix(typ, "rfinfo") || strings.HasSuffix(typ, "Pool_t") ||
			strings.HasSuffix(typ, "ptr_t") || strings.HasSuffix(typ, "Fn_t") || typ == "hipStreamCallback_t" ||
			typ == "hipFunction_t" || structures[typ] == 2
	}
	return false
}

// objects are the types of addresses and of objects of HIP without numbers.
var objects = []string{"hipDeviceptr_t", "hipMemPool_t", "hipMemGenericAllocationHandle_t", "hipArray_t",
	"hipArray__t", // hipArray_const_t without const
	"hipMipmappedArray_t", "hipCtx_t", "hipExternalMemory_t", "hipGraphNode_t"}

// structures has the words of structures that are passed by value; of more than two in memory.
var structures = map[string]int{"dim3": 2, "hipExtent": 3, "hipPitchedPtr": 4, "hipIpcMemHandle_t": 8,
	"hipIpcEventHandle_t": 8}

// compare compares a function's parameters with the names and types of a header.
func compare(t *testing.T, f *function.Function, want [][2]string, names bool) {
	t.Helper()
	if len(f.Params) != len(want) {
		t.Errorf("%s has %d parameters, the header has %d", f.Name, len(f.Params), len(want))
		return
	}
	for i, p := range f.Params {
		if names && p.Name != want[i][0] || !accepts(p.Kind, want[i][1]) {
			t.Errorf("%s: parameter %d is %s of kind %c, in the header %s %s", f.Name, i+1, p.Name, p.Kind, want[i][1],
				want[i][0])
		}
	}
}

// TestTableMatchesHeaders checks that each function of the headers of rocBLAS and rocSOLVER is a routine or in the
// table, with its parameters, and that the table has no others.
func TestTableMatchesHeaders(t *testing.T) {
	var headers map[string]struct{ Args [][2]string }
	readJSON(t, "../routine/testdata/signatures.json.gz", &headers)
	count := 0
	for name, want := range headers {
		f, known := function.Lookup(name)
		if _, isRoutine := routine.Lookup(name); isRoutine == known {
			t.Errorf("%s is a routine: %v, in the table: %v", name, isRoutine, known)
		} else if known {
			compare(t, f, want.Args, true)
			count++
		}
	}
	for _, f := range function.All() {
		variadic := len(f.Params) > 0 && f.Params[len(f.Params)-1].Kind == function.Sizes
		if strings.HasPrefix(f.Name, "roc") && !variadic { // the recorded signatures have no variadic functions
			count--
		}
	}
	if count != 0 || len(headers) < 2000 {
		t.Errorf("the table has %d functions that no header has; %d functions in headers", -count, len(headers))
	}
}

// TestHIPMatchesItsHeaders compares the functions of HIP with the headers of both releases: each is recorded, or there
// is a reason why it is not.
func TestHIPMatchesItsHeaders(t *testing.T) {
	var header map[string][]string
	readJSON(t, "testdata/hip.json.gz", &header)
	seen := map[string]bool{}
	for name, params := range header {
		f, known := function.Lookup(name)
		why, ignored := function.Ignored()[name]
		seen[name] = true
		if recorded := known && f.Recorded != function.Never; recorded == ignored || ignored && why == "" {
			t.Errorf("%s is recorded: %v, or not, for the reason %q", name, recorded, why)
		}
		if !known {
			continue
		}
		var want [][2]string
		for _, param := range params {
			at := strings.LastIndexAny(param, " *") + 1
			typ := strings.TrimSpace(strings.TrimPrefix(param[:at], "struct "))
			for range max(1, structures[typ]) {
				want = append(want, [2]string{param[at:], typ})
			}
		}
		compare(t, f, want, false)
	}
	for _, f := range function.All() {
		if hip := strings.HasPrefix(f.Name, "hip") && f.Name[3] < 'a'; hip && !seen[f.Name] {
			t.Errorf("no header has %s", f.Name)
		}
	}
	for name := range function.Ignored() {
		if !seen[name] {
			t.Errorf("no header has %s", name)
		}
	}
	if len(seen) < 500 {
		t.Errorf("the headers have %d functions", len(seen))
	}
}

// TestLayersMatchHeaders compares the functions of hipBLAS and hipSOLVER with the headers of both releases: on x86-64
// six integers or pointers are passed in registers, and eight floating-point numbers.
func TestLayersMatchHeaders(t *testing.T) {
	var headers map[string][]string
	readJSON(t, "testdata/layers.json.gz", &headers)
	for _, l := range function.Layers() {
		params, ok := headers[l.Name]
		delete(headers, l.Name)
		integers := 0
		for _, p := range params {
			p = strings.ReplaceAll(p, "const ", "")
			if strings.ContainsAny(p, "*[") || !strings.HasPrefix(p, "float ") && !strings.HasPrefix(p, "double ") {
				integers++
			}
		}
		if !ok || l.Words != max(0, integers-6) {
			t.Errorf("%s is in a header: %v; %d words in memory, want %d", l.Name, ok, l.Words, max(0, integers-6))
		}
	}
	if len(headers) > 0 {
		t.Errorf("%d functions are missing: %v", len(headers), headers)
	}
}
