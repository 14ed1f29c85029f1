package drivertest

import (
	"bytes"
	"errors"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

var deviceCases = []testcase{
	{"properties and attributes agree", func(f *fixture) {
		p := f.dev.Properties()
		for a, want := range map[driver.Attribute]int{
			driver.AttributeWarpSize:            p.WarpSize,
			driver.AttributeMultiprocessorCount: p.Multiprocessors,
			driver.AttributeMaxThreadsPerBlock:  p.MaxThreadsPerBlock,
		} {
			have, err := f.dev.Attribute(a)
			f.ok(err)
			if have != want || have <= 0 {
				f.Errorf("attribute %d is %d, properties say %d", a, have, want)
			}
		}
		managed, err := f.dev.Attribute(driver.AttributeManagedMemory)
		f.ok(err)
		memory, err := f.dev.MallocManaged(64)
		if (managed == 1) != (err == nil) {
			f.Errorf("attribute ManagedMemory is %d, an allocation returns %v", managed, err)
		}
		f.ok(f.dev.Free(memory))
		pools, err := f.dev.Attribute(driver.AttributeMemoryPoolsSupported)
		f.ok(err)
		if (pools == 1) != p.MemoryPoolSupported {
			f.Errorf("attribute MemoryPoolsSupported is %d, properties say %v", pools, p.MemoryPoolSupported)
		}
	}},
	{"an unknown attribute is an invalid value", func(f *fixture) {
		_, err := f.dev.Attribute(9998)
		f.code(err, driver.ErrorInvalidValue)
	}},
	{"free memory is at most all memory", func(f *fixture) {
		free, total, err := f.dev.MemInfo()
		f.ok(err)
		if total == 0 || free > total {
			f.Errorf("%d of %d bytes are free", free, total)
		}
	}},
	{"there is no device beyond the last", func(f *fixture) {
		f.code(f.rt.SetDevice(f.rt.DeviceCount()), driver.ErrorInvalidDevice)
		f.code(f.rt.SetDevice(-1), driver.ErrorInvalidDevice)
		f.ok(f.rt.SetDevice(0))
	}},
}

var memoryCases = []testcase{
	{"the host and the device use managed memory", func(f *fixture) {
		p, err := f.dev.MallocManaged(64)
		if driver.CodeOf(err) == driver.ErrorNotSupported {
			f.Skip("no managed memory")
		}
		f.ok(err)
		v, data, err := f.dev.ViewOnHost(p, 64, driver.AnyElement)
		f.ok(err)
		f.ok(v.BeforeUse("x", 0, 64, routine.Out))
		copy(data, bytes.Repeat([]byte{7}, 64))
		f.filled(p, 64, 7)
		f.ok(f.dev.FillAsync(p+32, 3, 32, nil))
		f.ok(f.dev.Synchronize())
		f.ok(v.BeforeUse("x", 0, 64, routine.In))
		if !bytes.Equal(data, append(bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{3}, 32)...)) {
			f.Errorf("the host reads %v", data)
		}
		f.ok(f.dev.Free(p))
		f.code(v.BeforeUse("x", 0, 1, routine.In), driver.ErrorIllegalAddress)
	}},
	{"0 bytes are the null pointer", func(f *fixture) {
		if p := f.malloc(0); p != 0 {
			f.Errorf("hipMalloc of 0 bytes returned %#x", p)
		}
	}},
	{"the null pointer can be freed", func(f *fixture) { f.ok(f.dev.Free(0)) }},
	{"addresses are aligned to 256 bytes and blocks do not overlap", func(f *fixture) {
		const n = 1000
		var blocks []driver.Ptr
		for range 20 {
			p := f.malloc(n)
			if p%256 != 0 {
				f.Errorf("address %#x", p)
			}
			for _, q := range blocks {
				if p < q+n && q < p+n {
					f.Errorf("blocks at %#x and %#x overlap", p, q)
				}
			}
			blocks = append(blocks, p)
		}
	}},
	{"what is written is read", func(f *fixture) {
		data := make([]byte, 100_000)
		for i := range data {
			data[i] = byte(i * 7)
		}
		p := f.malloc(uint64(len(data)))
		f.ok(f.dev.Write(p, data))
		if !bytes.Equal(f.read(p, len(data)), data) {
			f.Error("the block differs from what was written")
		}
		if !bytes.Equal(f.read(p+999, 1000), data[999:1999]) {
			f.Error("a part of the block differs from what was written")
		}
	}},
	{"copies work between blocks and within a block", func(f *fixture) {
		p, q := f.malloc(8), f.malloc(8)
		f.ok(f.dev.Write(p, []byte{1, 2, 3, 4, 5, 6, 7, 8}))
		f.ok(f.dev.Copy(q, p, 8))
		f.ok(f.dev.Copy(q+4, q, 4))
		if have := f.read(q, 8); !bytes.Equal(have, []byte{1, 2, 3, 4, 1, 2, 3, 4}) {
			f.Errorf("have %v", have)
		}
	}},
	{"a fill sets its bytes and no others", func(f *fixture) {
		p := f.malloc(16)
		f.ok(f.dev.Fill(p, 1, 16))
		f.ok(f.dev.Fill(p+4, 9, 8))
		if have := f.read(p, 16); !bytes.Equal(have, []byte{1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1}) {
			f.Errorf("have %v", have)
		}
	}},
	{"copies of rows leave the bytes between them", func(f *fixture) {
		p := f.malloc(8)
		f.ok(f.dev.Fill(p, 9, 8))
		rows := driver.Rows{Width: 2, Count: 2, HostPitch: 3, DevicePitch: 5}
		err := f.dev.WriteRows(p, []byte{1, 2, 0, 3, 4}, rows, nil)
		if errors.Is(err, driver.ErrorNotSupported) {
			return
		}
		f.ok(err)
		if have := f.read(p, 8); !bytes.Equal(have, []byte{1, 2, 9, 9, 9, 3, 4, 9}) {
			f.Errorf("written %v", have)
		}
		have := []byte{7, 7, 7, 7, 7}
		f.ok(f.dev.ReadRows(have, p, rows, nil))
		if !bytes.Equal(have, []byte{1, 2, 7, 3, 4}) {
			f.Errorf("read %v", have)
		}
	}},
	{"copies of 0 bytes succeed", func(f *fixture) {
		p := f.malloc(8)
		f.ok(f.dev.Write(p, nil))
		f.ok(f.dev.Read(nil, p))
		f.ok(f.dev.Copy(p, p, 0))
		f.ok(f.dev.Fill(p, 1, 0))
	}},
	{"more than the device has is out of memory, and the device stays usable", func(f *fixture) {
		_, total, err := f.dev.MemInfo()
		f.ok(err)
		for _, n := range []uint64{total + 1, 1<<64 - 1} {
			p, err := f.dev.Malloc(n)
			f.code(err, driver.ErrorOutOfMemory)
			if p != 0 {
				f.Errorf("a failed hipMalloc returned %#x", p)
			}
		}
		p := f.malloc(64)
		f.ok(f.dev.Fill(p, 3, 64))
		f.filled(p, 64, 3)
	}},
	{"the block of an address is known", func(f *fixture) {
		p := f.malloc(100)
		for _, at := range []driver.Ptr{p, p + 50, p + 99} {
			if base, n, ok := f.dev.Allocation(at); !ok || base != p || n != 100 {
				f.Errorf("%#x is in %d bytes at %#x, %v", at, n, base, ok)
			}
		}
		if _, _, ok := f.dev.Allocation(p + 100); ok {
			f.Error("the byte after the block is in a block")
		}
		f.ok(f.dev.Free(p))
		if _, _, ok := f.dev.Allocation(p); ok {
			f.Error("a freed address is in a block")
		}
	}},
}

