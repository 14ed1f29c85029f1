// Package amd is the platform "amd" for AMD's GPUs. It opens libamdhip64 for memory, streams and events, and librocblas
// and librocsolver for handles and routines, at run time. Handles belong to the library, so the memory model is not
// used. Routines are called through the table, with the arguments of the C declaration.
package amd

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"roclua/hip"
	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

func init() { hip.Register("amd", Driver{}) }

// Driver opens AMD's devices.
type Driver struct{}

// Open starts a runtime. Without libraries or devices the error is ErrorNoDevice and lists the names that were tried.
func (Driver) Open(cfg driver.Config) (driver.Runtime, error) {
	libs, err := opened()
	if err != nil {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%v", err)
	}
	return native.Open(libs.api, cfg, func(d *native.Device) driver.Device { return &device{Device: d, libs: libs} })
}

// device is one GPU, with the libraries that make its handles.
type device struct {
	*native.Device
	libs   *libraries
	result uint64 // where the libraries write results of functions
}

// LibraryVersions returns the versions of rocBLAS and rocSOLVER.
func (d *device) LibraryVersions() (rocblas, rocsolver string) {
	return d.libs.blasVersion, d.libs.solVersion
}

// Computes implements driver.Driver: the libraries have every routine of the table.
func (Driver) Computes(*routine.Routine) (by, reason string) { return "", "" }

// Probe reports which libraries and devices there are.
func (Driver) Probe(cfg driver.Config) driver.Report {
	libs, err := opened()
	if err != nil {
		return driver.Report{Problem: err.Error(), Advice: installAdvice}
	}
	r := driver.Report{Parts: libs.parts(), Version: shown(libs.blasVersion), Solver: shown(libs.solVersion),
		Calls: libs.reportsCalls()}
	return native.Probe(libs.api, cfg, r, "run on a machine with an AMD GPU that the kernel driver serves")
}

// logBytes is the size of the log of the HIP runtime without a GPU.
const logBytes = 64 << 20

// logBuffer receives a copy of the log.
var logBuffer = sync.OnceValue(func() []byte { return make([]byte, logBytes) })

// reportsCalls reports whether the HIP runtime has a log of its calls.
func (l *libraries) reportsCalls() bool { return l.callLog() != 0 }

// callLog returns the address of the function that copies the log and empties it, or 0.
func (l *libraries) callLog() uintptr {
	l.findLog.Do(func() { l.log, _ = l.api.Library.Symbol("roclua_hip_log") })
	return l.log
}

func (d *device) ReportedCalls() []driver.ReportedCall {
	log := d.libs.callLog()
	if log == 0 {
		return nil
	}
	text, n := logBuffer(), uintptr(0)
	d.Current().OnDevice(func() error { // the log has changes of the current device, too
		n = dl.CallWords(log, []uintptr{uintptr(unsafe.Pointer(&text[0])), uintptr(len(text))})
		return nil
	})
	if n == 0 {
		return nil
	}
	list := readLog(string(text[:n]))
	for i := range list {
		list[i].Device = d.NumberOf(list[i].Device)
	}
	return list
}

// iterationsKept is the number of equal pairs of calls in a row that are kept, or of equal calls. Solvers that copy to
// the host and wait after each iteration make many when kernels do not run.
const iterationsKept = 1 << 14

// readLog reads a log: a line has the name of a call, its bytes, its result and its device.
func readLog(text string) []driver.ReportedCall {
	var list []driver.ReportedCall
	repeated := 0
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			continue
		}
		bytes, err1 := strconv.ParseUint(fields[1], 10, 64)
		result, err2 := strconv.Atoi(fields[2])
		device, err3 := strconv.Atoi(fields[3])
		c := driver.ReportedCall{Name: fields[0], Device: device, Bytes: bytes, Result: driver.Error(result)}
		if err1 != nil || err2 != nil || err3 != nil {
			continue
		}
		list = append(list, c)
		if n := len(list); n < 4 || list[n-1] != list[n-3] || list[n-2] != list[n-4] {
			repeated = 0
		} else if repeated++; repeated >= 2*iterationsKept {
			list, repeated = list[:n-2], repeated-2
		}
	}
	return slices.Clip(list)
}
