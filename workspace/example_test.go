package workspace_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
)

// openDevice opens a simulated MI210 with 1 GiB of memory.
func openDevice() *hip.Runtime {
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30})
	if err != nil {
		log.Fatal(err)
	}
	return rt
}

// find returns a profile by name.
func find(name string) *workspace.Profile {
	p, err := workspace.FindProfile(name)
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// getrf returns the arguments of rocsolver_dgetrf for a matrix of order n. A size query does not use the arrays, but
// they must not be null.
func getrf(n int64) *routine.Args {
	r, _ := routine.Lookup("rocsolver_dgetrf")
	a := r.New()
	a.SetInt(routine.M, n)
	a.SetInt(routine.N, n)
	a.SetInt(routine.LDA, n)
	a.SetPtr(routine.A, 1<<32)
	a.SetPtr(routine.Ipiv, 2<<32)
	a.SetPtr(routine.Info, 3<<32)
	return a
}

// Ask how many bytes a sequence of calls needs, without running it, and run short of memory: a user-owned workspace
// never grows, so a call that needs more fails.
func Example() {
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30}) // a simulated MI210
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		log.Fatal(err)
	}
	dev := rt.Device()
	h, err := workspace.Create(dev, workspace.Config{Profile: profile})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Destroy()

	if err := h.StartQuery(); err != nil {
		log.Fatal(err)
	}
	for _, n := range []int64{1024, 512} {
		out, err := h.Call(getrf(n))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n, out.Status)
	}
	bytes, err := h.StopQuery(false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the sequence needs", bytes, "bytes")

	memory, err := dev.Malloc(1 << 20)
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Free(memory)
	if err := h.SetWorkspace(memory, 1<<20); err != nil {
		log.Fatal(err)
	}
	_, err = h.Call(getrf(1024))
	fmt.Println(strings.TrimPrefix(err.Error(), "rocsolver_dgetrf: memory_error: "))

	var short *workspace.Error
	if errors.As(err, &short) {
		fmt.Println("missing", short.Required-short.Available, "bytes")
	}
	// Output:
	// 1024 rocblas_status_size_increased
	// 512 rocblas_status_size_unchanged
	// the sequence needs 4732160 bytes
	// needs 4732160 bytes (4.5 MiB), the handle's user_owned workspace has 1048576 bytes (1.0 MiB)
	// missing 3683584 bytes
}

// A managed handle holds the default size. When a call needs more, the handle frees its memory and allocates the bytes
// that the call needs plus the default size.
func Example_growth() {
	rt := openDevice()
	defer rt.Close()
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: find("rocm-7.2")})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Destroy()
	rt.Trace() // drop the calls that created the handle

	for _, bytes := range []uint64{1 << 20, 40 << 20} {
		buffers, err := h.DeviceMalloc(bytes) // as a routine does that needs one buffer
		if err != nil || buffers == nil {
			log.Fatal("no memory ", err)
		}
		size, _ := h.DeviceMemorySize()
		fmt.Printf("a call needs %d MiB, the handle has %d MiB\n", bytes>>20, size>>20)
		if err := buffers.Release(); err != nil {
			log.Fatal(err)
		}
	}
	for _, c := range rt.Trace() {
		fmt.Println(c.Name, c.Bytes>>20, c.Cause)
	}
	// Output:
	// a call needs 1 MiB, the handle has 32 MiB
	// a call needs 40 MiB, the handle has 72 MiB
	// hipFree 0 growth
	// hipMalloc 72 growth
}

// Open makes a handle under one of the five schemes, with the memory that the scheme needs.
func ExampleOpen() {
	rt := openDevice()
	defer rt.Close()
	config := workspace.Config{Profile: find("rocm-7.2")}
	for _, scheme := range workspace.Schemes {
		h, err := workspace.Open(rt.Device(), config, scheme, 1<<20)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(scheme, h, "managed by the library:", h.IsManaging())
		if err := h.Close(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(rt.Stats().LiveBytes, "bytes are allocated at the end")
	// Output:
	// managed rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB)) managed by the library: true
	// preallocated rocblas_handle(user_managed, 1048576 bytes (1.0 MiB)) managed by the library: false
	// manual rocblas_handle(user_managed, 1048576 bytes (1.0 MiB)) managed by the library: false
	// user_owned rocblas_handle(user_owned, 1048576 bytes (1.0 MiB)) managed by the library: false
	// stream_ordered rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB)) managed by the library: true
	// 0 bytes are allocated at the end
}

// HeldAfter predicts a handle's memory after a sequence of calls, under every scheme, without a device.
func ExampleHeldAfter() {
	needs := []uint64{8 << 20, 40 << 20}
	for _, held := range workspace.HeldAfter(find("rocm-7.1"), "gfx90a", needs) {
		if held.Skip != "" {
			fmt.Printf("%s: not available\n", held.Scheme) // held.Skip is the reason
			continue
		}
		fmt.Printf("%s: %d MiB\n", held.Scheme, held.Bytes>>20)
	}
	// Output:
	// managed: 40 MiB
	// preallocated: not available
	// manual: not available
	// user_owned: 40 MiB
	// stream_ordered: 40 MiB
}