var poolCases = []testcase{
	{"0 bytes are the null pointer", func(f *fixture) {
		f.needPool()
		p, err := f.dev.MallocAsync(0, nil)
		f.ok(err)
		if p != 0 {
			f.Errorf("hipMallocAsync of 0 bytes returned %#x", p)
		}
		f.ok(f.dev.FreeAsync(0, nil))
	}},
	{"memory is used and freed in stream order", func(f *fixture) {
		f.needPool()
		s := f.stream(true)
		kept := f.malloc(4096)
		for i := range 50 {
			p, err := f.dev.MallocAsync(4096, s)
			f.ok(err)
			f.ok(f.dev.FillAsync(p, byte(i), 4096, s))
			f.ok(f.dev.CopyAsync(kept, p, 4096, s))
			f.ok(f.dev.FreeAsync(p, s))
		}
		f.ok(s.Synchronize())
		f.filled(kept, 4096, 49)
	}},
	{"hipFree frees memory of the pool", func(f *fixture) {
		f.needPool()
		p, err := f.dev.MallocAsync(4096, nil)
		f.ok(err)
		f.ok(f.dev.Free(p))
	}},
	{"hipFreeAsync twice is an invalid value", func(f *fixture) {
		f.needPool()
		p, err := f.dev.MallocAsync(4096, nil)
		f.ok(err)
		f.ok(f.dev.FreeAsync(p, nil))
		f.code(f.dev.FreeAsync(p, nil), driver.ErrorInvalidValue)
	}},
	{"the pool can be trimmed", func(f *fixture) {
		f.needPool()
		p, err := f.dev.MallocAsync(1<<20, nil)
		f.ok(err)
		f.ok(f.dev.FreeAsync(p, nil))
		f.ok(f.dev.Synchronize())
		f.ok(f.dev.TrimPool(0))
	}},
	{"more than the device has is out of memory", func(f *fixture) {
		f.needPool()
		_, total, err := f.dev.MemInfo()
		f.ok(err)
		_, err = f.dev.MallocAsync(2*total, nil)
		f.code(err, driver.ErrorOutOfMemory)
	}},
}
