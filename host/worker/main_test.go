//go:build unix

package worker

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/cpu"
	"roclua/hip/driver"
)

// TestMain lets the test program be its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		hip.Register("faulty", faulty{})
		if err := Serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// faulty is the simulated device, except that hipMalloc of certain sizes ends its process or takes too much.
type faulty struct{ driver.Unsupported }

func (faulty) Open(c driver.Config) (driver.Runtime, error) {
	rt, err := cpu.Driver{}.Open(c)
	return faultyRuntime{rt}, err
}

type faultyRuntime struct{ driver.Runtime }

func (r faultyRuntime) Devices() []driver.Device {
	return []driver.Device{faultyDevice{r.Runtime.Devices()[0]}}
}

type faultyDevice struct{ driver.Device }

// The effects of hipMalloc, by its size in bytes.
const (
	isKilled   = 1
	overflows  = 2
	hangs      = 3
	fillsHeap  = 4
	fillsPages = 5
	prints     = 6
)

// filledPages is how many bytes fillsPages fills.
const filledPages = 240 << 20

func (d faultyDevice) Malloc(bytes uint64) (driver.Ptr, error) {
	switch bytes {
	case isKilled:
		process, _ := os.FindProcess(os.Getpid())
		process.Kill()
		time.Sleep(time.Hour)
	case overflows:
		depth = overflow(0)
	case hangs:
		time.Sleep(time.Hour)
	case fillsHeap:
		for {
			kept = append(kept, touched(make([]byte, 1<<20)))
		}
	case fillsPages:
		for range filledPages >> 20 {
			page, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE,
				syscall.MAP_ANON|syscall.MAP_PRIVATE)
			if err != nil {
				panic(err)
			}
			touched(page)
		}
		time.Sleep(time.Hour)
	case prints:
		fmt.Println("on the output")
		fmt.Fprintln(os.Stderr, "on the other")
	}
	if f, err := os.OpenFile(os.Getenv("ROCLUA_TEST_CALLS"), os.O_APPEND|os.O_WRONLY, 0); err == nil {
		fmt.Fprintln(f, bytes)
		f.Close()
	}
	return d.Device.Malloc(bytes)
}

var kept [][]byte

func touched(b []byte) []byte {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	return b
}

var depth int

// overflow calls itself until the stack is full. Go walks all frames of a stack that overflows, so they are large.
func overflow(n int) int {
	var frame [4096]byte
	if n < 0 {
		return 0
	}
	frame[n%len(frame)] = 1
	return overflow(n+1) + int(frame[0])
}
