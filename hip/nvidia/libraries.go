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

// EnvPath is the environment variable with the folders in which CUDA's libraries are searched first.
const EnvPath = "ROCLUA_CUDA_PATH"

// libraries are CUDA's runtime and the two libraries that compute, opened once for the process.
type libraries struct {
	api              *native.API
	cublas, cusolver *library

	functions []atomic.Uintptr // cuBLAS's function of each routine, by its index in the table; 0 until it is used
	scratch   table[scratchKey, uint64]
	dense     table[denseKey, uint64]
	found     int32 // where size queries may store a number of eigenvalues, which is not read
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
	api := newAPI(cudart)
	return &libraries{
		api:       api,
		cublas:    &library{api: api, lib: cublas, statuses: cublasStatuses},
		cusolver:  &library{api: api, lib: cusolver, statuses: cusolverStatuses},
		functions: make([]atomic.Uintptr, routine.Count()),
	}, nil
}

// candidates lists the places where a library may be: the folders of the environment variable, the loader's search
// path, the usual folders of an installation, and the packages of a Python environment.
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

// newAPI returns CUDA's runtime with the meaning of its numbers.
func newAPI(lib *dl.Library) *native.API {
	return &native.API{Library: lib, Prefix: "cuda", Attribute: attribute, NameAndArch: describe}
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

// describe reads the name from the properties, whose first field it is, and the architecture from the compute
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

// library is cuBLAS or cuSOLVER. Functions are searched when they are first used.
type library struct {
	api      *native.API
	lib      *dl.Library
	statuses map[int32]meaning
	symbols  table[function, uintptr]
}

// function is a function of a library. Its name is prefix, the letter of an element type unless it is 0, and name. It
// is made when the function is searched, or for an error.
type function struct {
	prefix string
	typ    routine.Type
	name   string
}

func (f function) String() string {
	if f.typ == 0 {
		return f.prefix + f.name
	}
	return f.prefix + strings.ToUpper(string(rune(f.typ))) + f.name
}

func (l *library) symbol(f function) (uintptr, error) {
	if address, ok := l.symbols.load(f); ok {
		return address, nil
	}
	address, err := l.lib.Symbol(f.String())
	if err != nil {
		return 0, driver.Faultf(driver.ErrorNotSupported, "%s", err)
	}
	l.symbols.store(f, address)
	return address, nil
}

// call calls a function by its name and translates its status.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) error {
	return l.callWords(function{name: name}, args)
}

// callWords calls a function and translates its status. See dl.CallWords for the arguments.
func (l *library) callWords(f function, args []uintptr) error {
	address, err := l.symbol(f)
	if err != nil {
		return err
	}
	return l.check(f, dl.CallWords(address, args))
}

// callArgs is call for functions that may have floating-point arguments.
func (l *library) callArgs(name string, args []dl.Arg) error {
	f := function{name: name}
	address, err := l.symbol(f)
	if err != nil {
		return err
	}
	return l.check(f, dl.CallArgs(address, args))
}

// table is a map for several goroutines. Unlike sync.Map it allocates no memory to look up a key.
type table[K comparable, V any] struct {
	mu     sync.RWMutex
	values map[K]V
}

func (t *table[K, V]) load(key K) (V, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	v, ok := t.values[key]
	return v, ok
}

func (t *table[K, V]) store(key K, v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		t.values = map[K]V{}
	}
	t.values[key] = v
}

// meaning is the meaning of a status of one of the libraries.
type meaning struct {
	code driver.Error
	text string
}

var cublasStatuses = map[int32]meaning{
	1:  {driver.ErrorNotInitialized, "not initialized"},
	3:  {driver.ErrorOutOfMemory, "allocation failed"},
	7:  {driver.ErrorInvalidValue, "invalid value"},
	8:  {driver.ErrorNotSupported, "architecture mismatch"},
	13: {driver.ErrorLaunchFailure, "execution failed"},
	14: {driver.ErrorLaunchFailure, "internal error"},
	15: {driver.ErrorNotSupported, "not supported"},
}

var cusolverStatuses = map[int32]meaning{
	1: {driver.ErrorNotInitialized, "not initialized"},
	2: {driver.ErrorOutOfMemory, "allocation failed"},
	3: {driver.ErrorInvalidValue, "invalid value"},
	4: {driver.ErrorNotSupported, "architecture mismatch"},
	6: {driver.ErrorLaunchFailure, "execution failed"},
	7: {driver.ErrorLaunchFailure, "internal error"},
	9: {driver.ErrorNotSupported, "not supported"},
}

// check returns the error of a status; nil for success. It clears the error that a library which failed may have left
// in the runtime, because the next call could report it again.
func (l *library) check(f function, result uintptr) error {
	status := int32(result)
	if status == 0 {
		return nil
	}
	l.api.ClearError()
	if m, ok := l.statuses[status]; ok {
		return &driver.Fault{Code: m.code, Func: f.String(), Detail: m.text}
	}
	return &driver.Fault{Code: driver.ErrorUnknown, Func: f.String(), Detail: fmt.Sprintf("status %d", status)}
}
