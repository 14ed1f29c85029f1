//go:build linux

package tests

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"roclua/hip"
	"roclua/hip/cpu"
	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/host"
)

// faulty is a platform for tests: the simulated device, except that hipMalloc of certain sizes crashes the process or
// misbehaves like C libraries and defective devices.
type faulty struct{ driver.Unsupported }

func init() {
	programs["faulty"] = func() {
		hip.Register("faulty", faulty{})
		os.Exit(host.Main(os.Args[1:], host.OSEnv()))
	}
}

// The effects of hipMalloc, by its size in bytes.
const (
	segfaults     = 1 // in C
	aborts        = 2
	isKilled      = 3
	exits3        = 4
	hangs         = 5
	prints        = 6 // to standard output and standard error
	writesGarbage = 7 // to the pipe for results
	losesDevice   = 8
	waits         = 9  // fails until the folder has a file "go", and makes a file of its number
	waitsAgain    = 10 // the same
	sleeps        = 11 // until its process ends, and makes the file sleeping
)

func (faulty) Open(c driver.Config) (driver.Runtime, error) {
	rt, err := cpu.Driver{}.Open(c)
	return &faultyRuntime{Runtime: rt}, err
}

type faultyRuntime struct {
	driver.Runtime
	lost bool
}

func (r *faultyRuntime) Devices() []driver.Device {
	return []driver.Device{&faultyDevice{r.Runtime.Devices()[0], r}}
}

func (r *faultyRuntime) Close() error {
	if err := r.Runtime.Close(); err != nil || !r.lost {
		return err
	}
	return driver.Faultf(driver.ErrorIllegalAddress, "the device is lost")
}

type faultyDevice struct {
	driver.Device
	rt *faultyRuntime
}

func (d *faultyDevice) Malloc(bytes uint64) (driver.Ptr, error) {
	kill := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	switch bytes {
	case segfaults:
		inC("strlen", 8)
	case aborts:
		inC("abort")
	case isKilled:
		kill()
	case exits3:
		inC("_exit", 3)
	case hangs:
		inC("sleep", 1000)
	case prints:
		fmt.Println("junk on the output")
		fmt.Fprintln(os.Stderr, "junk on the other")
	case writesGarbage:
		syscall.Write(3, []byte{0x80})
	case waits, waitsAgain:
		time.Sleep(time.Millisecond) // the trace has each call
		os.WriteFile(fmt.Sprint(bytes), nil, 0o600)
		if _, err := os.Stat("go"); err != nil {
			return 0, driver.ErrorNotReady
		}
	case sleeps:
		os.WriteFile(sleeping, fmt.Appendln(nil, os.Getpid()), 0o600)
		time.Sleep(time.Hour)
	case losesDevice:
		d.rt.lost = true
		return 0, driver.ErrorIllegalAddress
	}
	return d.Device.Malloc(bytes)
}

// inC calls a function of the C library.
func inC(name string, args ...uintptr) {
	c, err := dl.Open("libc.so.6")
	if err != nil {
		panic(err)
	}
	function, err := c.Symbol(name)
	if err != nil {
		panic(err)
	}
	dl.Call(function, args...)
}
