package sequence

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// Script returns a Lua script that runs a sequence of operations and prints the outcome of each, one per line.
func Script(ops []*Operation) string {
	s := script{}
	s.begin(ops)
	for i, op := range ops {
		s.add(op, i == len(ops)-1)
	}
	s.end()
	return s.String()
}

// script collects the lines of a script.
type script struct {
	strings.Builder

	numbered  bool // number the outcomes, and print the size of the handle after each
	number    int
	solver    bool                     // the script calls rocSOLVER
	layers    map[routine.Library]bool // or libraries above it
	infos     map[string]bool          // with options of Jacobi's methods
	arrays    bool                     // the script allocates arrays
	lists     bool                     // and lists of addresses
	workspace bool
	scalars   bool // scalars and results in device memory
	streams   bool // streams and events
	room      bool // the script leaves devices little memory
	devices   int  // more than one: streams and events are on several devices
	handles   map[int]*scriptHandle
	order     []int // numbers of the handles, as they were created first
}

// scriptHandle is a script's knowledge of a handle.
type scriptHandle struct {
	destroyed bool
	pointers  pointerMode
}

// pointerMode is a script's knowledge of its handle's pointer mode.
type pointerMode uint8

const (
	hostPointers pointerMode = iota
	devicePointers
	unknownPointers // device pointer mode, unless a rocSOLVER routine changed it
)

func (s *script) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// exact is a Lua function of numbered scripts, because print shows only 14 digits of a number.
const exact = `local function exact(first, ...)
	if type(first) == "number" then first = string.format("%.0f", first) end
	return first, ...
end
`

// captured has Lua functions of numbered scripts that use streams. nodes describes the nodes of a graph, and states
// lists the capture status of the first streams.
const captured = `local function nodes(graph, status)
	local list, computes = {}, false
	for _, node in ipairs(graph and hip.graph_get_nodes(graph) or {}) do
		if node.type == hip.graph_node_type_mem_alloc then
			list[#list + 1] = string.format("allocates %.0f", node.bytes)
		elseif node.type == hip.graph_node_type_mem_free then
			list[#list + 1] = "frees"
		else
			computes = true
		end
	end
	if computes then list[#list + 1] = "computes" end
	if graph then hip.graph_destroy(graph) end
	return table.concat(list, ", "), status
end
local function states(count)
	local list = {}
	for i = 1, count do list[i] = hip.try.stream_is_capturing(streams[i]) end
	return table.concat(list, " ")
end
`

// byMode is a Lua function of scripts that call rocSOLVER in device pointer mode, because some of its routines change
// the mode. It calls in the form that the handle's current pointer mode needs.
const byMode = `local function by_mode(handle, device, host)
	if rocblas.try.get_pointer_mode(handle) == rocblas.pointer_mode_device then return device() end
	return host()
end
`

// libraryCalls is a Lua function of numbered scripts. It returns the HIP calls that the library made.
const libraryCalls = `local function calls()
	local list = {}
	for _, c in ipairs(hip.trace()) do
		if c.cause ~= "script" then
			local name = c.device > 0 and string.format("%s[%d]", c.call, c.device) or c.call
			list[#list + 1] = string.format("%s %.0f %d", name, c.bytes or 0, c.result)
		end
	end
	return table.concat(list, "; ")
end
hip.trace()
`

// find determines the memory and the modules used by operations.
func (s *script) find(ops []*Operation) {
	for _, op := range ops {
		setsWorkspace := op.Name == setWorkspace || op.Name == setLayerWorkspace
		s.workspace = s.workspace || setsWorkspace && !op.Null
		s.layers[routine.HipBLAS] = s.layers[routine.HipBLAS] || op.Name == setLayerWorkspace
		s.scalars = s.scalars || op.Name == setPointerMode && op.Size == routine.PointerModeDevice
		s.streams = s.streams || op.UsesStreams()
		s.room = s.room || op.takesRoom()
		s.devices = max(s.devices, op.Devices)
		if op.Method != "" {
			s.infos[op.Method], s.layers[routine.HipSOLVER] = true, true
		}
		if op.Call == nil {
			continue
		}
		s.solver = s.solver || op.Call.Routine.Library == routine.RocSOLVER
		s.layers[op.Call.Routine.Library] = true
		if object := op.Call.object(); object != "" {
			s.infos[object] = true
		}
		for slot, at := range places(op.Call.Routine) {
			s.arrays = s.arrays || !op.Call.Null[slot]
			s.lists = s.lists || !op.Call.Null[slot] && at.inLists
		}
	}
}

