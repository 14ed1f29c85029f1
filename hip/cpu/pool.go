package cpu

// pool counts the bytes of a device's default memory pool. Idle bytes were freed in stream order and are kept for the
// next stream-ordered allocation. With HIP's release threshold of zero they return to the device when the host
// synchronizes. They never make an allocation fail.
type pool struct {
	idle uint64
}

// take updates the idle bytes for a new block. A stream-ordered block uses idle bytes first. There are none for other
// blocks, because their allocation waits for the device.
func (p *pool) take(b *block) { p.idle -= min(p.idle, b.size) }

// trim releases idle bytes until the pool has at most keep bytes, including the held bytes of live blocks.
func (p *pool) trim(keep, held uint64) {
	p.idle = min(p.idle, keep-min(keep, held))
}

// held returns the bytes of live blocks that came from the pool.
func (s *space) held() uint64 {
	var n uint64
	for _, b := range s.live {
		if b.pooled {
			n += b.size
		}
	}
	return n
}
