package cpu

import "roclua/hip/driver"

// pool counts the bytes of a device's default memory pool. Idle bytes were freed in stream order and are kept for the
// next stream-ordered allocation. When the host synchronizes, they return to the device down to the release threshold,
// which is zero at first. They never make an allocation fail.
type pool struct {
	idle                   uint64
	used                   uint64 // bytes of live blocks
	threshold              uint64
	usedHigh, reservedHigh uint64
	reuse                  [4]uint64 // permissions to reuse memory, by attribute; the simulation ignores them
}

func newPool() pool { return pool{reuse: [4]uint64{1, 1, 1, 1}} }

// take updates the bytes for a new block, after which the device has so many bytes that no block uses. A
// stream-ordered block uses idle bytes first; for other blocks the pool returns idle bytes that they need.
func (p *pool) take(b *block, left uint64) {
	if b.pooled {
		p.idle -= min(p.idle, b.size)
		p.used += b.size
		p.usedHigh = max(p.usedHigh, p.used)
	}
	p.idle = min(p.idle, left)
	p.reservedHigh = max(p.reservedHigh, p.used+p.idle)
}

// put updates the bytes for a block that is freed. In stream order its bytes become idle.
func (p *pool) put(b *block, inOrder bool) {
	if !b.pooled {
		return
	}
	p.used -= b.size
	if inOrder {
		p.idle += b.size
	}
}

// trim releases idle bytes until the pool has at most keep bytes, including those of live blocks.
func (p *pool) trim(keep uint64) {
	p.idle = min(p.idle, keep-min(keep, p.used))
}

// SetPoolAttribute implements driver.PoolController.
func (d *device) SetPoolAttribute(a driver.PoolAttribute, value uint64) error {
	p := &d.space.pool
	switch {
	case a >= driver.PoolReuseFollowEventDependencies && a <= driver.PoolReuseAllowInternalDependencies && value <= 1:
		p.reuse[a] = value
	case a == driver.PoolReleaseThreshold:
		p.threshold = value
	case a == driver.PoolReservedHigh && value == 0:
		p.reservedHigh = p.used + p.idle
	case a == driver.PoolUsedHigh && value == 0:
		p.usedHigh = p.used
	default:
		return driver.Faultf(driver.ErrorInvalidValue, "attribute %d of a memory pool cannot be set to %d", int(a),
			value)
	}
	return nil
}

// PoolAttribute implements driver.PoolController.
func (d *device) PoolAttribute(a driver.PoolAttribute) (uint64, error) {
	p := &d.space.pool
	switch a {
	case driver.PoolReuseFollowEventDependencies, driver.PoolReuseAllowOpportunistic,
		driver.PoolReuseAllowInternalDependencies:
		return p.reuse[a], nil
	case driver.PoolReleaseThreshold:
		return p.threshold, nil
	case driver.PoolReservedCurrent:
		return p.used + p.idle, nil
	case driver.PoolReservedHigh:
		return p.reservedHigh, nil
	case driver.PoolUsedCurrent:
		return p.used, nil
	case driver.PoolUsedHigh:
		return p.usedHigh, nil
	}
	return 0, driver.Faultf(driver.ErrorInvalidValue, "a memory pool has no attribute %d", int(a))
}
