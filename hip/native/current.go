package native

// noDevice is a number that no device has.
const noDevice = -1

// makeCurrent makes a device the current one of the calling thread, which the goroutine must stay on. If it is that
// already, the runtime is not called: before HIP 7 every successful call clears the last error.
func (a *API) makeCurrent(id int) error {
	if known, ok := a.current.Load(threadID()); ok && known == id && threadID() != 0 {
		return nil
	}
	return a.setCurrent(id)
}

// setCurrent calls hipSetDevice.
func (a *API) setCurrent(id int) error {
	err := a.call(&a.setDevice, "SetDevice", uintptr(uint32(id)))
	if err == nil {
		a.current.Store(threadID(), id)
	}
	return err
}
