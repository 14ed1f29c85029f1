package memory

import (
	"cmp"
	"slices"
	"sort"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// View is the memory that one kernel may use: what its arguments name. It is fixed when the kernel is queued, so it
// includes blocks that are freed in stream order after the kernel.
type View struct {
	site   driver.Site
	ranges []addressRange // by address, without overlaps
	host   *order.Host
	room   [6]addressRange // of ranges; enough for most calls
}

// addressRange is a range of one block.
type addressRange struct {
	low, high uint64
	block     *Block
}

// NewView returns an empty view.
func NewView(host *order.Host) View { return View{host: host} }

// Set makes a view of uses. It joins ranges that overlap. Adjacent ranges stay separate: a kernel that exceeds the end
// of a workspace must not reach the next one.
func (v *View) Set(site driver.Site, uses []Use) {
	v.site = site
	if v.ranges == nil {
		v.ranges = v.room[:0]
	}
	v.ranges = v.ranges[:0]
	sorted := true
	for i := range uses {
		low, n := uses[i].Region.Bounds()
		sorted = sorted && (i == 0 || v.ranges[i-1].low <= low)
		v.ranges = append(v.ranges, addressRange{low, low + n, uses[i].Block})
	}
	if !sorted {
		slices.SortFunc(v.ranges, func(a, b addressRange) int { return cmp.Compare(a.low, b.low) })
	}
	joined := v.ranges[:0]
	for _, g := range v.ranges {
		if last := len(joined) - 1; last >= 0 && g.low < joined[last].high {
			joined[last].high = max(joined[last].high, g.high)
			continue
		}
		joined = append(joined, g)
	}
	v.ranges = joined
}

// GivenUp reports whether the device of the kernel was abandoned.
func (v *View) GivenUp() bool { return v.host.Abandoned() }

// Bytes returns n bytes at a device address. Memory that the arguments of the call do not name is an illegal address.
func (v *View) Bytes(p uint64, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	i := sort.Search(len(v.ranges), func(i int) bool { return v.ranges[i].low > p }) - 1
	if i < 0 || uint64(n) > v.ranges[i].high-min(p, v.ranges[i].high) { // a negative n is a large number of bytes
		return nil, driver.Faultf(driver.ErrorIllegalAddress,
			"%s: the kernel used %d bytes at %#x, which the arguments do not name", v.site, n, p)
	}
	return v.ranges[i].block.Slice(p, uint64(n))
}
