package native

import "unsafe"

// CanAccessPeer implements driver.PeerAccessor.
func (d *Device) CanAccessPeer(peer int) (bool, error) {
	can := new(int32)
	err := d.onDevice(func() error {
		return d.api.Call("DeviceCanAccessPeer", uintptr(unsafe.Pointer(can)), uintptr(d.id),
			uintptr(d.rt.devices[peer].id))
	})
	return *can != 0, err
}

// EnablePeerAccess implements driver.PeerAccessor. The access ends with the runtime, because the next one may not
// expect it.
func (d *Device) EnablePeerAccess(peer int) error {
	err := d.onDevice(func() error {
		return d.api.Call("DeviceEnablePeerAccess", uintptr(d.rt.devices[peer].id), 0)
	})
	if err == nil {
		d.peers[peer] = true
	}
	return err
}

// DisablePeerAccess implements driver.PeerAccessor.
func (d *Device) DisablePeerAccess(peer int) error {
	err := d.withDevice(func() error { return d.api.Call("DeviceDisablePeerAccess", uintptr(d.rt.devices[peer].id)) })
	if err == nil {
		delete(d.peers, peer)
	}
	return err
}
