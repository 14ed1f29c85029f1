package memory

import "roclua/hip/driver"

// Pool counts the bytes of a device's default memory pool. Idle bytes were freed in stream order and are kept for the
// next stream-ordered allocation. When the host synchronizes, they return to the device down to the release threshold,
// which is zero at first. They never make an allocation fail.
type Pool struct {
	idle                   uint64
	used                   uint64 // bytes of live blocks
	threshold              uint64
	usedHigh, reservedHigh uint64
	reuse                  [4]uint64 // permissions to reuse memory, by attribute; the simulation ignores them
}

func newPool() Pool { return Pool{reuse: [4]uint64{1, 1, 1, 1}} }

// take updates the bytes for a new block. left is the number of bytes of the device that no block uses after it. A
// stream-ordered block uses idle bytes first; for other blocks the pool returns the idle bytes that they need.
func (p *Pool) take(b *Block, left uint64) {
	if b.Pooled {
		p.idle -= min(p.idle, b.Size)
		p.used += b.Size
		p.usedHigh = max(p.usedHigh, p.used)
	}
	p.idle = min(p.idle, left)
	p.reservedHigh = max(p.reservedHigh, p.used+p.idle)
}

// put updates the bytes for a block that is freed. In stream order its bytes become idle.
func (p *Pool) put(b *Block, inOrder bool) {
	if !b.Pooled {
		return
	}
	p.used -= b.Size
	if inOrder {
		p.idle += b.Size
	}
}

// Trim releases idle bytes until the pool has at most keep bytes, including the bytes of live blocks.
func (p *Pool) Trim(keep uint64) {
	p.idle = min(p.idle, keep-min(keep, p.used))
}

// Synchronized releases idle bytes down to the release threshold.
func (p *Pool) Synchronized() { p.Trim(p.threshold) }

// SetAttribute implements driver.PoolController.
func (p *Pool) SetAttribute(a driver.PoolAttribute, value uint64) error {
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

// Attribute implements driver.PoolController.
func (p *Pool) Attribute(a driver.PoolAttribute) (uint64, error) {
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
