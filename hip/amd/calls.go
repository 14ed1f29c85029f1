package amd

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

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

// ReportedCalls implements driver.CallReporter.
func (d *device) ReportedCalls() []driver.ReportedCall {
	log := d.libs.callLog()
	if log == 0 {
		return nil
	}
	text, n := logBuffer(), uintptr(0)
	d.OnCurrent(func() error { // the log has changes of the current device, too
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
