package workspace

import "roclua/workspace/sizing"

// initStreamOrdered follows the constructor of rocBLAS 5.1.0, where managed memory is always taken in stream order: the
// environment's size warms the pool and becomes the nominal size, the default only warms the pool.
func (h *Handle) initStreamOrdered(getenv Getenv) error {
	h.streamOrdered = true
	warm := sizing.DefaultBytes(h.target.Arch)
	if text, set := getenv(EnvDeviceMemorySize); set {
		h.size = number(text)
		warm = h.size
	}
	if warm == 0 {
		return nil
	}
	return h.warmPool(warm)
}
