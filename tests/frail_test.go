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

// frail is a platform that breaks: the simulated device, but for a hipMalloc of a few bytes, which does to the process what C
// libraries and broken devices do.
type frail struct{}

func init() {
	programs["frail"] = func() {
		hip.Register("frail", frail{})
		os.Exit(host.Main(os.Args[1:], host.OSEnv()))
	}
}

// What hipMalloc of so many bytes does.
const (
	segfaults     = 1 // in C
	aborts        = 2
	isKilled      = 3
	exits3        = 4
	hangs         = 5
	prints        = 6 // on both outputs
	scribbles     = 7 // what begins no answer, on the pipe that answers go out on
	losesDevice   = 8
	isKilledLater = 9 // when the case is over
)

func (frail) Open(c driver.Config) (driver.Runtime, error) {
	rt, err := cpu.Driver{}.Open(c)
	return &frailRuntime{Runtime: rt}, err
}

type frailRuntime struct {
	driver.Runtime
	lost bool
}

func (r *frailRuntime) Devices() []driver.Device {
	return []driver.Device{&frailDevice{r.Runtime.Devices()[0], r}}
}

func (r *frailRuntime) Close() error {
	if err := r.Runtime.Close(); err != nil || !r.lost {
		return err
	}
	return driver.Faultf(driver.ErrorIllegalAddress, "the device is lost")
}

type frailDevice struct {
	driver.Device
	rt *frailRuntime
}

func (d *frailDevice) Malloc(bytes uint64) (driver.Ptr, error) {
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
	case scribbles:
		syscall.Write(3, []byte{0x80})
	case losesDevice:
		d.rt.lost = true
		return 0, driver.ErrorIllegalAddress
	case isKilledLater:
		time.AfterFunc(50*time.Millisecond, kill)
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
