package sequence

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/hipblas"
)

// Names of operations that are rocBLAS functions.
const (
	createHandle   = "create_handle"
	destroyHandle  = "destroy_handle"
	startQuery     = "start_device_memory_size_query"
	stopQuery      = "stop_device_memory_size_query"
	setPointerMode = "set_pointer_mode"
	getPointerMode = "get_pointer_mode"
	setMemorySize  = "set_device_memory_size"
	setWorkspace   = "set_workspace"
	getAtomicsMode = "get_atomics_mode"

	setLayerWorkspace = "SetWorkspace" // of hipBLAS
)

// Operation is one step of a sequence: a handle function, a routine call, or a HIP function.
type Operation struct {
	Name string            // function of rocBLAS without its prefix, or of the module hip; "" for a call
	Size uint64            // bytes, or the pointer mode
	Null bool              // set_workspace gets a null pointer
	Env  map[string]string // environment when the handle is created
	Call *Call             // nil for functions

	Method string // whose options a function of hipSOLVER sets or reads; Name is the rest of its name
	Option int64  // that it sets

	Handle  int // number of the handle, 0 in sequences with one device
	Device  int // of set_device
	Devices int // of the creation of the first handle: how many devices the sequence uses; 0 is one

	Stream int                // stream number for set_stream and HIP functions; 0 is the null stream
	Event  int                // index of an event
	Mode   driver.CaptureMode // mode of a new capture

	// Direct: the next operation follows without another HIP call. The states of captures are not compared.
	Direct bool

	Unlogged bool // compare neither the memory calls nor the size of the handle
}

// CreateHandle creates the handle of a sequence in an environment.
func CreateHandle(env map[string]string) *Operation { return &Operation{Name: createHandle, Env: env} }

// DestroyHandle destroys the handle.
func DestroyHandle() *Operation { return &Operation{Name: destroyHandle} }

// IsCreate reports whether the operation creates the handle.
func (op *Operation) IsCreate() bool { return op.Name == createHandle }

// ReadsMode reports whether the operation returns a mode of the handle.
func (op *Operation) ReadsMode() bool { return op.Name == getAtomicsMode || op.Name == getPointerMode }

// ChangesMode reports whether the operation sets the pointer mode of the handle.
func (op *Operation) ChangesMode() bool { return op.Name == setPointerMode }

// StopsQuery reports whether the operation returns the bytes of a size query.
func (op *Operation) StopsQuery() bool { return op.Name == stopQuery }

// CName returns the name of the C function.
func (op *Operation) CName() string {
	switch name, isHIP := hipNames[op.Name]; {
	case op.Call != nil:
		return op.Call.Routine.CName()
	case isHIP:
		return name
	case op.Method != "":
		return "hipsolver" + op.optionName()
	case op.Name == setLayerWorkspace:
		return hipblas.SetWorkspaceName
	}
	return "rocblas_" + op.Name
}

// String describes the operation with its arguments.
func (op *Operation) String() string {
	text := op.CName()
	for _, name := range slices.Sorted(maps.Keys(op.Env)) {
		text += fmt.Sprintf(" %s=%q", name, op.Env[name])
	}
	switch {
	case op.Call != nil:
		text = op.Call.String()
	case op.Name == setDevice:
		text += fmt.Sprintf(" device=%d", op.Device)
	case op.Method != "" && !strings.HasPrefix(op.Name, "Get"):
		text += fmt.Sprintf(" value=%d", op.Option)
	case op.Null:
		text += fmt.Sprintf(" addr=null size=%d", op.Size)
	case strings.HasPrefix(op.Name, "set_") && op.Name != setStream || op.Name == setLayerWorkspace || op.Name == fill:
		text += fmt.Sprintf(" size=%d", op.Size)
	case op.UsesStreams():
		text += fmt.Sprintf(" stream=%d", op.Stream)
		if op.Name == beginCapture {
			text += fmt.Sprintf(" mode=%d", op.Mode)
		} else if op.Name == recordEvent || op.Name == waitEvent {
			text += fmt.Sprintf(" event=%d", op.Event)
		}
	}
	if op.Handle > 0 {
		text += fmt.Sprintf(" handle=%d", op.Handle)
	}
	return text
}

// String describes the call: its name, its arguments that are passed by value, and its null pointers.
func (d *Call) String() string {
	text := d.Routine.CName()
	for i := range d.Routine.Params {
		switch p := &d.Routine.Params[i]; {
		case d.Null[p.Slot]:
			text += fmt.Sprintf(" %s=null", p.Name)
		case p.Kind == routine.Scalar:
			text += fmt.Sprintf(" %s=%g", p.Name, real(d.Scalars[p.Slot]))
		case p.Kind == routine.Real:
			text += fmt.Sprintf(" %s=%g", p.Name, d.Reals[p.Slot])
		case !p.Kind.IsPointer():
			text += fmt.Sprintf(" %s=%d", p.Name, d.Ints[p.Slot])
		}
	}
	return text
}

// Query returns the operations of a size query with one call.
func Query(c *Call) []*Operation {
	return inDeviceMode(c, []*Operation{{Name: startQuery}, {Call: c}, {Name: stopQuery}})
}

