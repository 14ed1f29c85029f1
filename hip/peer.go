package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// CanAccessPeer implements hipDeviceCanAccessPeer: whether kernels of the device could use memory of another.
func (d *gpu) CanAccessPeer(peer int) (can bool, err error) {
	err = d.callPeer("hipDeviceCanAccessPeer", peer, func(a driver.PeerAccessor) (err error) {
		can, err = a.CanAccessPeer(peer)
		return err
	})
	return can, err
}

// EnablePeerAccess implements hipDeviceEnablePeerAccess: kernels of the device can use memory that hipMalloc allocated
// on another device.
func (d *gpu) EnablePeerAccess(peer int) error {
	return d.callPeer("hipDeviceEnablePeerAccess", peer, func(a driver.PeerAccessor) error {
		return a.EnablePeerAccess(peer)
	})
}

// DisablePeerAccess implements hipDeviceDisablePeerAccess.
func (d *gpu) DisablePeerAccess(peer int) error {
	return d.callPeer("hipDeviceDisablePeerAccess", peer, func(a driver.PeerAccessor) error {
		return a.DisablePeerAccess(peer)
	})
}

func (d *gpu) callPeer(name string, peer int, do func(driver.PeerAccessor) error) error {
	return d.call(&trace.Call{Name: name}, func() error {
		if err := d.host.checkNumber(peer); err != nil {
			return err
		}
		a, ok := d.driver.(driver.PeerAccessor)
		if !ok {
			return driver.Faultf(driver.ErrorNotSupported, "platform %s has no access to memory of other devices",
				d.host.platform)
		}
		return do(a)
	})
}
