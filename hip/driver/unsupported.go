package driver

import (
	"context"

	"roclua/hip/routine"
)

// Unsupported has the methods of a Driver, a Runtime and a Device that a platform need not have. It is the name of the
// platform, which the errors contain.
type Unsupported string

func (u Unsupported) lacks(what string) error {
	return Faultf(ErrorNotSupported, "platform %s %s", string(u), what)
}

const (
	noPools    = "has no memory pools"
	noManaged  = "has no managed memory"
	noPeers    = "has no access to memory of other devices"
	noCaptures = "does not capture streams"
	noLibrary  = "does not have the vendor's library"
)

// A Driver.

func (Unsupported) Probe(Config) Report                           { return Report{} }
func (Unsupported) Computes(*routine.Routine) (by, reason string) { return "", "" }

// A Runtime.

func (Unsupported) Capabilities() Capabilities         { return Capabilities{} }
func (Unsupported) SetLocator(func() Site)             {}
func (Unsupported) SetContext(context.Context)         {}
func (Unsupported) StagedBytes() uint64                { return 0 }
func (Unsupported) SetDevice(int) error                { return nil }
func (Unsupported) LastError(bool) Error               { return Success }
func (Unsupported) Thread() Thread                     { return nil }
func (Unsupported) NewThread(func(wait func())) Thread { return nil }
func (Unsupported) Clock() Clock                       { return nil }

// The memory of a Device.

func (u Unsupported) MallocAsync(Stream, uint64) (Ptr, error)      { return 0, u.lacks(noPools) }
func (u Unsupported) FreeAsync(Stream, Ptr) error                  { return u.lacks(noPools) }
func (u Unsupported) TrimPool(uint64) error                        { return u.lacks(noPools) }
func (u Unsupported) SetPoolAttribute(PoolAttribute, uint64) error { return u.lacks(noPools) }
func (u Unsupported) PoolAttribute(PoolAttribute) (uint64, error)  { return 0, u.lacks(noPools) }
func (u Unsupported) MallocManaged(uint64) (Ptr, error)            { return 0, u.lacks(noManaged) }
func (u Unsupported) UseOnHost(Ptr, uint64, routine.Access, Element) ([]byte, error) {
	return nil, u.lacks(noManaged)
}
func (u Unsupported) CanAccessPeer(int) (bool, error) { return false, u.lacks(noPeers) }
func (u Unsupported) EnablePeerAccess(int) error      { return u.lacks(noPeers) }
func (u Unsupported) DisablePeerAccess(int) error     { return u.lacks(noPeers) }

// The work of a Device.

func (u Unsupported) Execute(Stream, *Launch) error { return u.lacks("does not compute routines") }
func (u Unsupported) Needs(*routine.Args) (Needs, error) {
	return Needs{}, u.lacks("does not report what a call needs")
}
func (u Unsupported) SearchNumbers(Stream, *routine.Args, *routine.Param, Ptr) error {
	return u.lacks("does not search arrays")
}
func (u Unsupported) Claim(_ Stream, _, _ []Span) error { return u.lacks("does not claim memory") }
func (u Unsupported) NamedStream(int) (Stream, error) {
	return nil, u.lacks("has no streams with names")
}
func (u Unsupported) LaunchHostFunc(Stream, func(at Site)) error {
	return u.lacks("does not call functions of the host in streams")
}

// The captures of a Device.

func (u Unsupported) BeginCapture(Stream, CaptureMode) error { return u.lacks(noCaptures) }
func (u Unsupported) EndCapture(Stream) (Graph, error)       { return nil, u.lacks(noCaptures) }
func (u Unsupported) CaptureInfo(Stream) (CaptureStatus, uint64, error) {
	return CaptureNone, 0, u.lacks(noCaptures)
}
func (u Unsupported) ExchangeCaptureMode(CaptureMode) (CaptureMode, error) {
	return 0, u.lacks(noCaptures)
}
func (u Unsupported) CheckHostCopy() error { return nil }

// The checks of a Device.

func (Unsupported) Hazards() []Hazard                     { return nil }
func (Unsupported) LastCopy(Stream) HostCopy              { return nil }
func (Unsupported) SetElement(Ptr, Rows, Element)         {}
func (Unsupported) CheckElement(Ptr, Rows, Element) error { return nil }
func (Unsupported) UnwrittenReads() []UnwrittenRead       { return nil }

// The library of a Device.

func (u Unsupported) NewHandle(map[string]string, uint64) (LibraryHandle, int, error) {
	return nil, 0, u.lacks(noLibrary)
}
func (u Unsupported) Function(string, ...uintptr) (result uint64, status int, err error) {
	return 0, 0, u.lacks(noLibrary)
}
func (Unsupported) LibraryVersions() (rocblas, rocsolver string) { return "", "" }
func (Unsupported) ReportedCalls() []ReportedCall                { return nil }
