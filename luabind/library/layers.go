package library

import (
	"errors"
	"maps"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// layerFunctions returns the functions of a library above rocBLAS: its own, and those for handles.
func layerFunctions(own engine.Bodies) engine.Bodies {
	maps.Copy(own, engine.Bodies{
		"Create": engine.Takes0(func(c *engine.Call) error { return layered(c, createHandle(c)) }),
		"Destroy": engine.Takes1(func(c *engine.Call, box *handleBox) error {
			return layered(c, destroyHandle(c, box))
		}),
		"SetStream": engine.Takes2(func(c *engine.Call, h workspace.Handle, stream *hip.Stream) error {
			return layered(c, setStream(c, h, stream))
		}),
		"GetStream": engine.Takes1(func(c *engine.Call, h workspace.Handle) error {
			return layered(c, getStream(c, h))
		}),
	})
	return own
}

// layered returns the error of a function of rocBLAS as the library of the function does.
func layered(c *engine.Call, err error) error {
	var refused *workspace.Error
	if !errors.As(err, &refused) {
		return err
	}
	layer := &workspace.LayerError{Status: refused.Status.InHipSOLVER(), Func: c.Fn.C, Cause: err}
	if c.Fn.Status == api.HipBLASStatus {
		layer.Status = refused.Status.InHipBLAS()
	}
	return layer
}

// skipped returns the error that skips the case if a library above rocBLAS is missing, and otherwise err.
func skipped(err error) error {
	var none *driver.NoLayer
	if errors.As(err, &none) {
		return &engine.Skipped{Reason: none.Reason}
	}
	return err
}
