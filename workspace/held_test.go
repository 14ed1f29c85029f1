package workspace_test

import (
	"math/rand/v2"
	"testing"

	"roclua/internal/randomtest"
	"roclua/workspace"
)

// TestHeldAfterIsWhatHandlesHold allocates the memory of random calls, and compares the handles' with HeldAfter.
func TestHeldAfterIsWhatHandlesHold(t *testing.T) {
	randomtest.Each(t, 200, 6, func(t *testing.T, r *rand.Rand, length int) {
		arch := []string{"gfx90a", "gfx942"}[r.IntN(2)]
		needs := make([]uint64, min(length, 1+r.IntN(6)))
		most := uint64(0)
		for i := range needs {
			needs[i] = uint64(r.IntN(1<<r.IntN(29)+1)) &^ 63
			most = max(most, needs[i])
		}
		for _, p := range workspace.Profiles() {
			for _, want := range workspace.HeldAfter(p, arch, needs) {
				if want.Skip != "" || want.Scheme == workspace.SchemeStreamOrdered || most == 0 ||
					p.Name == "rocm-7.1" && want.Scheme == workspace.SchemeManaged {
					continue // a pool's memory is not the handle's; 0 bytes mean the default size
				}
				if have := held(t, p, arch, want.Scheme, most, needs); have != want.Bytes {
					t.Fatalf("%s on %s, %s after %v: holds %d, not %d", p.Name, arch, want.Scheme, needs, have,
						want.Bytes)
				}
			}
		}
	})
}

// TestHeldAfterExplains checks the boundaries of growth, and the explanation of each size.
func TestHeldAfterExplains(t *testing.T) {
	const size = defaultSize
	of := func(scheme string, needs ...uint64) workspace.Held {
		for _, h := range workspace.HeldAfter(profile(t, "rocm-7.2"), "gfx90a", needs) {
			if h.Scheme == scheme {
				return h
			}
		}
		t.Fatalf("no scheme %s", scheme)
		return workspace.Held{}
	}
	for _, test := range []struct {
		scheme string
		needs  []uint64
		bytes  uint64
		about  string
	}{
		{"managed", []uint64{size, 64}, size, "the default size is enough"},
		{"managed", []uint64{64, size + 64}, 2*size + 64, "grows once, to need + default; the device waits"},
		{"managed", []uint64{size + 64, 2*size + 64}, 2*size + 64, "grows once, to need + default; the device waits"},
		{"managed", []uint64{size + 64, 2*size + 128}, 3*size + 128,
			"grows 2 times, to need + default; the device waits each time"},
		{"preallocated", nil, 0,
			"ROCBLAS_DEVICE_MEMORY_SIZE=0 makes a managed handle that holds no memory until a call needs some"},
		{"preallocated", []uint64{100, 64}, 100, "ROCBLAS_DEVICE_MEMORY_SIZE=100"},
		{"manual", []uint64{100, 64}, 128, "set_device_memory_size(100), rounded up to a multiple of 64"},
		{"user_owned", []uint64{100, 64}, 100, "set_workspace(p, 100)"},
		{"stream_ordered", []uint64{100}, size,
			"each call allocates from the device's memory pool, which was warmed with 33554432 bytes (32.0 MiB)"},
	} {
		if have := of(test.scheme, test.needs...); have.Bytes != test.bytes || have.About != test.about {
			t.Errorf("%s after %d: %d, %s; want %d, %s", test.scheme, test.needs, have.Bytes, have.About, test.bytes,
				test.about)
		}
	}
}

func held(t *testing.T, p *workspace.Profile, arch, scheme string, bytes uint64, needs []uint64) uint64 {
	t.Helper()
	rt := open(t, arch, 64<<30)
	defer rt.Close()
	h, err := workspace.Open(rt.Device(), workspace.Config{Profile: p}, scheme, bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, n := range needs {
		buffers, err := h.DeviceMalloc(n)
		if err != nil || buffers == nil {
			t.Fatalf("%s: cannot allocate %d bytes: %v", scheme, n, err)
		}
		if err := buffers.Release(); err != nil {
			t.Fatal(err)
		}
	}
	size, err := h.DeviceMemorySize()
	if err != nil {
		t.Fatal(err)
	}
	return size
}
