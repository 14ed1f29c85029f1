package amd

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/hip/native"
	"roclua/hip/release"
	"roclua/hip/routine"
)

// EnvPath is the environment variable with the folders that are searched first for ROCm's libraries.
const EnvPath = "ROCLUA_ROCM_PATH"

// libraries are HIP, rocBLAS, rocSOLVER and the C library whose environment they read, opened once for the process.
type libraries struct {
	api                     *native.API
	rocblas, rocsolver      *dl.Library
	c                       *dl.Library
	layers                  [len(layerKinds)]layer        // opened when they are first used
	symbols                 native.Table[string, uintptr] // by C name
	routines                []atomic.Uintptr              // by Routine.Index; 0 until they are used
	environment             map[string]string
	blasVersion, solVersion string

	findLog sync.Once
	log     uintptr // see callLog
}

var solverNames = []string{"librocsolver.so.1", "librocsolver.so.0", "librocsolver.so"}

var opened = sync.OnceValues(open)

// search returns where ROCm's libraries may be.
func search() *native.Search {
	return &native.Search{EnvPath: EnvPath, Below: []string{"lib"}, Usual: []string{"/opt/rocm/lib", "/opt/rocm-*/lib"}}
}

func open() (*libraries, error) {
	from := search()
	l := &libraries{environment: map[string]string{}, routines: make([]atomic.Uintptr, routine.IndexCount())}
	hipLibrary := from.Open(versions("libamdhip64.so", (*release.Release).HIPMajor)...)
	l.rocblas = from.Open(blasNames()...)
	l.rocsolver = from.Open(solverNames...)
	l.c, _ = dl.Open("libc.so.6")
	if err := from.Err(); err != nil {
		return nil, err
	}
	l.api = &native.API{Library: hipLibrary, Platform: "amd", Prefix: "hip", NameAndArch: nameAndArch,
		Can: driver.Capabilities{Library: true, KeepsErrors: true}}
	l.blasVersion, l.solVersion = l.version("rocblas_get_version_string"), l.version("rocsolver_get_version_string")
	return l, nil
}

// versions lists the names under which a library may be installed: with the major version of each release, newest
// first, then without one.
func versions(name string, major func(*release.Release) string) []string {
	var list []string
	for _, r := range slices.Backward(release.All()) {
		if versioned := name + "." + major(r); !slices.Contains(list, versioned) {
			list = append(list, versioned)
		}
	}
	return append(list, name)
}

// symbol returns the address of a function of rocBLAS or rocSOLVER. It looks the function up when it is first used.
func (l *libraries) symbol(name string) (uintptr, error) {
	if address, ok := l.symbols.Load(name); ok {
		return address, nil
	}
	for i := range l.layers {
		if y := &l.layers[i]; strings.HasPrefix(name, layerKinds[i].name) {
			if err := y.open(i); err != nil {
				return 0, err
			}
			return l.find(name, y.library, layerKinds[i].title)
		}
	}
	lib, version := l.rocblas, "rocBLAS "+shown(l.blasVersion)
	if strings.HasPrefix(name, "rocsolver_") {
		lib, version = l.rocsolver, "rocSOLVER "+shown(l.solVersion)
	}
	return l.find(name, lib, version)
}

func (l *libraries) find(name string, lib *dl.Library, version string) (uintptr, error) {
	address, err := lib.Symbol(name)
	if err != nil {
		return 0, driver.Faultf(driver.ErrorNotSupported, "%s is not in this library, %s", name, version)
	}
	l.symbols.Store(name, address)
	return address, nil
}

func (l *libraries) function(r *routine.Routine) (uintptr, error) {
	if address := l.routines[r.Index].Load(); address != 0 {
		return address, nil
	}
	address, err := l.symbol(r.CName())
	if r.Library == routine.HipBLAS && r.Family.Mixed() {
		// The functions of rocm-6.4 take a hipDataType if their names say that they are of the second version.
		name, wide := strings.CutSuffix(r.CName(), "_64")
		if name += "_v2"; wide {
			name += "_64"
		}
		if second, err := l.symbol(name); err == nil {
			address = second
		}
	}
	if err == nil {
		l.routines[r.Index].Store(address)
	}
	return address, err
}

