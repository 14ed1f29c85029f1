package native

// noDevice is a number that no device has.
const noDevice = -1

// makeCurrent makes a device the current one of the calling thread, which the goroutine must stay on. If it is that
// already, the runtime is not called: before HIP 7 every successful call clears the last error.
func (a *API) makeCurrent(id int) error {
	thread := threadID()
	if thread != 0 && a.last.Load() == pair(thread, id) {
		return nil
	}
	if known, ok := a.current.Load(thread); ok && known == id && thread != 0 {
		a.last.Store(pair(thread, id))
		return nil
	}
	return a.setCurrent(id)
}

// setCurrent calls hipSetDevice.
func (a *API) setCurrent(id int) error {
	err := a.call(&a.setDevice, "SetDevice", uintptr(uint32(id)))
	if err == nil {
		thread := threadID()
		a.current.Store(thread, id)
		a.last.Store(pair(thread, id))
	}
	return err
}

// pair is a thread and its current device as one number.
func pair(thread, id int) uint64 { return uint64(uint32(thread))<<32 | uint64(uint32(id)) }
