package array

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
)

// Array is a typed array in host memory: column-major rows x cols, read and written 1-based by scripts.
type Array struct {
	Kind       string // one of api.ElementTypes
	rows, cols int
	Raw        []byte
	filling    *hip.HostCopy  // the last copy to the array; nil if the host has waited for it
	shared     bool           // Raw belongs to another machine, and is only read
	managed    *hip.HostView  // of managed memory, which Raw is; nil for memory of the host
	e          *engine.Engine // raises errors of managed
}

// newArray makes an array of zeros. For a size that a script chooses, use reservedArray, which counts the memory.
func newArray(kind string, rows, cols int) *Array {
	// Words of 8 bytes keep every element type aligned.
	bytes := rows * cols * elementOf[kind].bytes
	words := make([]uint64, (bytes+7)/8)
	a := &Array{Kind: kind, rows: rows, cols: cols}
	if len(words) > 0 {
		a.Raw = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)
	}
	return a
}

// Of makes a vector of the elements that raw holds.
func Of(kind string, raw []byte) *Array {
	a := newArray(kind, len(raw)/elementOf[kind].bytes, 1)
	copy(a.Raw, raw)
	return a
}

// Shape returns the numbers of rows and columns.
func (a *Array) Shape() (rows, cols int) { return a.rows, a.cols }

func (a *Array) len() int { return a.rows * a.cols }

// BeforeUse reports a hazard if a copy may still write the array, or work of a stream may use its managed memory, and
// waits for it. call names the use in messages.
func (a *Array) BeforeUse(call string) { a.before(call, 0, a.len(), routine.In) }

// before is BeforeUse for an access to n elements from index i on, 0-based.
func (a *Array) before(call string, i, n int, access routine.Access) {
	size := elementOf[a.Kind].bytes
	if a.filling != nil && uint64(i*size) < a.filling.Bytes() && a.filling.BeforeHostUse(call) {
		a.filling = nil
	}
	a.beforeManaged(call, i, n, access)
}

// beforeManaged raises an error if managed memory was freed.
func (a *Array) beforeManaged(call string, i, n int, access routine.Access) {
	if a.managed == nil {
		return
	}
	size := uint64(elementOf[a.Kind].bytes)
	if err := a.managed.BeforeUse(call, uint64(i)*size, uint64(n)*size, access); err != nil {
		a.e.Raise(a.e.VM.Current(), err)
	}
}

// BeforeFilling reports a hazard if the last copy may still write the array while the next one does.
func (a *Array) BeforeFilling(call string, stream *hip.Stream) {
	if a.filling != nil {
		a.filling.BeforeCopy(call, stream)
		a.filling = nil
	}
}

// FilledBy keeps a queued copy to the array: the host must wait for the copy before it uses the array. copied is nil on
// a platform that does not detect hazards of host memory.
func (a *Array) FilledBy(copied *hip.HostCopy) { a.filling = copied }

// Share implements engine.Shared: both arrays have the same elements, which scripts only read from now on. It waits for
// the last copy to the array.
func (a *Array) Share(to *engine.Engine) lua.LValue {
	if a.filling != nil {
		a.BeforeUse("sharing an array")
		a.filling = nil // machines in parallel share the array again
	}
	return to.VM.Object(TypeName, &Array{Kind: a.Kind, rows: a.rows, cols: a.cols, Raw: a.Raw, shared: true})
}

// CopyTo returns a copy of the array for scripts of another machine.
func (a *Array) CopyTo(to *engine.Engine) lua.LValue {
	b := newArray(a.Kind, a.rows, a.cols)
	copy(b.Raw, a.Raw)
	return to.VM.Object(TypeName, b)
}

// CheckWritable is called before a copy fills the array: see BeforeFilling. It raises an error if the array belongs to
// several clients.
func (a *Array) CheckWritable(c *engine.Call, param string) {
	a.checkOwner(c, param)
	a.beforeManaged(c.Fn.Title(), 0, a.len(), routine.Out)
}

// beforeWriting is before for elements that the host sets.
func (a *Array) beforeWriting(c *engine.Call, call string, i, n int) {
	a.checkOwner(c, "array")
	a.before(call, i, n, routine.Out)
}

func (a *Array) checkOwner(c *engine.Call, param string) {
	if a.shared {
		c.Bad(param, "the array belongs to all clients, which only read it; change a copy of it, array:copy()")
	}
}

// Managed returns the address of an array of managed memory, and 0 for other arrays.
func (a *Array) Managed() driver.Ptr {
	if a.managed == nil {
		return 0
	}
	return a.managed.Begin()
}

// Describe implements vm.Describer.
func (a *Array) Describe() string {
	if a.managed != nil {
		return "an array of managed memory"
	}
	return "an array"
}

// HostSize implements memory.Sizer.
func (a *Array) HostSize() (bytes uint64, first *byte) {
	if len(a.Raw) == 0 || a.shared || a.managed != nil {
		return 0, nil
	}
	return uint64(cap(a.Raw)), &a.Raw[0]
}

// view returns the elements as a slice of their Go type.
func view[T any](a *Array) []T {
	if len(a.Raw) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&a.Raw[0])), a.len())
}

// at returns element i, 0-based, as a complex number; addresses are not numbers.
func (a *Array) at(i int) complex128 {
	switch a.Kind {
	case "s":
		return complex(float64(view[float32](a)[i]), 0)
	case "d":
		return complex(view[float64](a)[i], 0)
	case "c":
		return complex128(view[complex64](a)[i])
	case "z":
		return view[complex128](a)[i]
	case "i64", "ptr":
		return complex(float64(view[int64](a)[i]), 0)
	}
	e := elementOf[a.Kind]
	return number.Load(e.datatype, a.Raw[i*e.bytes:])
}

// put sets element i, 0-based; a real or integer array takes the real part.
func (a *Array) put(i int, v complex128) {
	switch a.Kind {
	case "s":
		view[float32](a)[i] = float32(real(v))
	case "d":
		view[float64](a)[i] = real(v)
	case "c":
		view[complex64](a)[i] = complex64(v)
	case "z":
		view[complex128](a)[i] = v
	case "i64", "ptr":
		view[int64](a)[i] = int64(real(v))
	default:
		e := elementOf[a.Kind]
		number.Store(e.datatype, a.Raw[i*e.bytes:], v)
	}
}

func (a *Array) isComplex() bool { return a.Kind == "c" || a.Kind == "z" }
func (a *Array) isNumber() bool  { return a.Kind != "ptr" }

// integers returns the range of an array of integers; ok is false for other kinds.
func (a *Array) integers() (low, high int64, ok bool) {
	switch a.Kind {
	case "i8":
		return math.MinInt8, math.MaxInt8, true
	case "i32":
		return math.MinInt32, math.MaxInt32, true
	case "i64":
		return -vm.MaxExact, vm.MaxExact, true
	}
	return 0, 0, false
}
