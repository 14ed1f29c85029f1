package cpu

import (
	"math"

	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// SearchNumbers queues a search of an array. It does not check whether the array was written: the library searches
// arrays that a call only writes, too.
func (d *device) SearchNumbers(s driver.Stream, a *routine.Args, array *routine.Param, found driver.Ptr) error {
	st, err := d.own(s)
	if err != nil {
		return err
	}
	site := d.runtime.locate()
	off := d.runtime.kernels == driver.KernelsOff
	if d.runtime.kernels != driver.KernelsCompute && !off {
		st.EnqueueNothing(site)
		return nil
	}
	uses, err := d.usesOfSearch(site, a, array, found)
	if err != nil {
		return st.refuse(site, err)
	}
	datatype := a.Datatype(array)
	o := st.prepare(site, uses, func() error {
		if off {
			return nil
		}
		result, err := uses[0].Slice()
		if err != nil {
			return err
		}
		for i := range uses[1:] {
			if err := search(&uses[i+1], datatype, result); err != nil {
				return err
			}
		}
		return nil
	})
	if d.runtime.time != nil {
		var bytes uint64
		for i := range uses {
			bytes += uses[i].Region.Bytes()
		}
		o.Takes(d.kernels, d.model.time.Bytes(bytes), true, nil)
	}
	st.Push(o)
	return nil
}

// usesOfSearch returns the uses of the result of a search and of the array.
func (d *device) usesOfSearch(site driver.Site, a *routine.Args, array *routine.Param, found driver.Ptr) (
	[]memory.Use, error) {
	result := memory.Bytes(found, driver.NumbersBytes, routine.InOut)
	list, err := d.appendUses(nil, site, &result)
	for _, r := range region.OfArray(a, array) {
		r.Access = routine.In
		if err == nil && (r.Indirect || array.Kind == routine.Array) {
			list, err = d.appendUses(list, site, &r)
		}
	}
	return list, err
}

// search adds the kinds of numbers of a region to the bytes of a search.
func search(u *memory.Use, datatype int64, result []byte) error {
	data, err := u.Slice()
	if err != nil {
		return err
	}
	least, n := smallestNormal(datatype), driver.Numbers{}
	u.Region.Intervals(func(low, high uint64) bool {
		for at := low - u.Region.Base; at < high-u.Region.Base; at += u.Region.Elem {
			v := number.Load(datatype, data[at:])
			n.Zero = n.Zero || v == 0
			for _, part := range [...]float64{real(v), imag(v)} {
				n.NaN = n.NaN || part != part
				n.Inf = n.Inf || math.IsInf(part, 0)
				n.Denormal = n.Denormal || part != 0 && math.Abs(part) < least
			}
		}
		return true
	})
	n.Put(result)
	return nil
}

// smallestNormal returns the smallest positive number of a datatype that is not denormal.
func smallestNormal(datatype int64) float64 {
	switch routine.RealOf(datatype) {
	case routine.DatatypeF16:
		return 0x1p-14
	case routine.DatatypeF64:
		return 0x1p-1022
	}
	return 0x1p-126
}
