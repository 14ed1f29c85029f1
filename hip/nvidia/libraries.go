package nvidia

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

// EnvPath is the environment variable with the folders that are searched first for CUDA's libraries.
const EnvPath = "ROCLUA_CUDA_PATH"

// libraries are CUDA's runtime and the two libraries that compute, opened once for the process.
type libraries struct {
	api              *native.API
	cublas, cusolver *library

	functions []atomic.Pointer[directFunction] // by the routine's index in the table; nil until they are used
	scratch   table[scratchQuery, uint64]
	found     int32 // size queries may store a number of eigenvalues here; it is not read
}

// scratchQuery is a size query. The bounds of a range are not among its arguments, because no size depends on them.
type scratchQuery struct {
	function function
	device   int
	args     [14]int64
}

// directFunction is cuBLAS's function with the parameters of a routine, in little memory, because each call reads it.
type directFunction struct {
	address uintptr
	slots   []routine.Slot // of the parameters in C order
	kinds   []routine.Kind
}

var opened = sync.OnceValues(open)

func open() (*libraries, error) {
	from := &native.Search{EnvPath: EnvPath, Below: []string{"lib64", "lib"}, Usual: folders()}
	cudart := from.Open(names("cudart", "13", "12")...)
	// cuBLAS and cuSOLVER load these by name. The loader finds libraries that are already open.
	for _, stem := range []string{"nvJitLink", "cublasLt", "cusparse"} {
		dl.Open(from.Candidates(names(stem, "13", "12")...)...)
	}
	cublas, cusolver := from.Open(names("cublas", "13", "12")...), from.Open(names("cusolver", "12", "11")...)
	if err := from.Err(); err != nil {
		return nil, err
	}
	return newLibraries(cudart, cublas, cusolver), nil
}

func newLibraries(cudart, cublas, cusolver *dl.Library) *libraries {
	api := &native.API{Library: cudart, Prefix: "cuda", Attribute: attribute, NameAndArch: describe}
	return &libraries{
		api:       api,
		cublas:    &library{api: api, lib: cublas, number: func(m meaning) int32 { return m.cublas }},
		cusolver:  &library{api: api, lib: cusolver, number: func(m meaning) int32 { return m.cusolver }},
		functions: make([]atomic.Pointer[directFunction], routine.Count()),
	}
}

// names returns the files of a library of several versions.
func names(stem string, versions ...string) []string {
	var files []string
	for _, v := range versions {
		files = append(files, "lib"+stem+".so."+v)
	}
	return append(files, "lib"+stem+".so")
}

// folders lists the usual folders of an installation and of packages in a Python environment.
func folders() []string {
	list := []string{
		"/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64", "/usr/lib/x86_64-linux-gnu", "/opt/cuda/lib64",
	}
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(variable); root != "" {
			list = append(list, filepath.Join(root, "lib", "python3*", "site-packages", "nvidia", "*", "lib"))
		}
	}
	return append(list,
		"/usr/local/lib/python3*/*-packages/nvidia/*/lib", "/usr/lib/python3*/*-packages/nvidia/*/lib",
		"/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib", "/opt/*/lib/python3*/site-packages/nvidia/*/lib")
}

// attributes are CUDA's numbers of device attributes.
var attributes = map[driver.Attribute]int{
	driver.AttributeEccEnabled:                  32,
	driver.AttributeAsyncEngineCount:            40,
	driver.AttributeClockRate:                   13,
	driver.AttributeConcurrentKernels:           31,
	driver.AttributeIntegrated:                  18,
	driver.AttributeManagedMemory:               83,
	driver.AttributeMaxThreadsPerBlock:          1,
	driver.AttributeMaxThreadsPerMultiProcessor: 39,
	driver.AttributeMultiprocessorCount:         16,
	driver.AttributeMaxSharedMemoryPerBlock:     8,
	driver.AttributeWarpSize:                    10,
	driver.AttributeMemoryPoolsSupported:        115,
}

const computeMajor, computeMinor = 75, 76

func attribute(a driver.Attribute) (int, bool) {
	number, ok := attributes[a]
	return number, ok
}

// describe reads the name, which is the first field of the properties, and derives the architecture from the compute
// capability.
func describe(a *native.API, device int) (name, arch string, err error) {
	properties := make([]byte, 1<<14) // far more than any version's structure
	err = a.Call("GetDeviceProperties", uintptr(unsafe.Pointer(&properties[0])), uintptr(device))
	if driver.CodeOf(err) == driver.ErrorNotSupported {
		err = a.Call("GetDeviceProperties_v2", uintptr(unsafe.Pointer(&properties[0])), uintptr(device))
	}
	if err != nil {
		return "", "", err
	}
	major, err := a.AttributeByNumber(computeMajor, device)
	if err != nil {
		return "", "", err
	}
	minor, err := a.AttributeByNumber(computeMinor, device)
	return native.CString(properties[:256]), fmt.Sprintf("sm_%d%d", major, minor), err
}
