package luabind

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/workspace"
)

// What distinguishes the functions of rocBLAS that copy between host and device.
type (
	shape     bool
	direction bool
	schedule  bool
)

const (
	vectorShape, matrixShape shape     = false, true
	toHost, toDevice         direction = false, true
	waiting, inStream        schedule  = false, true
)

// blasTransfer is a call of one of the functions, while its arguments are read.
type blasTransfer struct {
	workspace.Transfer
	host     *Array
	hostName string // the name of the parameter of the host array
}

// transfers makes a function that copies a vector or a matrix, with the parameters of its header in their order.
func transfers(of shape, to direction, when schedule) body {
	return func(ps *parameters) func(*call) error {
		var reads []func(c *call, t *blasTransfer)
		integer := func(set func(t *blasTransfer, v int64)) {
			read := argument[int64](ps)
			reads = append(reads, func(c *call, t *blasTransfer) { set(t, read(c)) })
		}
		if of == matrixShape {
			integer(func(t *blasTransfer, v int64) { t.Rows = v })
		}
		integer(func(t *blasTransfer, v int64) { t.Cols = v })
		integer(func(t *blasTransfer, v int64) { t.ElemSize = v })
		for _, onHost := range []bool{to == toDevice, to == toHost} {
			if onHost {
				name, read := ps.list[ps.next].Name, argument[*Array](ps)
				reads = append(reads, func(c *call, t *blasTransfer) { t.host, t.hostName = read(c), name })
				integer(func(t *blasTransfer, v int64) { t.HostLD = v })
				continue
			}
			read := argument[driver.Ptr](ps)
			reads = append(reads, func(c *call, t *blasTransfer) { t.Device = read(c) })
			integer(func(t *blasTransfer, v int64) { t.DeviceLD = v })
		}
		if when == inStream {
			read := argument[*hip.Stream](ps)
			reads = append(reads, func(c *call, t *blasTransfer) { t.Stream = read(c) })
		}
		return func(c *call) error {
			t := &blasTransfer{Transfer: workspace.Transfer{Func: c.fn.C, Rows: 1, ToDevice: to == toDevice}}
			for _, read := range reads {
				read(c, t)
			}
			return t.run(c)
		}
	}
}

// run raises an error if the array is too small: the library would use memory behind it.
func (t *blasTransfer) run(c *call) error {
	t.HostNull = t.host == nil
	if done, err := t.Check(); done {
		return err
	}
	need, ok := t.HostBytes()
	if size := uint64(len(t.host.raw)); !ok || need > size {
		c.bad(t.hostName, "the array has %d bytes, and the last element of the call ends after %d", size, need)
	}
	if t.ToDevice {
		// The device keeps a copy until the stream reads it.
		c.s.vm.Meter().Reserve(c.l, uint64(t.Rows*t.Cols*t.ElemSize))
	}
	t.Host = t.host.raw
	rows := driver.Rows{Width: uint64(t.Rows * t.ElemSize), Count: uint64(t.Cols),
		DevicePitch: uint64(t.DeviceLD * t.ElemSize)}
	if !t.ToDevice {
		if err := checkElements(c, t.host, t.Device, rows); err != nil && capturedBy(t.Stream) == 0 {
			return err
		}
		t.host.beforeFilling(c.fn.C, t.Stream)
	}
	ignored, err := t.Copy(c.s.device(c.l), c.s.opts.Profile)
	if !t.ToDevice && err == nil && ignored == "" {
		c.filled(t.host, t.Stream, need)
	}
	if t.ToDevice && err == nil && ignored == "" && capturedBy(t.Stream) == 0 {
		setElements(c, t.Device, t.host, rows)
	}
	if ignored != "" {
		fmt.Fprintln(c.s.opts.Output, ignored)
	}
	return err
}
