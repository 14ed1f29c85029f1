package manual

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Stubs are the files that teach an editor's Lua language server the modules: annotations without code. They are split so
// that each stays below the size above which the server does not load a file.
func Stubs() map[string]string {
	files := map[string]string{
		"rocblas.lua":   moduleStub("rocblas", constantFields),
		"rocsolver.lua": moduleStub("rocsolver", nil) + routineStubs(4, false) + "return rocsolver\n",
		"hip.lua":       moduleStub("hip", hipFields) + "return hip\n",
		"array.lua":     moduleStub("array", nil) + "return array\n",
		"scenario.lua":  classStubs(),
		"handle.lua":    handleStub(),
	}
	files["rocblas.lua"] += enumStubs() + "return rocblas\n"
	for level := 1; level <= 3; level++ {
		for _, wide := range []bool{false, true} {
			name := fmt.Sprintf("rocblas-level%d", level)
			if wide {
				name += "-64"
			}
			files[name+".lua"] = "---@meta\n\n---@class rocblas\nlocal rocblas = {}\n\n" + routineStubs(level, wide)
		}
	}
	return files
}

// WriteStubs writes the stubs into a folder, which is made if it is not there.
func WriteStubs(folder string) (files []string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	stubs := Stubs()
	for _, name := range slices.Sorted(maps.Keys(stubs)) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(stubs[name]), 0o644); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// moduleStub declares a module with its fields and the functions that are not routines.
func moduleStub(name string, fields func(w io.Writer)) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---@meta %s\n\n---@class %s\n", name, name)
	if fields != nil {
		fields(&b)
	}
	if name != "array" {
		fmt.Fprintf(&b, "---@field try %s the same functions, which return an error status instead of raising it\n", name)
	}
	fmt.Fprintf(&b, "local %s = {}\n\n", name)
	for _, e := range Functions() {
		if e.Owner == name {
			writeFunctionStub(&b, &e, name+"."+e.Name)
		}
	}
	return b.String()
}

func constantFields(w io.Writer) {
	for _, c := range routine.Constants {
		fmt.Fprintf(w, "---@field %s rocblas.%s %d\n", c.Name, routine.EnumName(c.Enum), c.Value)
	}
	for _, s := range status.All() {
		fmt.Fprintf(w, "---@field status_%s roclua.status %s\n", s.Short(), s.Meaning())
	}
}

func hipFields(w io.Writer) {
	for _, e := range driver.Errors() {
		fmt.Fprintf(w, "---@field %s roclua.hip_status %d\n", driver.ScriptName(e.Error()), int(e))
	}
	constants := driver.Constants()
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		fmt.Fprintf(w, "---@field %s integer %d\n", name, constants[name])
	}
}

