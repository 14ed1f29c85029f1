package workspace_test

import (
	"math/rand/v2"
	"testing"

	"roclua/workspace"
)

// TestHeldAfterIsWhatHandlesHold allocates what random calls need, and compares what the handles hold with HeldAfter.
func TestHeldAfterIsWhatHandlesHold(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		needs := make([]uint64, 1+r.IntN(6))
		most := uint64(0)
		for i := range needs {
			needs[i] = uint64(r.IntN(1<<r.IntN(29)+1)) &^ 63
			most = max(most, needs[i])
		}
		arch := []string{"gfx90a", "gfx942"}[r.IntN(2)]
		for _, p := range workspace.Profiles() {
			for _, want := range workspace.HeldAfter(p, arch, needs) {
				if want.Skip != "" || want.Scheme == workspace.SchemeStreamOrdered || most == 0 ||
					p.Name == "rocm-7.1" && want.Scheme == workspace.SchemeManaged {
					continue // a pool's memory is not the handle's; 0 bytes mean the default size
				}
				if have := held(t, p, arch, want.Scheme, most, needs); have != want.Bytes {
					t.Fatalf("seed %d: %s on %s, %s after %v: holds %d, not %d", seed, p.Name, arch, want.Scheme, needs,
						have, want.Bytes)
				}
			}
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
