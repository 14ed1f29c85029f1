package difftest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// Script returns a Lua script that runs a sequence of operations and prints the outcome of each, one a line.
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

	numbered  bool // outcomes have the numbers of operations, and each is followed by the size of the handle
	number    int
	arrays    bool // the script allocates arrays
	lists     bool // and lists of addresses
	workspace bool
	created   bool
	destroyed bool
}

func (s *script) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// exact is a function of numbered scripts: print shows only the first 14 digits of a number.
const exact = `local function exact(first, ...)
	if type(first) == "number" then first = string.format("%.0f", first) end
	return first, ...
end
`

// begin writes the modules and the memory that the operations use.
func (s *script) begin(ops []*Operation) {
	solver := false
	for _, op := range ops {
		s.workspace = s.workspace || op.Name == "set_workspace" && !op.Null
		if op.Call == nil {
			continue
		}
		solver = solver || op.Call.Routine.Library == routine.RocSOLVER
		for slot, at := range places(op.Call.Routine) {
			s.arrays = s.arrays || !op.Call.Null[slot]
			s.lists = s.lists || !op.Call.Null[slot] && at.inLists
		}
	}
	s.line(`local rocblas = require "rocblas"`)
	if s.numbered {
		s.WriteString(exact)
	}
	for _, module := range []struct {
		name string
		used bool
	}{{"rocsolver", solver}, {"hip", s.arrays || s.workspace}, {"array", s.lists}} {
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
	if s.workspace {
		s.line("local workspace = hip.malloc(%d)", WorkspaceBytes)
	}
}

// add writes an operation. The last one of a script is followed by the size of the handle's memory.
func (s *script) add(op *Operation, last bool) {
	if op.Name == createHandle {
		for _, name := range slices.Sorted(maps.Keys(op.Env)) {
			s.line("os.setenv(%q, %q)", name, op.Env[name])
		}
		s.line("local handle, status = rocblas.try.create_handle()")
		s.print("status")
		s.created = true
	} else {
		s.print(op.lua())
	}
	s.destroyed = op.Name == destroyHandle
	if (s.numbered || last) && !s.destroyed {
		s.held()
	}
	s.number++
}

// print prints values.
func (s *script) print(values string) {
	if s.numbered {
		values = fmt.Sprintf("%q, exact(%s)", marker+fmt.Sprint(s.number), values)
	}
	s.line("print(%s)", values)
}

// held prints the size of the handle's memory.
func (s *script) held() {
	const call = "rocblas.try.get_device_memory_size(handle)"
	if s.numbered {
		s.line("print(%q, exact(%s))", heldMarker+fmt.Sprint(s.number), call)
		return
	}
	s.line("print(%s)", call)
}

// end frees what the script has allocated.
func (s *script) end() {
	if s.created && !s.destroyed {
		s.line("rocblas.try.destroy_handle(handle)")
	}
	for _, memory := range []struct {
		name string
		used bool
	}{{"arrays", s.arrays}, {"lists", s.lists}, {"workspace", s.workspace}} {
		if memory.used {
			s.line("hip.free(%s)", memory.name)
		}
	}
}

// lua returns an operation as an expression of Lua. Functions that refuse a call return its status.
func (op *Operation) lua() string {
	switch op.Name {
	case "set_device_memory_size", setPointerMode:
		return fmt.Sprintf("rocblas.try.%s(handle, %d)", op.Name, op.Size)
	case "set_workspace":
		p := "workspace"
		if op.Null {
			p = "nil"
		}
		return fmt.Sprintf("rocblas.try.set_workspace(handle, %s, %d)", p, op.Size)
	}
	if op.Call == nil {
		return fmt.Sprintf("rocblas.try.%s(handle)", op.Name)
	}
	return op.Call.Lua()
}

// Lua returns the call as an expression of Lua.
func (d *Call) Lua() string {
	args, at := []string{"handle"}, places(d.Routine)
	for i := range d.Routine.Params {
		p := &d.Routine.Params[i]
		switch where, isArray := at[p.Slot]; {
		case p.Kind == routine.Output:
			continue
		case d.Null[p.Slot] || p.Kind == routine.Object:
			args = append(args, "nil")
		case p.Kind == routine.Scalar:
			args = append(args, fmt.Sprint(real(d.Scalars[p.Slot])))
		case p.Kind == routine.Real:
			args = append(args, fmt.Sprint(d.Reals[p.Slot]))
		case isArray && where.inLists:
			args = append(args, fmt.Sprintf("lists + %d", where.offset))
		case isArray:
			args = append(args, fmt.Sprintf("arrays + %d", where.offset))
		case p.Kind.IsPointer():
			args = append(args, "nil")
		default:
			args = append(args, fmt.Sprint(d.Ints[p.Slot]))
		}
	}
	return fmt.Sprintf("%s.try.%s(%s)", d.Routine.Library, d.Routine.Name, strings.Join(args, ", "))
}
