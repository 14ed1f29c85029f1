package cpu

// pool is the account of a device's default memory pool: idle bytes were given back in stream order and are held for
// the next request in stream order. With HIP's release threshold of zero they go back to the device when the host
// synchronizes. They are never in the way of an allocation.
type pool struct {
	idle uint64
}

// take takes what a new block needs: one in stream order from the idle bytes first; for any, idle bytes give way when
// the device has only room bytes left beside live blocks.
func (p *pool) take(b *block, room uint64) {
	if b.pooled {
		p.idle -= min(p.idle, b.size)
	}
	p.idle = min(p.idle, room)
}

// trim gives idle bytes back until the pool holds keep bytes, those of held live blocks among them.
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
