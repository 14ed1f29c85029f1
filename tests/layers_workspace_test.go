package tests

// workspaceLayers are the layers of the memory model.
var workspaceLayers = map[string]layer{
	"roclua/workspace": {
		why: "the memory model; independent of Lua and of platforms",
		module: []string{
			"hip/arch", "hip", "hip/driver", "hip/number", "hip/release", "hip/routine", "hip/routine/buffer",
			"hip/trace", "internal/nearest", "workspace/argcheck", "workspace/sizing", "workspace/status",
			"workspace/tuning", "internal/units",
		},
	},
	"roclua/workspace/argcheck": {
		why:    "checks depend only on the arguments of a call",
		module: []string{"hip/routine", "workspace/status"},
	},
	"roclua/workspace/sequence": {
		why: "random operations of handles, on the model and on libraries",
		module: []string{
			"hip", "hip/driver", "hip/routine", "hip/trace", "workspace", "workspace/argcheck",
			"workspace/hipblas", "workspace/hipsolver", "workspace/status",
		},
	},
	"roclua/workspace/footprint": {
		why: "planning needs neither a handle nor a device",
		module: []string{
			"hip/arch", "hip/routine", "internal/nearest", "internal/units", "workspace", "workspace/argcheck",
			"workspace/hipsolver", "workspace/sizing", "workspace/status", "workspace/tuning",
		},
	},
	"roclua/workspace/hipblas": {
		why: "hipBLAS above a modelled handle; needs no sizes",
		module: []string{
			"hip/driver", "hip/release", "hip/routine", "workspace", "workspace/argcheck", "workspace/status",
		},
	},
	"roclua/workspace/hipsolver": {
		why: "hipSOLVER above a modelled handle, and what it asks rocSOLVER for, without a handle or a device",
		module: []string{
			"hip", "hip/driver", "hip/release", "hip/routine", "hip/routine/buffer", "workspace", "workspace/argcheck",
			"workspace/sizing", "workspace/status",
		},
	},
	"roclua/workspace/sizing": {
		why:    "sizes depend only on the arguments of a call",
		module: []string{"hip/arch", "hip/release", "hip/routine", "hip/routine/buffer", "workspace/tuning"},
	},
	"roclua/workspace/status": {
		why: "a leaf: the statuses of the libraries",
	},
	"roclua/workspace/tuning": {
		why:    "the files from which rocBLAS chooses kernels; knows neither calls nor handles",
		module: []string{"internal/nearest"},
		others: []string{"github.com/tinylib/msgp"},
	},
}