// call calls a function that returns a rocblas_status.
//
//go:uintptrescapes
func (l *libraries) call(name string, args ...uintptr) (int, error) {
	address, err := l.symbol(name)
	if err != nil {
		return 0, err
	}
	return int(int32(dl.CallWords(address, args))), nil
}

// callTyped is call for a function of the table, whose arguments may be doubles: their words have the bits.
func (l *libraries) callTyped(name string, words []uintptr) (int, error) {
	f, ok := function.Lookup(name)
	if !ok || !slices.ContainsFunc(f.Params, func(p function.Param) bool { return p.Kind == function.Double }) {
		return l.call(name, words...)
	}
	address, err := l.symbol(name)
	if err != nil {
		return 0, err
	}
	list := make([]dl.Arg, len(words))
	for i, w := range words {
		if list[i] = dl.Word(w); f.Params[i].Kind == function.Double {
			list[i] = dl.Double(math.Float64frombits(uint64(w)))
		}
	}
	return int(int32(dl.CallArgs(address, list))), nil
}

// version returns the version of a library, such as "4.4.1.b6328b4".
func (l *libraries) version(function string) string {
	text := make([]byte, 256)
	status, err := l.call(function, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	if err != nil || status != 0 {
		return "of unknown version"
	}
	return native.CString(text)
}

// setEnvironment sets the variables of a case in the environment of the C library, and restores the variables of the
// previous case.
func (l *libraries) setEnvironment(environment map[string]string) error {
	if l.c == nil {
		return nil
	}
	set, err1 := l.c.Symbol("setenv")
	unset, err2 := l.c.Symbol("unsetenv")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for name := range l.environment {
		if _, keep := environment[name]; keep {
			continue
		}
		key := append([]byte(name), 0)
		if before, had := os.LookupEnv(name); had {
			value := append([]byte(before), 0)
			dl.Call(set, uintptr(unsafe.Pointer(&key[0])), uintptr(unsafe.Pointer(&value[0])), 1)
		} else {
			dl.Call(unset, uintptr(unsafe.Pointer(&key[0])))
		}
	}
	for name, text := range environment {
		key, value := append([]byte(name), 0), append([]byte(text), 0)
		dl.Call(set, uintptr(unsafe.Pointer(&key[0])), uintptr(unsafe.Pointer(&value[0])), 1)
	}
	l.environment = environment
	return nil
}

// Where hipDeviceProp_tR0600 has the name and the architecture, and its size, from hip_runtime_api.h of versions 6 and
// 7.
const (
	propertiesBytes = 1472
	archOffset      = 1160
	nameBytes       = 256
)

func nameAndArch(a *native.API, device int) (name, arch string, err error) {
	properties := make([]byte, 4*propertiesBytes)
	if err := a.Call("GetDevicePropertiesR0600", uintptr(unsafe.Pointer(&properties[0])), uintptr(device)); err != nil {
		return "", "", err
	}
	return native.CString(properties[:nameBytes]), native.CString(properties[archOffset : archOffset+nameBytes]), nil
}

// shown returns a version without its final point, which the versions of releases have.
func shown(version string) string { return strings.TrimSuffix(version, ".") }

// parts describes the libraries that were found, for a report.
func (l *libraries) parts() []driver.Part {
	hip := driver.Part{Name: "HIP", Path: l.api.Library.Path, Version: "version unknown"}
	if v, err := l.api.Version(); err == nil {
		hip.Version = fmt.Sprintf("%d.%d.%d", v/10_000_000, v/100_000%100, v%100_000)
	}
	return []driver.Part{
		hip,
		{Name: "rocBLAS", Path: l.rocblas.Path, Version: shown(l.blasVersion)},
		{Name: "rocSOLVER", Path: l.rocsolver.Path, Version: shown(l.solVersion)},
	}
}

// layerKinds are the libraries above rocBLAS and rocSOLVER: the prefix of their functions, their title, their files,
// newest first, and their packages of Debian.
var layerKinds = [...]struct {
	name, title string
	files       []string
	packages    string
}{
	{"hipblas", "hipBLAS", []string{"libhipblas.so.3", "libhipblas.so.2", "libhipblas.so"},
		"libhipblas3 or libhipblas2"},
	{"hipsolver", "hipSOLVER", []string{"libhipsolver.so.1", "libhipsolver.so.0", "libhipsolver.so"},
		"libhipsolver1 or libhipsolver0"},
}

// layer is a library above rocBLAS and rocSOLVER.
type layer struct {
	once    sync.Once
	library *dl.Library
	err     error
}

// open opens the library when it is first used: most programs do not use it. The error is a *driver.NoLayer.
func (y *layer) open(kind int) error {
	y.once.Do(func() {
		k, from := &layerKinds[kind], search()
		y.library = from.Open(k.files...)
		if err := from.Err(); err != nil {
			y.err = &driver.NoLayer{Reason: fmt.Sprintf("%s was not found (%s); install %s of Debian or %s of AMD's "+
				"packages, or name its folder in %s", k.title, err, k.packages, k.name, EnvPath)}
		}
	})
	return y.err
}

// kernelFolders are where a library has the files of its kernels.
type kernelFolders struct {
	title    string
	variable string   // the environment variable that names the folder
	below    []string // otherwise patterns of it, from the folder of the library
}

var blasKernels = kernelFolders{title: "rocBLAS", variable: "ROCBLAS_TENSILE_LIBPATH",
	below: []string{"rocblas/*/library", "rocblas/library"}}

// kernelFile matches a file with kernels of an architecture, such as "TensileLibrary_lazy_gfx90a.dat".
var kernelFile = regexp.MustCompile(`^TensileLibrary.*_(gfx[0-9a-f]+)[.](?:dat|yaml)$`)

// check returns an error if a library has kernels in files, and none for an architecture. rocBLAS would end the process
// in the first GEMM.
func (f kernelFolders) check(library, arch string) error {
	folders := []string{os.Getenv(f.variable)}
	if folders[0] == "" {
		path, err := filepath.EvalSymlinks(library)
		if err != nil {
			return err
		}
		folders = nil
		for _, pattern := range f.below {
			found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
			folders = append(folders, found...)
		}
	}
	var have []string
	for _, folder := range folders {
		files, _ := os.ReadDir(folder)
		for _, f := range files {
			if m := kernelFile.FindStringSubmatch(f.Name()); m != nil && !slices.Contains(have, m[1]) {
				have = append(have, m[1])
			}
		}
	}
	name, _, _ := strings.Cut(arch, ":")
	if have == nil || slices.Contains(have, name) {
		return nil
	}
	slices.Sort(have)
	return fmt.Errorf("this %s, %s, has no kernels for the architecture %s (have %s)", f.title, library, name,
		strings.Join(have, ", "))
}

// systemFolders are folders of the loader, where packages of distributions have rocBLAS.
var systemFolders = []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}

// TuningFolders returns the folders of tuning files of installed versions of rocBLAS, of a release. They are in the
// folder of the library, where the platform finds it.
func TuningFolders(r *release.Release) []string {
	name := "librocblas.so." + r.RocBLASMajor()
	libraries := search().Candidates(name)
	for _, folder := range systemFolders {
		libraries = append(libraries, filepath.Join(folder, name))
	}
	var found []string
	for _, path := range libraries {
		if _, err := os.Stat(path); err != nil || path == name {
			continue
		}
		for _, below := range []string{"rocblas/library", "rocblas/" + r.RocBLASMajor() + "*/library"} {
			folders, _ := filepath.Glob(filepath.Join(filepath.Dir(path), below))
			found = append(found, folders...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
