package workspace

// initStreamOrdered follows rocBLAS 5.1.0, where managed memory is always allocated in stream order. A size from the
// environment warms the pool and becomes the nominal size. When it is unset or reads as 0, the default size warms the
// pool and the nominal size is 0. The library stays the owner.
func (h *Model) initStreamOrdered(getenv lookup) error {
	h.streamOrdered = true
	if text, set := getenv(EnvDeviceMemorySize); set {
		h.size = wholeNumber(text)
	}
	if h.size > 0 {
		return h.warmPool(h.size)
	}
	return h.warmPool(h.target.DefaultBytes())
}
