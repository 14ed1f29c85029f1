package memory

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// Use is a region of memory that an operation uses.
type Use struct {
	Block   *Block
	Region  region.Region
	Element driver.Element // of the region's array
}

func (u *Use) writes() bool { return u.Region.Access.Writes() }

// Slice returns the bytes from the first to the last one of the region.
func (u *Use) Slice() ([]byte, error) {
	low, n := u.Region.Bounds()
	return u.Block.Slice(low, n)
}

// Bytes returns the region of n adjacent bytes.
func Bytes(p driver.Ptr, n uint64, access routine.Access) region.Region {
	return region.Span(uint64(p), n, access)
}

// Rows returns the region of rows in device memory.
func Rows(p driver.Ptr, r driver.Rows, access routine.Access) region.Region {
	rows := Bytes(p, r.Width, access)
	rows.Cols, rows.Pitch = r.Count, r.DevicePitch
	return rows
}
