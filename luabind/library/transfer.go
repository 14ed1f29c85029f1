package library

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/device"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// blasTransfer is a call of a function of rocBLAS that copies between host and device, while its arguments are read.
type blasTransfer struct {
	workspace.Transfer
	host     *array.Array
	hostName string // the name of the parameter of the host array
}

// transfer is the body of the functions that copy a vector or a matrix. Their parameters say what they copy: the sizes,
// source and destination, each with the distance of its elements or columns, and a stream.
func transfer(ps *engine.Parameters) func(*engine.Call) error {
	var reads []func(c *engine.Call, t *blasTransfer)
	integer := func(set func(t *blasTransfer, v int64)) {
		read := engine.Argument[int64](ps)
		reads = append(reads, func(c *engine.Call, t *blasTransfer) { set(t, read(c)) })
	}
	if ps.List[0].Name == "rows" {
		integer(func(t *blasTransfer, v int64) { t.Rows = v })
	}
	integer(func(t *blasTransfer, v int64) { t.Cols = v })
	integer(func(t *blasTransfer, v int64) { t.ElemSize = v })
	toDevice := ps.List[ps.Next].Kind == api.Array
	for range 2 {
		if p := ps.List[ps.Next]; p.Kind == api.Array {
			read := engine.Argument[*array.Array](ps)
			reads = append(reads, func(c *engine.Call, t *blasTransfer) { t.host, t.hostName = read(c), p.Name })
			integer(func(t *blasTransfer, v int64) { t.HostLD = v })
			continue
		}
		read := engine.Argument[driver.Ptr](ps)
		reads = append(reads, func(c *engine.Call, t *blasTransfer) { t.Device = read(c) })
		integer(func(t *blasTransfer, v int64) { t.DeviceLD = v })
	}
	if ps.Next < len(ps.List) {
		read := engine.Argument[*hip.Stream](ps)
		reads = append(reads, func(c *engine.Call, t *blasTransfer) { t.Stream = read(c) })
	}
	return func(c *engine.Call) error {
		t := &blasTransfer{Transfer: workspace.Transfer{Func: c.Fn.C, Rows: 1, ToDevice: toDevice}}
		for _, read := range reads {
			read(c, t)
		}
		return t.run(c)
	}
}

// run copies. It raises an error if the array is too small: the library would access memory beyond it.
func (t *blasTransfer) run(c *engine.Call) error {
	t.HostNull = t.host == nil
	if done, err := t.Check(); done {
		return err
	}
	need, ok := t.HostBytes()
	if size := uint64(len(t.host.Raw)); !ok || need > size {
		c.Bad(t.hostName, "the array has %d bytes, and the last element of the call ends after %d", size, need)
	}
	if t.ToDevice {
		// The device keeps a copy until the stream reads it.
		c.VM.Meter().Reserve(c.L, uint64(t.Rows*t.Cols*t.ElemSize))
	}
	t.Host = t.host.Raw
	rows := driver.Rows{Width: uint64(t.Rows * t.ElemSize), Count: uint64(t.Cols),
		DevicePitch: uint64(t.DeviceLD * t.ElemSize)}
	if !t.ToDevice {
		if err := device.CheckElements(c, t.host, t.Device, rows); err != nil && device.CapturedBy(t.Stream) == 0 {
			return err
		}
		t.host.BeforeFilling(c.Fn.C, t.Stream)
	}
	ignored, err := t.Copy(c.Device(), c.Profile)
	if !t.ToDevice && err == nil && ignored == "" {
		device.Filled(c, t.host, t.Stream, need)
	}
	if t.ToDevice && err == nil && ignored == "" && device.CapturedBy(t.Stream) == 0 {
		device.SetElements(c, t.Device, t.host, rows)
	}
	if ignored != "" {
		fmt.Fprintln(c.Output, ignored)
	}
	return err
}