// Execute returns the operations that execute one call.
func Execute(c *Call) []*Operation { return inDeviceMode(c, []*Operation{{Call: c}}) }

// OnDevice returns the operations that execute one call in device pointer mode.
func OnDevice(c *Call) []*Operation { return aroundMode([]*Operation{{Call: c}}) }

// inDeviceMode switches the pointer mode around routine calls with arrays in host memory in host pointer mode.
func inDeviceMode(c *Call, ops []*Operation) []*Operation {
	if c.Routine.Family.HostNumbers {
		return aroundMode(ops)
	}
	return ops
}

func aroundMode(ops []*Operation) []*Operation {
	ops = append([]*Operation{{Name: setPointerMode, Size: routine.PointerModeDevice}}, ops...)
	return append(ops, &Operation{Name: setPointerMode, Size: routine.PointerModeHost})
}

// endlessSizes are sizes that no device has, which rocblas_set_workspace accepts.
var endlessSizes = []uint64{1 << 40, mostInScripts, mostInScripts + 1, 1 << 63, math.MaxUint64 - 63, math.MaxUint64}

// mostInScripts is the largest size that scripts can pass.
const mostInScripts = 1 << 53

// DrawMemory draws a change of the handle's memory.
func DrawMemory(r *rand.Rand) *Operation {
	sizes := []uint64{0, 1, 63, 64, 65, 1000, 4096, 65536, 100000, 1 << 20, 4732160, 9 << 20, 16 << 20,
		uint64(r.IntN(8 << 20))}
	if r.IntN(16) == 0 {
		sizes = endlessSizes
	}
	op := &Operation{Name: setMemorySize, Size: sizes[r.IntN(len(sizes))]}
	if r.IntN(2) == 0 {
		op.Name, op.Null = setWorkspace, r.IntN(5) == 0
	}
	return op
}

// DrawSequence draws a sequence of operations from the creation of a handle on each device, in any environment, to its
// end. In half of the sequences captures begin and end at arbitrary points. With several devices that run no kernels,
// the memory of one of them is exhausted at times, while others have room.
func DrawSequence(r *rand.Rand, routines []*routine.Routine, devices int, noKernels bool) []*Operation {
	env := drawEnvironment(r)
	ops := append(CreateHandles(devices, env), &Operation{Name: getAtomicsMode})
	captures := r.IntN(2) == 0
	if _, streamOrdered := env[workspace.EnvStreamOrderAlloc]; streamOrdered && captures {
		// A size that is set during a capture is allocated in the graph. If the graph is not launched, a check that
		// uses this memory fails on a device, but not in the HIP runtime of the tests.
		delete(env, workspace.EnvCheckNumerics)
	}
	for range 40 + r.IntN(40) {
		if devices > 1 && noKernels {
			ops = append(ops, drawRoom(r, devices)...)
		}
		if captures && r.IntN(3) == 0 {
			ops = append(ops, drawDevice(r, devices, drawCapture(r, env))...)
		} else {
			drawn := drawOperation(r, routines)
			if captures {
				drawn = drawDirect(r, drawn)
			}
			ops = append(ops, drawDevice(r, devices, drawn)...)
		}
	}
	if captures {
		ops = append(ops, endCaptures()...)
	}
	return append(ops, DestroyHandles(devices)...)
}

func drawEnvironment(r *rand.Rand) map[string]string {
	env := map[string]string{}
	switch r.IntN(6) {
	case 0:
		env[workspace.EnvDeviceMemorySize] = []string{"0", "1", "4732160", "64KB", "", "-1", " 12 ",
			"0b11", "0B1000000", "4294967296"}[r.IntN(10)]
	case 1:
		env[workspace.EnvDeviceMemorySize] = strconv.Itoa(r.IntN(8 << 20))
	case 2:
		env[workspace.EnvStreamOrderAlloc] = []string{"1", "0", "2", "x", "4294967296", "4294967297", "0b1",
			"18446744073709551616"}[r.IntN(8)]
	case 3:
		env[workspace.EnvAtomicsMode] = []string{"1", "0", "2", "x", "", "-1", "08", "4294967296", "0b1"}[r.IntN(9)]
	}
	if r.IntN(3) == 0 {
		env[workspace.EnvCheckNumerics] = []string{"1", "2", "4", "6", "7", "12", "16", "0x4", "0b100", "-1", "0",
			"4294967296", "18446744073709551616", "x"}[r.IntN(14)]
	}
	return env
}

func drawOperation(r *rand.Rand, routines []*routine.Routine) []*Operation {
	one := func(name string) []*Operation { return []*Operation{{Name: name}} }
	switch r.IntN(12) {
	case 0, 1:
		return []*Operation{DrawMemory(r)}
	case 2:
		return one(startQuery)
	case 3:
		return one(stopQuery)
	case 4:
		return one("is_managing_device_memory")
	case 5:
		return one("is_user_managing_device_memory")
	case 6:
		return one(getPointerMode)
	}
	return Execute(DrawCall(r, routines[r.IntN(len(routines))], Executed))
}
