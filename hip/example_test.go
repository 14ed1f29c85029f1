package hip_test

import (
	"fmt"
	"log"
	"strings"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
)

// must ends the example on an error.
func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// simulated opens the simulated device with 1 GiB of memory.
func simulated() *hip.Runtime {
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30})
	must(err)
	return rt
}

// Allocate device memory, copy to it and from it.
func Example() {
	rt := simulated()
	defer rt.Close()
	dev := rt.Device()

	p, err := dev.Malloc(8)
	must(err)
	defer dev.Free(p)
	must(dev.Fill(p, 7, 8))
	must(dev.Write(p, []byte{1, 2, 3}))
	data := make([]byte, 8)
	must(dev.Read(data, p))
	fmt.Println(data)
	// Output: [1 2 3 7 7 7 7 7]
}

// Work in one stream is done in order. An event orders the work of two streams.
func ExampleStream_WaitEvent() {
	rt := simulated()
	defer rt.Close()
	dev := rt.Device()
	producer, err := dev.NewStream(true)
	must(err)
	consumer, err := dev.NewStream(true)
	must(err)
	ready, err := dev.NewEvent()
	must(err)
	p, err := dev.Malloc(4)
	must(err)

	must(dev.FillAsync(p, 5, 4, producer))
	must(ready.Record(producer))
	must(consumer.WaitEvent(ready))
	data := make([]byte, 4)
	must(dev.ReadAsync(data, p, consumer))
	must(consumer.Synchronize())
	fmt.Println(data, len(rt.Hazards()), "hazards")
	// Output: [5 5 5 5] 0 hazards
}

// The simulated device reports unordered uses of the same memory by two streams, independent of timing.
func ExampleRuntime_Hazards() {
	rt := simulated()
	defer rt.Close()
	dev := rt.Device()
	rt.SetOrigin(func() string { return "example.lua:3" })
	first, err := dev.NewStream(true)
	must(err)
	second, err := dev.NewStream(true)
	must(err)
	p, err := dev.Malloc(64)
	must(err)

	must(dev.FillAsync(p, 1, 64, first))
	must(dev.FillAsync(p, 2, 32, second)) // does not wait for the first stream
	must(dev.Synchronize())
	for _, h := range rt.Hazards() {
		fmt.Printf("%d bytes: %s in stream %d, then %s in stream %d at %s\n",
			h.Bytes, h.Earlier.Call, h.Earlier.Stream, h.Later.Call, h.Later.Stream, h.Later.Origin)
	}
	fmt.Println(len(rt.Hazards()), "more,", len(rt.History().Hazards), "in the history")
	// Output:
	// 32 bytes: hipMemsetAsync in stream 1, then hipMemsetAsync in stream 2 at example.lua:3
	// 0 more, 1 in the history
}

// A runtime counts calls and memory, and records each call with its cause.
func ExampleRuntime_Stats() {
	rt := simulated()
	defer rt.Close()
	dev := rt.Device()
	p, err := dev.Malloc(1000)
	must(err)
	restore := dev.SetCause("growth", 1) // a library makes the next calls
	q, err := dev.Malloc(500)
	must(err)
	restore()
	must(dev.Free(p))

	stats := rt.Stats()
	fmt.Println(stats.Calls["hipMalloc"], "allocations,", stats.LiveBytes, "bytes live,", stats.PeakBytes, "at most")
	for _, c := range rt.Trace() {
		fmt.Println(c.Name, c.Bytes, c.Cause, c.Result)
	}
	fmt.Println(len(rt.Leaks()), "block is open:", rt.Leaks()[0].Ptr == q)
	// Output:
	// 2 allocations, 500 bytes live, 1500 at most
	// hipMalloc 1000 script hipSuccess
	// hipMalloc 500 growth hipSuccess
	// hipFree 0 script hipSuccess
	// 1 block is open: true
}

// Misuse that is undefined behavior in a vendor's runtime is an error with an explanation.
func ExampleDevice_Free() {
	rt := simulated()
	defer rt.Close()
	line := 0
	rt.SetOrigin(func() string { line++; return fmt.Sprintf("a:%d", line) })
	dev := rt.Device()
	p, err := dev.Malloc(100)
	must(err)
	must(dev.Free(p))
	err = dev.Free(p)
	fmt.Println(driver.CodeOf(err))
	fmt.Println(strings.ReplaceAll(err.Error(), ": ", ":\n"))
	// Output:
	// hipErrorInvalidValue
	// hipErrorInvalidValue:
	// hipFree:
	// invalid pointer:
	// 0x1000000010000 was in a block of 100 bytes allocated by hipMalloc at a:1, already freed by hipFree at a:2
}
