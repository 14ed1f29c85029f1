package amd

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/nogpu"
)

// BLASLt is an installed hipBLASLt on a device. It says which kernels it uses, and computes nothing. It is not for
// several goroutines at a time.
type BLASLt struct {
	Path, Version string
	Arch          string // of the device
	Units         int    // its compute units

	library *dl.Library
	handle  uintptr
	reply   reply
}

// ltNames are the names of hipBLASLt.
var ltNames = []string{"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so"}

const ltAdvice = "install hipBLASLt (libhipblaslt1 of Debian, hipblaslt of AMD's packages), or name its folder in " +
	EnvPath

// NoBLASLt is the error of a machine on which hipBLASLt cannot be used.
type NoBLASLt struct{ Reason, Advice string }

func (e *NoBLASLt) Error() string { return e.Reason + "\nto do: " + e.Advice }

// ltKernels are the files that decide which kernels hipBLASLt uses.
var ltKernels = kernelFolders{title: "hipBLASLt", variable: "HIPBLASLT_TENSILE_LIBPATH",
	below: []string{"hipblaslt/library"}}

// BLASLtWithoutGPU returns a HIP runtime that needs no GPU, for OpenBLASLt and devices of an architecture.
func BLASLtWithoutGPU(ctx context.Context, arch string) (string, error) {
	path := nogpu.Find(search().Candidates(ltNames...)...)
	if path == "" {
		return "", &NoBLASLt{"no hipBLASLt was found: " + strings.Join(ltNames, ", "), ltAdvice}
	}
	if err := ltKernels.check(path, arch); err != nil {
		return "", err
	}
	return nogpu.Compile(ctx, path)
}

// OpenBLASLt opens hipBLASLt and makes a handle. runtime is the path of a HIP runtime, or "" for the one that the
// library finds.
func OpenBLASLt(runtime string) (*BLASLt, error) {
	if runtime != "" {
		if _, err := dl.Open(runtime); err != nil {
			return nil, err
		}
	}
	library, err := dl.Open(search().Candidates(ltNames...)...)
	if err != nil {
		return nil, &NoBLASLt{"no hipBLASLt was found: " + err.Error(), ltAdvice}
	}
	// A lookup in a library finds the functions of the libraries that it needs, here of HIP.
	api := &native.API{Library: library, Prefix: "hip", NameAndArch: nameAndArch, KeepsErrors: true}
	rt, err := native.Open(api, driver.Config{Devices: 1})
	if err != nil {
		return nil, &NoBLASLt{err.Error(), "use a machine with an AMD GPU, or --without-gpu"}
	}
	device := rt.Devices()[0].Properties()
	rt.Close()
	arch, _, _ := strings.Cut(device.Arch, ":")
	path := nogpu.Find(library.Path)
	if path != "" {
		if err := ltKernels.check(path, arch); err != nil {
			return nil, err
		}
	}
	l := &BLASLt{Path: cmp.Or(path, library.Path), Arch: arch, Units: device.Multiprocessors, library: library}
	if err := l.call("hipblasLtCreate", uintptr(unsafe.Pointer(&l.handle))); err != nil {
		return nil, err
	}
	var version int32
	if err := l.call("hipblasLtGetVersion", l.handle, uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	l.Version = fmt.Sprintf("%d.%d.%d", version/100_000, version/100%1000, version%100)
	return l, nil
}

// Close destroys the handle.
func (l *BLASLt) Close() error { return l.call("hipblasLtDestroy", l.handle) }

// ltStatuses are the names of the statuses of hipBLAS, by number.
var ltStatuses = []string{"SUCCESS", "NOT_INITIALIZED", "ALLOC_FAILED", "INVALID_VALUE", "MAPPING_ERROR",
	"EXECUTION_FAILED", "INTERNAL_ERROR", "NOT_SUPPORTED", "ARCH_MISMATCH", "HANDLE_IS_NULLPTR", "INVALID_ENUM",
	"UNKNOWN"}

// LtStatus is a status of a function of hipBLASLt other than success.
type LtStatus struct {
	Function string
	Status   int
}

func (e *LtStatus) Error() string {
	if e.Status < len(ltStatuses) {
		return fmt.Sprintf("%s: HIPBLAS_STATUS_%s", e.Function, ltStatuses[e.Status])
	}
	return fmt.Sprintf("%s: status %d", e.Function, e.Status)
}

// call calls a function that returns a hipblasStatus_t.
//
//go:uintptrescapes
func (l *BLASLt) call(name string, args ...uintptr) error {
	address, err := l.library.Symbol(name)
	if err != nil {
		return &NoBLASLt{err.Error(), "install a complete hipBLASLt in place of " + l.library.Path}
	}
	if status := int(int32(dl.CallWords(address, args))); status != 0 {
		return &LtStatus{name, status}
	}
	return nil
}
