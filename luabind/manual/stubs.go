package manual

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/routine"
	"roclua/luabind/api"
)

// Stubs returns the files that describe the modules to an editor's Lua language server, by name: annotations
// without code. They are split so that each stays below the size above which the server does not load a file.
func Stubs() map[string]string {
	files := map[string]string{"classes.lua": classStubs(), "handle.lua": handleStub()}
	for _, m := range api.Modules() {
		files[m.Name+".lua"] = moduleStub(m)
		if m.Tries() {
			files[m.Name+"-try.lua"] = tryStub(m)
		}
	}
	for level := 1; level <= 3; level++ {
		for _, wide := range []bool{false, true} {
			name := fmt.Sprintf("rocblas-level%d", level)
			if wide {
				name += "-64"
			}
			files[name+".lua"] = partOf("rocblas") + routineStubs(level, ofWidth(wide))
		}
		files[fmt.Sprintf("hipblas-level%d.lua", level)] = partOf("hipblas") + layerStubs(routine.HipBLAS, level)
	}
	for name, of := range map[string]func(*routine.Routine) bool{
		"rocsolver-batched.lua": func(r *routine.Routine) bool {
			return !r.Wide && r.Variant != routine.Plain && r.Variant != routine.StridedBatched
		},
		"rocsolver-strided.lua": func(r *routine.Routine) bool {
			return !r.Wide && r.Variant == routine.StridedBatched
		},
		"rocsolver-64.lua": ofWidth(true),
	} {
		files[name] = partOf("rocsolver") + routineStubs(routine.SolverLevel, of)
	}
	return files
}

// partOf begins a file with a part of a module.
func partOf(module string) string {
	return fmt.Sprintf("---@meta\n\n---@class %[1]s\nlocal %[1]s = {}\n\n", module)
}

func ofWidth(wide bool) func(*routine.Routine) bool {
	return func(r *routine.Routine) bool { return r.Wide == wide }
}

// moduleStub declares a module with its constants and the functions that are not routines. The plain routines of
// rocsolver follow; its batched and strided ones, rocblas's routines, and hipblas's forms of them have separate files.
func moduleStub(m *api.Module) string {
	var b strings.Builder
	if m.Global {
		fmt.Fprintf(&b, "---@meta\n\n---@class oslib\n%s = {}\n\n", m.Name)
	} else {
		fmt.Fprintf(&b, "---@meta %s\n\n---@class %s\n", m.Name, m.Name)
		for _, c := range m.Constants {
			about := c.About
			if about == "" || c.Type == string(api.HIPStatus) {
				about = fmt.Sprint(c.Value)
			}
			fmt.Fprintf(&b, "---@field %s %s %s\n", c.Name, c.Type, about)
		}
		if m.Tries() {
			fmt.Fprintf(&b, "---@field try %s.try the same functions, which return an error status\n", m.Name)
		}
		fmt.Fprintf(&b, "local %s = {}\n\n", m.Name)
	}
	for _, f := range m.Functions {
		writeFunctionStub(&b, f)
	}
	switch {
	case m.Name == "rocblas":
		b.WriteString(enumStubs())
	case m.IsLayer():
		b.WriteString(layerStubs(*m.Library, routine.LayerLevel))
	case m.Name == "rocsolver":
		b.WriteString(routineStubs(routine.SolverLevel, func(r *routine.Routine) bool {
			return !r.Wide && r.Variant == routine.Plain
		}))
	}
	if !m.Global {
		fmt.Fprintf(&b, "return %s\n", m.Name)
	}
	return b.String()
}

// layerStubs declares the functions of a library above rocBLAS and rocSOLVER that have a level.
func layerStubs(l routine.Library, level int) string {
	var b strings.Builder
	for _, r := range l.Routines() {
		if r.Family.Level == level {
			writeFunctionStub(&b, api.Of(r))
		}
	}
	return b.String()
}

