package nvidia

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

	functions []atomic.Uintptr // cuBLAS's function of each routine, by its index in the table; 0 until it is used
	scratch   table[scratchQuery, uint64]
	found     int32 // size queries may store a number of eigenvalues here; it is not read
}

var opened = sync.OnceValues(open)

func open() (*libraries, error) {
	var missing []error
	find := func(stem string, versions ...string) *dl.Library {
		lib, err := dl.Open(candidates(stem, versions...)...)
		if err != nil {
			missing = append(missing, err)
		}
		return lib
	}
	cudart := find("cudart", "13", "12")
	// cuBLAS and cuSOLVER load these by name. The loader finds libraries that are already open.
	for _, stem := range []string{"nvJitLink", "cublasLt", "cusparse"} {
		dl.Open(candidates(stem, "13", "12")...)
	}
	cublas, cusolver := find("cublas", "13", "12"), find("cusolver", "12", "11")
	if len(missing) > 0 {
		var texts []string
		for _, err := range missing {
			texts = append(texts, err.Error())
		}
		return nil, errors.New(strings.Join(texts, "; "))
	}
	return newLibraries(cudart, cublas, cusolver), nil
}

func newLibraries(cudart, cublas, cusolver *dl.Library) *libraries {
	api := &native.API{Library: cudart, Prefix: "cuda", Attribute: attribute, NameAndArch: describe}
	return &libraries{
		api:       api,
		cublas:    &library{api: api, lib: cublas, statuses: cublasStatuses},
		cusolver:  &library{api: api, lib: cusolver, statuses: cusolverStatuses},
		functions: make([]atomic.Uintptr, routine.Count()),
	}
}

// candidates lists where a library may be: in the folders of the environment variable, the loader's search
// path, the usual folders of an installation, or the packages of a Python environment.
func candidates(stem string, versions ...string) []string {
	var files []string
	for _, v := range versions {
		files = append(files, "lib"+stem+".so."+v)
	}
	files = append(files, "lib"+stem+".so")
	var list []string
	for _, folder := range filepath.SplitList(os.Getenv(EnvPath)) {
		list = append(list, existing(folder, files)...)
		list = append(list, existing(filepath.Join(folder, "lib64"), files)...)
		list = append(list, existing(filepath.Join(folder, "lib"), files)...)
	}
	list = append(list, files...)
	for _, pattern := range folders() {
		found, _ := filepath.Glob(pattern)
		for _, folder := range found {
			list = append(list, existing(folder, files)...)
		}
	}
	return list
}

// existing lists the files that a folder contains.
func existing(folder string, files []string) []string {
	var list []string
	for _, f := range files {
		path := filepath.Join(folder, f)
		if _, err := os.Stat(path); err == nil {
			list = append(list, path)
		}
	}
	return list
}

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
