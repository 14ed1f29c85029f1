// Package library has the modules rocblas and rocsolver of scripts: handles, the routines of both libraries, and the
// functions that take no handle.
package library

import (
	"roclua/luabind/api"
	"roclua/luabind/engine"
)

// Extension adds the modules rocblas and rocsolver to the engine, with their routines.
var Extension = engine.Extension{
	Functions: map[string]engine.Bodies{"rocblas.": rocblasFunctions, "rocsolver.": rocsolverFunctions,
		"hipblas.": hipblasFunctions, "hipsolver.": hipsolverFunctions,
		"handle:": handleMethods, "allocation:": allocationMethods,
		"prepared:": preparedMethods},
	Readers: map[api.Kind][]any{
		api.Handle:     {readHandle, readModel, readAnyHandle},
		api.Allocation: {engine.Object[*allocationBox]},
		api.Prepared:   {engine.Object[*Prepared]},
		api.Rfinfo:     {readRfinfo},
		api.Jacobi:     {readJacobi},
		api.Params:     {readParams},
	},
	Types: map[string]func(*engine.Engine){handleType: openHandles, allocationType: openAllocations,
		preparedType: openPrepared,
		rfinfoType:   func(e *engine.Engine) { e.VM.NewType(rfinfoType, nil) },
		jacobiType:   func(e *engine.Engine) { e.VM.NewType(jacobiType, nil) },
		paramsType:   func(e *engine.Engine) { e.VM.NewType(paramsType, nil) }},
	Routine: bindRoutine,
}