// enumStubs declares the enumerations; a plain number and a short name are accepted as well.
func enumStubs() string {
	var b strings.Builder
	for _, kind := range enums {
		fmt.Fprintf(&b, "---@alias %s.%s integer\n", routine.EnumLibrary(kind), routine.EnumName(kind))
		for _, c := range routine.Constants {
			if c.Enum == kind {
				fmt.Fprintf(&b, "---| %d # %s\n---| \"%s\"\n", c.Value, c.Name, c.Short())
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// writeFunctionStub annotates a function or a method.
func writeFunctionStub(w io.Writer, f *api.Function) {
	fmt.Fprintf(w, "---%s\n", f.About)
	names := writeParamStubs(w, f.Params)
	writeResultStubs(w, f.Returns(false))
	fmt.Fprintf(w, "function %s(%s) end\n\n", f.Title(), strings.Join(names, ", "))
}

// writeResultStubs annotates the results of a function.
func writeResultStubs(w io.Writer, results []api.Result) {
	for _, r := range results {
		fmt.Fprintf(w, "---@return %s %s %s\n", r.Type, r.Name, r.About)
	}
}

// tryStub declares the try forms of a module as fields. Routines accept any arguments there, to keep the files small.
func tryStub(m *api.Module) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---@meta\n\n---@class %s.try\n", m.Name)
	for _, f := range m.Functions {
		if f.Tries() {
			var params []string
			for i := range f.Params {
				params = append(params, fieldParam(&f.Params[i]))
			}
			fmt.Fprintf(&b, "---@field %s fun(%s): %s\n", f.Name, strings.Join(params, ", "), types(f.Returns(true)))
		}
	}
	if m.IsLayer() {
		for _, r := range m.Library.Routines() {
			fmt.Fprintf(&b, "---@field %s fun(...: any): %s\n", r.Name, types(api.Of(r).Returns(true)))
		}
		return b.String()
	}
	for _, r := range routine.All() {
		if m.Library != nil && r.Library == *m.Library {
			first := "first: roclua.handle|" + argsClass(r) + "|nil"
			fmt.Fprintf(&b, "---@field %s fun(%s, ...: any): %s\n", r.Name, first, types(api.Of(r).Returns(true)))
		}
	}
	return b.String()
}

// fieldParam returns a parameter in the notation of a field: "size: integer", "kind?: integer".
func fieldParam(p *api.Param) string {
	switch {
	case p.Variadic:
		return "...: " + p.Type()
	case p.Optional:
		return p.Name + "?: " + p.Type()
	}
	return p.Name + ": " + p.Type()
}

// writeParamStubs annotates parameters and returns their names for the definition.
func writeParamStubs(w io.Writer, params []api.Param) []string {
	var names []string
	for i := range params {
		p := &params[i]
		name, mark := p.Name, ""
		switch {
		case p.Variadic:
			name = "..."
		case p.Optional:
			mark = "?"
		}
		fmt.Fprintf(w, "---@param %s%s %s %s\n", name, mark, p.Type(), p.Describe())
		names = append(names, name)
	}
	return names
}

// routineStubs declares some routines of a level, with a class of named arguments for each form.
func routineStubs(level int, of func(*routine.Routine) bool) string {
	var b strings.Builder
	for _, f := range families(level) {
		described := map[string]bool{}
		for _, r := range siblings(f) {
			if !of(r) {
				continue
			}
			if class := argsClass(r); !described[class] {
				described[class] = true
				writeArgsClass(&b, r, class)
			}
			writeRoutineStub(&b, r)
		}
	}
	return b.String()
}

// argsClass names the class of a routine's named arguments, which all its types share.
func argsClass(r *routine.Routine) string {
	name := r.Library.String() + "." + r.Family.Name + r.Variant.Suffix()
	if r.Wide {
		name += "_64"
	}
	return name + ".args"
}

// writeArgsClass declares the table of named arguments of a routine.
func writeArgsClass(w io.Writer, r *routine.Routine, class string) {
	fmt.Fprintf(w, "---@class %s\n---@field handle? roclua.handle\n", class)
	params := api.Of(r).Params[1:]
	for i := range params {
		p := &params[i]
		given, _ := r.Param(p.Name)
		if d, ok := r.Default(given); ok {
			fmt.Fprintf(w, "---@field %s? %s %s (default %s)\n", p.Name, strings.TrimSuffix(p.Type(), "?"), p.About, d)
		} else {
			fmt.Fprintf(w, "---@field %s %s %s\n", p.Name, p.Type(), p.About)
		}
	}
	if p, ok := r.ParamAt(routine.Result); ok {
		fmt.Fprintf(w, "---@field %s? roclua.pointer %s, in device pointer mode\n", p.Name, p.About)
	}
	fmt.Fprintln(w)
}

// writeRoutineStub annotates a routine in C order, with the call by name as its overload.
func writeRoutineStub(w io.Writer, r *routine.Routine) {
	f := api.Of(r)
	fmt.Fprintf(w, "---%s (%s)\n", f.About, typeName(r))
	fmt.Fprintf(w, "---%s\n", workspaceLine(r))
	var names []string
	for i := range f.Params {
		p := &f.Params[i]
		fmt.Fprintf(w, "---@param %s %s %s\n", p.Name, p.Type(), p.About)
		names = append(names, p.Name)
	}
	results := f.Returns(false)
	writeResultStubs(w, results)
	fmt.Fprintf(w, "---@overload fun(args: %s): %s\n", argsClass(r), types(results))
	fmt.Fprintf(w, "function %s(%s) end\n\n", f.Title(), strings.Join(names, ", "))
}

// types lists the types of results.
func types(results []api.Result) string {
	var list []string
	for _, r := range results {
		list = append(list, r.Type)
	}
	return strings.Join(list, ", ")
}

// workspaceLine describes the workspace of a routine in a line.
func workspaceLine(r *routine.Routine) string {
	line := "Workspace: " + workspaceOf(r) + "."
	for _, reason := range unknowns(r) {
		line += " Unknown: " + reason + "."
	}
	return line
}

const primitiveStubs = `---@meta

---@class roclua.pointer: userdata a device address; p + bytes and p - bytes are addresses, p - q is a number of bytes
---@operator add(integer): roclua.pointer
---@operator sub(integer): roclua.pointer

---@class roclua.stream: userdata

---@class roclua.event: userdata

`

// operatorStubs are annotations of classes that have more than fields and methods.
var operatorStubs = map[string]string{
	"test":       "---@field [string] any the parameters of the case\n",
	"array":      "---@field [integer] any\n---@operator len: integer\n",
	"prepared":   "---@overload fun(): any\n",
	"allocation": "---@field [integer] roclua.pointer?\n---@operator len: integer\n",
}

// classStubs declares the objects that scripts use, except for handles.
func classStubs() string {
	var b strings.Builder
	b.WriteString(primitiveStubs)
	fmt.Fprintf(&b, "---@alias roclua.element \"%s\"\n\n", strings.Join(api.ElementTypes, `"|"`))
	for _, c := range api.Classes() {
		if c.Name == "handle" {
			continue
		}
		fmt.Fprintf(&b, "---%s\n---@class roclua.%s\n%s", c.About, c.Name, operatorStubs[c.Name])
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "---@field %s %s %s\n", f.Name, f.Type, f.About)
		}
		if c.Receiver == "" {
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(&b, "local %s = {}\n\n", c.Receiver)
		for _, f := range c.AllMethods() {
			writeFunctionStub(&b, f)
		}
	}
	return b.String()
}

// handleStub declares handles with all their methods. Routines are declared as fields, to keep the files small.
func handleStub() string {
	var b strings.Builder
	c, _ := api.FindClass("handle")
	fmt.Fprintf(&b, "---@meta\n\n---%s\n---@class roclua.handle: userdata\n", c.About)
	for _, r := range routine.All() {
		call := fmt.Sprintf("fun(self: roclua.handle, args: %s): %s", argsClass(r), types(api.Of(r).Returns(false)))
		fmt.Fprintf(&b, "---@field %s %s\n", r.Name, call)
	}
	b.WriteString("local handle = {}\n\n")
	for _, f := range c.AllMethods() {
		writeFunctionStub(&b, f)
	}
	return b.String()
}
