package hip_test

import (
	"slices"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
)

// TestUsesOfHostMemory queues a copy to host memory in a stream, and then uses the memory with and without an order.
func TestUsesOfHostMemory(t *testing.T) {
	rt := openCPU(t, 1)
	d := rt.Device()
	p, err := d.Malloc(64)
	wantCode(t, err, driver.Success)
	wantCode(t, d.Fill(p, 1, 64), driver.Success)
	blocking, err := d.NewStream(false)
	wantCode(t, err, driver.Success)
	other, err := d.NewStream(true)
	wantCode(t, err, driver.Success)
	destroyed, err := d.NewStream(true)
	wantCode(t, err, driver.Success)
	wantCode(t, destroyed.Destroy(), driver.Success)
	onHost := driver.Use{Call: "array", Host: true}
	inOther := driver.Use{Call: "copy", Stream: other.ID(), Write: true}
	for _, test := range []struct {
		name string
		use  func(c *hip.HostCopy)
		want []driver.Use // later uses that are hazards
	}{
		{"by the host", func(c *hip.HostCopy) { c.BeforeHostUse("array") }, []driver.Use{onHost}},
		{"by the host after a wait", func(c *hip.HostCopy) {
			wantCode(t, blocking.Synchronize(), driver.Success)
			c.BeforeHostUse("array")
		}, nil},
		{"by the same stream", func(c *hip.HostCopy) { c.BeforeCopy("copy", blocking) }, nil},
		{"by the null stream, which is ordered after a blocking one", func(c *hip.HostCopy) {
			c.BeforeCopy("copy", nil)
		}, nil},
		{"by another stream", func(c *hip.HostCopy) { c.BeforeCopy("copy", other) }, []driver.Use{inOther}},
		{"by a stream that does not exist", func(c *hip.HostCopy) { c.BeforeCopy("copy", destroyed) }, nil},
	} {
		wantCode(t, d.ReadAsync(make([]byte, 64), p, blocking), driver.Success)
		c := d.LastHostCopy(blocking, 64)
		if c.Bytes() != 64 {
			t.Errorf("%s: a copy of %d bytes", test.name, c.Bytes())
		}
		test.use(c)
		var have []driver.Use
		for _, h := range rt.Hazards() {
			have = append(have, h.Later)
			want := driver.Use{Call: "hipMemcpyAsync", Stream: 1, Write: true}
			if h.Earlier != want || h.Bytes != 64 {
				t.Errorf("%s: the earlier use of %d bytes is %+v", test.name, h.Bytes, h.Earlier)
			}
		}
		if !slices.Equal(have, test.want) {
			t.Errorf("%s: hazards %+v, want %+v", test.name, have, test.want)
		}
	}
}

// TestPendingHazardsAreBounded uses host memory more often than hazards are kept until they are returned.
func TestPendingHazardsAreBounded(t *testing.T) {
	const limit = 4096
	rt := openCPU(t, 1)
	p, err := rt.Device().Malloc(64)
	wantCode(t, err, driver.Success)
	wantCode(t, rt.Device().Fill(p, 1, 64), driver.Success)
	wantCode(t, rt.Device().ReadAsync(make([]byte, 64), p, nil), driver.Success)
	c := rt.Device().LastHostCopy(nil, 64)
	for _, n := range []int{limit, limit + 1} {
		for range n {
			c.BeforeHostUse("array")
		}
		if have := len(rt.Hazards()); have != limit {
			t.Errorf("%d of %d hazards are returned, want %d", have, n, limit)
		}
	}
}

// TestCopiesWithoutRecord gets no record of copies of no bytes, in destroyed streams, and on a platform without them.
func TestCopiesWithoutRecord(t *testing.T) {
	d := openCPU(t, 1).Device()
	s, err := d.NewStream(true)
	wantCode(t, err, driver.Success)
	if c := d.LastHostCopy(s, 0); c != nil {
		t.Errorf("a copy of no bytes is %+v", c)
	}
	wantCode(t, s.Destroy(), driver.Success)
	if c := d.LastHostCopy(s, 8); c != nil {
		t.Errorf("a copy in a destroyed stream is %+v", c)
	}
	rt, _ := open(t)
	if c := rt.Device().LastHostCopy(nil, 8); c != nil {
		t.Errorf("a copy on a platform without hazards is %+v", c)
	}
}