// enumStubs declares the enumerations; a plain number is accepted as well.
func enumStubs() string {
	var b strings.Builder
	for _, kind := range enums {
		fmt.Fprintf(&b, "---@alias rocblas.%s integer\n", routine.EnumName(kind))
		for _, c := range routine.Constants {
			if c.Enum == kind {
				fmt.Fprintf(&b, "---| %d # %s\n", c.Value, c.Name)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// writeFunctionStub annotates a function under the name that it is defined by.
func writeFunctionStub(w io.Writer, e *Entry, name string) {
	fmt.Fprintf(w, "---%s\n", e.About)
	var names []string
	for _, v := range e.Args {
		mark := ""
		if v.Optional && v.Name != "..." {
			mark = "?"
		}
		fmt.Fprintf(w, "---@param %s%s %s %s\n", v.Name, mark, v.Type, v.About)
		names = append(names, v.Name)
	}
	for _, v := range e.Returns {
		fmt.Fprintf(w, "---@return %s %s %s\n", v.Type, v.Name, v.About)
	}
	if e.Status != "" {
		fmt.Fprintf(w, "---@return %s status\n", e.Status)
	}
	fmt.Fprintf(w, "function %s(%s) end\n\n", name, strings.Join(names, ", "))
}

// routineStubs declares the routines of a level, of one width of integers, with a class of named arguments for each form.
func routineStubs(level int, wide bool) string {
	var b strings.Builder
	for _, f := range families(level) {
		described := map[string]bool{}
		for _, r := range siblings(f) {
			if r.Wide != wide {
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

func writeArgsClass(w io.Writer, r *routine.Routine, class string) {
	fmt.Fprintf(w, "---@class %s\n---@field handle? roclua.handle\n", class)
	for i := range r.Params {
		p := &r.Params[i]
		d, ok := r.Default(p)
		switch {
		case p.Kind == routine.Output:
			fmt.Fprintf(w, "---@field %s? roclua.pointer %s, in device pointer mode\n", p.Name, p.About)
		case ok:
			fmt.Fprintf(w, "---@field %s? %s %s (default %s)\n", p.Name, strings.TrimSuffix(luaType(p), "?"), p.About, d)
		default:
			fmt.Fprintf(w, "---@field %s %s %s\n", p.Name, luaType(p), p.About)
		}
	}
	fmt.Fprintln(w)
}

// writeRoutineStub annotates a routine in C order, with the call by name as its overload.
func writeRoutineStub(w io.Writer, r *routine.Routine) {
	fmt.Fprintf(w, "---%s (%s)\n", r.Family.About, typeName(r))
	fmt.Fprintf(w, "---%s\n", workspaceLine(r))
	fmt.Fprintf(w, "---@param handle roclua.handle\n")
	names, result := []string{"handle"}, ""
	for i := range r.Params {
		p := &r.Params[i]
		if p.Kind == routine.Output {
			result = resultType(r) + " " + p.Name
			continue
		}
		fmt.Fprintf(w, "---@param %s %s %s\n", p.Name, luaType(p), p.About)
		names = append(names, p.Name)
	}
	if result != "" {
		fmt.Fprintf(w, "---@return %s nil inside a size query\n", result)
	}
	fmt.Fprintf(w, "---@return roclua.status status\n---@overload fun(args: %s): %s\n", argsClass(r), returnTypes(r))
	fmt.Fprintf(w, "function %s.%s(%s) end\n\n", r.Library, r.Name, strings.Join(names, ", "))
}

func workspaceLine(r *routine.Routine) string {
	line := "Asks for workspace: " + workspaceOf(r) + "."
	for _, reason := range unknowns(r) {
		line += " Not known: " + reason + "."
	}
	return line
}

// resultType is what a reduction returns: an array for a batch.
func resultType(r *routine.Routine) string {
	switch {
	case r.Variant != routine.Plain:
		return "roclua.array?"
	case r.Type == routine.Mixed, r.Type.IsComplex():
		return "number|number[]|nil"
	}
	return "number?"
}

func returnTypes(r *routine.Routine) string {
	if _, ok := r.ParamAt(routine.Result); ok {
		return resultType(r) + ", roclua.status"
	}
	return "roclua.status"
}

// luaType is the type of an argument.
func luaType(p *routine.Param) string {
	switch {
	case p.Kind.IsEnum():
		return "rocblas." + routine.EnumName(p.Kind)
	case p.Kind == routine.Scalar:
		return "number|number[]|roclua.pointer"
	case p.Kind.IsPointer():
		return "roclua.pointer?"
	}
	return "integer"
}

// classStubs declares the objects that scripts meet.
func classStubs() string {
	var b strings.Builder
	b.WriteString("---@meta\n\n---@class roclua.pointer: userdata a device address; p + bytes moves it, p - q gives the bytes between two\n---@operator add(integer): roclua.pointer\n")
	b.WriteString("---@operator sub(integer): roclua.pointer\n\n---@class roclua.stream: userdata\n\n---@class roclua.event: userdata\n\n")
	b.WriteString("---@alias roclua.element \"s\"|\"d\"|\"c\"|\"z\"|\"f16\"|\"bf16\"|\"i8\"|\"i32\"|\"i64\"|\"ptr\"\n\n")
	owners := map[string]string{"roclua.test": "t", "roclua.array": "a", "roclua.loan": "loan"}
	for _, c := range Classes {
		fmt.Fprintf(&b, "---%s\n---@class %s\n", c.About, c.Name)
		if c.Name == "roclua.test" {
			b.WriteString("---@field [string] any the parameters of the case\n")
		}
		if c.Name == "roclua.array" {
			b.WriteString("---@field [integer] any\n---@operator len: integer\n")
		}
		if c.Name == "roclua.loan" {
			b.WriteString("---@field [integer] roclua.pointer?\n---@operator len: integer\n")
		}
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "---@field %s %s %s\n", f.Name, f.Type, f.About)
		}
		owner, ok := owners[c.Name]
		if !ok {
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(&b, "local %s = {}\n\n", owner)
		for _, e := range Functions() {
			if e.Owner == owner {
				writeFunctionStub(&b, &e, owner+":"+e.Name)
			}
		}
	}
	return b.String()
}

// handleStub declares handles: their own methods, and every function that takes a handle first.
func handleStub() string {
	var b strings.Builder
	b.WriteString("---@meta\n\n---A rocblas_handle. Every function that takes a handle first is a method, too.\n---@class roclua.handle: userdata\n")
	for _, r := range routine.All() {
		fmt.Fprintf(&b, "---@field %s fun(self: roclua.handle, args: %s): %s\n", r.Name, argsClass(r), returnTypes(r))
	}
	b.WriteString("local handle = {}\n\n")
	for _, e := range Functions() {
		switch {
		case e.Owner == "handle":
			writeFunctionStub(&b, &e, "handle:"+e.Name)
		case e.Owner == "rocblas" && len(e.Args) > 0 && e.Args[0].Name == "handle":
			method := e
			method.Args = e.Args[1:]
			writeFunctionStub(&b, &method, "handle:"+e.Name)
		}
	}
	return b.String()
}
