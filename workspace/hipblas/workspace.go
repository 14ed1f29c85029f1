package hipblas

import (
	"errors"

	"roclua/hip/driver"
	"roclua/workspace"
	"roclua/workspace/status"
)

// SetWorkspaceName is the C name of the function that SetWorkspace implements.
const SetWorkspaceName = "hipblasSetWorkspace"

// SetWorkspace implements hipblasSetWorkspace. Errors are of type *workspace.LayerError or *workspace.Abort.
func SetWorkspace(h workspace.Handle, p driver.Ptr, bytes uint64) error {
	st, inLibrary, err := workspace.CallLayerFunction(h, SetWorkspaceName, uintptr(p), uintptr(bytes))
	refuse := func(s status.HipBLAS, reason string, cause error) error {
		return &workspace.LayerError{Status: s, Func: SetWorkspaceName, Reason: reason, Cause: cause}
	}
	switch profile := h.Profile(); {
	case inLibrary && err == nil && st != 0:
		return refuse(status.HipBLAS(st), "", nil)
	case inLibrary:
	case profile != nil && profile.Modelled() && profile.Release.LayerLacksWorkspace:
		return refuse(status.HipBLASNotSupported, profile.Name+" does not have this function", nil)
	default:
		err = h.SetWorkspace(p, bytes)
	}
	var refused *workspace.Error
	if errors.As(err, &refused) {
		return refuse(refused.Status.InHipBLAS(), "", err)
	}
	return err
}