// begin writes the modules and the memory used by the operations.
func (s *script) begin(ops []*Operation) {
	s.layers, s.infos = map[routine.Library]bool{}, map[string]bool{}
	s.find(ops)
	s.handles = map[int]*scriptHandle{}
	if s.devices > 1 {
		s.line("-- It needs %d devices: roclua run --devices %[1]d", s.devices)
	}
	s.line(`local rocblas = require "rocblas"`)
	for _, module := range []struct {
		name string
		used bool
	}{{"rocsolver", s.solver}, {"hipblas", s.layers[routine.HipBLAS]}, {"hipsolver", s.layers[routine.HipSOLVER]},
		{"hip", s.numbered || s.arrays || s.workspace || s.scalars || s.streams || s.devices > 1},
		{"array", s.lists || s.scalars}} {
		if module.used {
			s.line(`local %s = require "%[1]s"`, module.name)
		}
	}
	if s.arrays {
		s.line("local arrays = hip.malloc(%d)", ArenaBytes)
		s.line("hip.memset(arrays + %d, 0, %d)", integersAt, integersSize)
	}
	if s.lists {
		s.line("local lists = hip.malloc(%d)", listsBytes)
		s.line("hip.memcpy(lists, array.pointers(arrays, %d, %d), %d)", addressCount, problemBytes, listsBytes)
	}
	for _, method := range slices.Sorted(maps.Keys(s.infos)) {
		if method == paramsObject {
			s.line("local %s = hipsolver.DnCreateParams()", method)
			continue
		}
		s.line("local %s = hipsolver.Create%sInfo()", strings.ToLower(method), method)
	}
	if s.workspace {
		s.line("local workspace = hip.malloc(%d)", WorkspaceBytes)
	}
	if s.scalars {
		s.line("local scalars = hip.malloc(%d)", scalarsBytes)
		s.line("hip.memset(scalars, 0, %d)", scalarsBytes)
		s.line(`hip.memcpy(scalars, array.identity("c", 1), 8)`)
		s.line(`hip.memcpy(scalars + %d, array.identity("z", 1), 16)`, doubleAt)
	}
	if s.streams {
		s.makeStreams()
	}
	if s.room {
		s.WriteString(room)
	}
	if s.scalars && s.solver {
		s.WriteString(byMode)
	}
	if s.numbered {
		s.WriteString(exact)
		s.WriteString(libraryCalls)
		if s.streams {
			s.WriteString(captured)
		}
	}
}

// add writes an operation. The last one of a script is followed by the size of the handle's memory.
func (s *script) add(op *Operation, last bool) {
	switch {
	case op.Name == createHandle:
		for _, name := range slices.Sorted(maps.Keys(op.Env)) {
			s.line("os.setenv(%q, %q)", name, op.Env[name])
		}
		s.create(op.Handle)
	case op.Name == endCapture && s.numbered:
		s.print(fmt.Sprintf("nodes(%s)", op.lua(hostPointers)))
	default:
		s.print(op.lua(s.pointersOf(op)))
	}
	h := s.handles[op.Handle]
	if h != nil {
		h.pointers = op.pointersAfter(h.pointers)
		h.destroyed = op.Name == destroyHandle || h.destroyed && op.Name != createHandle
	}
	if s.numbered {
		s.line("print(%q, calls())", callsMarker+fmt.Sprint(s.number))
		s.line("print(%q, hip.peek_at_last_error())", lastMarker+fmt.Sprint(s.number))
		if s.streams && !op.Direct {
			s.line("print(%q, states(%d))", statesMarker+fmt.Sprint(s.number), streamCount)
		}
	}
	if (s.numbered || last) && h != nil && !h.destroyed {
		s.held(op.Handle)
	}
	s.number++
}

// create writes the creation of a handle.
func (s *script) create(handle int) {
	declare := ""
	if s.handles[handle] == nil {
		declare = "local "
		s.order = append(s.order, handle)
	}
	s.line("%s%s, status = rocblas.try.create_handle()", declare, handleName(handle))
	s.print("status")
	s.handles[handle] = &scriptHandle{}
}

