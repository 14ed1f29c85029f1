package driver

// DeviceSelector is a Runtime that must know the current device of the thread that makes the calls, because the
// vendor's libraries use it.
type DeviceSelector interface {
	// SetDevice makes a device the current one of the thread. Device 0 is it at first. Numbers without a device are an
	// error, which the vendor's runtime keeps, too.
	SetDevice(device int) error
}

// PeerAccessor is a Device whose kernels can use the memory of other devices of the runtime. A peer is the number of
// the other device. Copies between devices need no access.
type PeerAccessor interface {
	// CanAccessPeer implements hipDeviceCanAccessPeer.
	CanAccessPeer(peer int) (bool, error)
	// EnablePeerAccess implements hipDeviceEnablePeerAccess.
	EnablePeerAccess(peer int) error
	// DisablePeerAccess implements hipDeviceDisablePeerAccess.
	DisablePeerAccess(peer int) error
}
