package api

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// layerStatus returns the class of the statuses of a library above rocBLAS and rocSOLVER.
func layerStatus(l routine.Library) StatusClass {
	if l == routine.HipBLAS {
		return HipBLASStatus
	}
	return HipSOLVERStatus
}

// layerHandles declares the functions for handles that both libraries above rocBLAS have.
func layerHandles(l routine.Library) []*Function {
	return []*Function{
		declare("Create", "creates a handle, as rocblas.create_handle does").
			returns("handle", "roclua.handle", "the new handle").
			fails(l.String()+".status_alloc_failed", "the device has too little free memory"),
		declare("Destroy", "destroys a handle", handle()),
		declare("SetStream", "sets the stream of a handle", handle(), stream()),
		declare("GetStream", "returns the stream of a handle", handle()).
			returns("stream", "roclua.stream|integer?", "the stream; nil is the null stream"),
	}
}

// inLayer completes the declarations of a library.
func inLayer(l routine.Library, list []*Function) []*Function {
	for _, f := range list {
		f.C, f.Status = l.String()+f.Name, layerStatus(l)
	}
	return list
}

// layerConstants lists the enumerations of a library above rocBLAS, then its statuses.
func layerConstants(l routine.Library) (list []Constant) {
	for _, c := range routine.LayerConstants(l) {
		list = append(list, Constant{c.Name, c.Value, "integer", ""})
	}
	for _, number := range status.LayerStatuses() {
		list = append(list, Constant{"status_" + status.LayerName(number), int64(number), string(layerStatus(l)),
			status.LayerMeaning(number)})
	}
	return list
}
