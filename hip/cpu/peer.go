package cpu

import (
	"fmt"

	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
)

// CanAccessPeer implements driver.PeerAccessor: every device has a link to every other, and none to itself.
func (d *device) CanAccessPeer(peer int) (bool, error) { return peer != d.index, nil }

// EnablePeerAccess implements driver.PeerAccessor.
func (d *device) EnablePeerAccess(peer int) error {
	switch {
	case d.runtime.closed:
		return driver.ErrorDeinitialized
	case peer == d.index:
		return driver.Faultf(driver.ErrorInvalidDevice, "device %d has access to its own memory already", d.index)
	case d.peers[peer]:
		return driver.Faultf(driver.ErrorPeerAccessEnabled, "device %d has access to memory of device %d already",
			d.index, peer)
	}
	if d.peers == nil {
		d.peers = map[int]bool{}
	}
	d.peers[peer] = true
	return nil
}

// DisablePeerAccess implements driver.PeerAccessor. Work that is queued keeps its access.
func (d *device) DisablePeerAccess(peer int) error {
	if !d.peers[peer] {
		return driver.Faultf(driver.ErrorPeerAccessNotOn, "device %d has no access to memory of device %d", d.index,
			peer)
	}
	delete(d.peers, peer)
	return nil
}

// find returns the live block that contains an address, if kernels of the device can use it: its own memory, managed
// memory, and memory of peers but for their pools, whose access hipMemPoolSetAccess would decide.
func (d *device) find(p uint64) (*memory.Block, bool) {
	b, ok := d.space.At(p)
	if !ok {
		b, ok = d.runtime.spaces.At(p)
		ok = ok && (b.Managed || d.peers[b.Device()] && !b.Pooled)
	}
	return b, ok
}

// refusal says why kernels of the device cannot use memory of another; "" for other addresses.
func (d *device) refusal(p uint64) string {
	b, ok := d.runtime.spaces.At(p)
	switch {
	case !ok || b.Device() == d.index || b.Managed:
		return ""
	case b.Pooled:
		return fmt.Sprintf("; memory pools of device %d give device %d no access", b.Device(), d.index)
	}
	return fmt.Sprintf("; device %d has no access to memory of device %d (hipDeviceEnablePeerAccess)", d.index,
		b.Device())
}