// pointersOf returns the pointer mode of an operation's handle.
func (s *script) pointersOf(op *Operation) pointerMode {
	if h := s.handles[op.Handle]; h != nil {
		return h.pointers
	}
	return hostPointers
}

// pointersAfter returns the pointer mode after an operation.
func (op *Operation) pointersAfter(before pointerMode) pointerMode {
	switch {
	case op.Name == setPointerMode && op.Size == routine.PointerModeDevice:
		return devicePointers
	case op.Name == setPointerMode:
		return hostPointers
	case before == devicePointers && op.Call != nil && op.Call.Routine.Library == routine.RocSOLVER:
		return unknownPointers
	}
	return before
}

// print prints values.
func (s *script) print(values string) {
	if s.numbered {
		values = fmt.Sprintf("%q, exact(%s)", marker+fmt.Sprint(s.number), values)
	}
	s.line("print(%s)", values)
}

// held prints the size of a handle's memory.
func (s *script) held(handle int) {
	call := fmt.Sprintf("rocblas.try.get_device_memory_size(%s)", handleName(handle))
	if s.numbered {
		s.line("print(%q, exact(%s))", heldMarker+fmt.Sprint(s.number), call)
		return
	}
	s.line("print(%s)", call)
}

// end frees the script's allocations.
func (s *script) end() {
	if s.streams {
		s.line("for i = 1, %d do hip.try.stream_end_capture(streams[i]) end", perThreadStream)
	}
	for _, handle := range s.order {
		if !s.handles[handle].destroyed {
			s.line("rocblas.try.destroy_handle(%s)", handleName(handle))
		}
	}
	if s.streams {
		s.line("for i = 1, %d do hip.stream_destroy(streams[i]) end", streamCount)
		s.line("for i = 1, #events do hip.event_destroy(events[i]) end")
	}
	if s.room {
		s.line("while #taken > 0 do drain() end")
	}
	for _, method := range slices.Sorted(maps.Keys(s.infos)) {
		if method == paramsObject {
			s.line("hipsolver.DnDestroyParams(%s)", method)
			continue
		}
		s.line("hipsolver.Destroy%sInfo(%s)", method, strings.ToLower(method))
	}
	for _, memory := range []struct {
		name string
		used bool
	}{{"arrays", s.arrays}, {"lists", s.lists}, {"workspace", s.workspace}, {"scalars", s.scalars}} {
		if memory.used {
			s.line("hip.free(%s)", memory.name)
		}
	}
}

// lua returns an operation as a Lua expression. Functions return the status of a failed call.
func (op *Operation) lua(pointers pointerMode) string {
	h := handleName(op.Handle)
	switch op.Name {
	case setStream:
		return fmt.Sprintf("rocblas.try.set_stream(%s, streams[%d])", h, op.Stream)
	case setDevice:
		return fmt.Sprintf("hip.try.set_device(%d)", op.Device)
	case fill:
		return fmt.Sprintf("fill(%d)", op.Size)
	case drain:
		return "drain()"
	case beginCapture:
		return fmt.Sprintf("hip.try.stream_begin_capture(streams[%d], %d)", op.Stream, op.Mode)
	case endCapture:
		return fmt.Sprintf("hip.try.stream_end_capture(streams[%d])", op.Stream)
	case recordEvent:
		return fmt.Sprintf("hip.try.event_record(events[%d], streams[%d])", op.Event+1, op.Stream)
	case waitEvent:
		return fmt.Sprintf("hip.try.stream_wait_event(streams[%d], events[%d])", op.Stream, op.Event+1)
	case setMemorySize, setPointerMode:
		return fmt.Sprintf("rocblas.try.%s(%s, %d)", op.Name, h, op.Size)
	case setWorkspace, setLayerWorkspace:
		library, p := routine.RocBLAS, "workspace"
		if op.Name == setLayerWorkspace {
			library = routine.HipBLAS
		}
		if op.Null {
			p = "nil"
		}
		return fmt.Sprintf("%s.try.%s(%s, %s, %d)", library, op.Name, h, p, op.Size)
	}
	if op.Method != "" {
		return op.optionLua(h)
	}
	if op.Call == nil {
		return fmt.Sprintf("rocblas.try.%s(%s)", op.Name, h)
	}
	if pointers == unknownPointers {
		return op.Call.inEitherMode(h)
	}
	return op.Call.lua(h, pointers == devicePointers)
}
