// Package nvidia is the platform of NVIDIA's GPUs: CUDA's runtime for memory, streams and events, cuBLAS and cuSOLVER
// for the routines of the table. It opens all libraries at run time. The scratch memory of the libraries is workspace
// of the handle, like any other.
//
// Most routines of rocBLAS are called through the table: cuBLAS has the same parameters in C order, with other
// enumerations (direct.go). Most routines of rocSOLVER are rows of parameters that a function of cuSOLVER has (step in
// solver.go). The others have a function each, in the file of their subject; methods.go lists all. The same function
// computes a call and says, in a query, which workspace it needs (see execution). Batched forms that the libraries lack
// run as a loop over the problems. A family without a method is not computed on nvidia: calls return
// ErrorNotSupported, and Computes says why.
package nvidia

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"

	"roclua/hip"
	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

func init() { hip.Register("nvidia", Driver{}) }

// Driver opens NVIDIA's devices.
type Driver struct{}

// runtime is the devices of one case.
type runtime struct{ *native.Runtime }

// Open starts a runtime. Without libraries or devices the error is ErrorNoDevice and lists the names that were tried.
func (Driver) Open(cfg driver.Config) (driver.Runtime, error) {
	libs, err := opened()
	if err != nil {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%v", err)
	}
	base, err := native.Open(libs.api, cfg, func(d *native.Device) driver.Device { return newDevice(d, libs) })
	return &runtime{base}, err
}

// Close frees all memory, streams and events; the libraries' handles are kept for the next case.
func (rt *runtime) Close() error {
	err := rt.Runtime.Close()
	for _, d := range rt.Devices() {
		d.(*device).release(err == nil)
	}
	return err
}

// Computes names the functions that compute a routine, or says why there are none.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	switch how, reason := methodOf(r); {
	case reason != "":
		return "", reason
	case how.by == "":
		return directBy(r), ""
	default:
		return spell(how.by, r.Type), ""
	}
}

// Probe reports the libraries and devices of this machine.
func (Driver) Probe(cfg driver.Config) driver.Report {
	libs, err := opened()
	if err != nil {
		return driver.Report{Problem: err.Error(),
			Advice: "install the CUDA runtime with cuBLAS and cuSOLVER, version 12 or 13, or name their folder in " +
				EnvPath}
	}
	return native.Probe(libs.api, cfg, driver.Report{Parts: libs.parts()},
		"run on a machine with an NVIDIA GPU and its driver")
}

func (l *libraries) parts() []driver.Part {
	parts := []driver.Part{{Name: "CUDA runtime", Path: l.api.Library.Path, Version: "version unknown"}}
	if v, err := l.api.Version(); err == nil {
		parts[0].Version = fmt.Sprintf("%d.%d", v/1000, v%1000/10)
	}
	return append(parts, l.cublas.part("cuBLAS", "cublasGetProperty"),
		l.cusolver.part("cuSOLVER", "cusolverGetProperty"))
}

// part reports a library with its version.
func (l *library) part(name, function string) driver.Part {
	version := new([3]int32)
	for i := range version {
		if err := l.call(function, uintptr(i), uintptr(unsafe.Pointer(&version[i]))); err != nil {
			return driver.Part{Name: name, Path: l.lib.Path, Version: "version unknown"}
		}
	}
	text := fmt.Sprintf("%d.%d.%d", version[0], version[1], version[2])
	return driver.Part{Name: name, Path: l.lib.Path, Version: text}
}

// EnvPath is the environment variable with the folders that are searched first for CUDA's libraries.
const EnvPath = "ROCLUA_CUDA_PATH"

// libraries are CUDA's runtime and the two libraries that compute, opened once for the process.
type libraries struct {
	api              *native.API
	cublas, cusolver *library

	functions []atomic.Uintptr // with a routine's parameters, by its index in the table; 0 until they are used
	scratch   native.Table[scratchQuery, uint64]
	found     int32 // size queries may store a number of eigenvalues here; it is not read
}

// scratchQuery is a size query. The bounds of a range are not among its arguments, because no size depends on them.
type scratchQuery struct {
	function function
	device   int
	args     [14]int64
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
	api := &native.API{Library: cudart, Platform: "nvidia", Prefix: "cuda", Attributes: attributes,
		NameAndArch: describe, Can: driver.Capabilities{Executes: true}}
	return &libraries{
		api:       api,
		cublas:    &library{api: api, lib: cublas, number: func(m meaning) int32 { return m.cublas }},
		cusolver:  &library{api: api, lib: cusolver, number: func(m meaning) int32 { return m.cusolver }},
		functions: make([]atomic.Uintptr, routine.Count()),
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
