package hipsolver

import (
	"roclua/hip"
	"roclua/workspace"
	"roclua/workspace/status"
)

// object is an object of the library.
type object struct {
	address   uintptr // 0 for a modelled one
	dev       *hip.Device
	null      bool
	destroyed bool
}

// Destroyed reports whether the object was destroyed.
func (j *object) Destroyed() bool { return j.destroyed }

// call calls a function of the library on the current device, if the platform has it.
func (j *object) call(name string, args ...uintptr) (uint64, error) {
	switch {
	case j.null:
		return 0, &workspace.LayerError{Status: status.HipSOLVERInvalidValue, Func: name, Reason: "the object is null"}
	case !j.dev.HasLibrary():
		return 0, nil
	}
	result, st, err := j.dev.Current().LibraryFunction(name, args...)
	if err == nil && st != 0 {
		err = &workspace.LayerError{Status: status.HipSOLVER(st), Func: name}
	}
	return result, err
}

// paramsType is the C type of Params.
const paramsType = "hipsolverDnParams_t"

// Params is a hipsolverDnParams_t. It has no options that the library uses.
type Params struct{ object }

// NewParams implements hipsolverDnCreateParams.
func NewParams(dev *hip.Device) (*Params, error) {
	p := &Params{object{dev: dev}}
	address, err := p.call("hipsolverDnCreateParams")
	p.address = uintptr(address)
	return p, err
}

// NullParams is the null object.
var NullParams = &Params{object{null: true}}

// Destroy implements hipsolverDnDestroyParams.
func (p *Params) Destroy() error {
	_, err := p.call("hipsolverDnDestroyParams", p.address)
	p.destroyed = err == nil
	return err
}

// SetAdvOptions implements hipsolverDnSetAdvOptions, which does not use the object.
func (p *Params) SetAdvOptions(function, mode int64) error {
	const name = "hipsolverDnSetAdvOptions"
	if !p.null {
		if _, err := p.call(name, p.address, uintptr(function), uintptr(mode)); err != nil || p.dev.HasLibrary() {
			return err
		}
	}
	return &workspace.LayerError{Status: status.HipSOLVERNotSupported, Func: name}
}
