// Package api declares everything that a script can use: modules with their functions and constants, and classes of
// objects with their fields and methods.
//
// Each function is declared once: its name, the C function that it calls, its parameters with their kinds, units
// and defaults, its results, the status that it returns, and its documentation. Package luabind reads the arguments
// of a call through the declaration and takes its messages about wrong arguments from it. Package luabind/manual
// writes the documentation, the reference page and the annotations for editors from it. The routines of rocBLAS and
// rocSOLVER come from the table of package hip/routine, in the same form: see Of.
//
//	hip, _ := api.FindModule("hip")
//	hip.Functions[0].Signature() // such as "hip.malloc(size) -> ptr"
//
// The package does not depend on Lua.
package api

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// Module is a table of functions and constants.
type Module struct {
	Name      string
	About     string
	Global    bool // a table that every script has; the others are loaded by require
	Functions []*Function
	Constants []Constant
	Library   *routine.Library // the library whose routines the module also has, or nil
}

// Class is a type of objects.
type Class struct {
	Name     string // "handle"; its type is roclua.handle
	Receiver string // the name that documentation gives to an object of a class with methods
	About    string
	Fields   []Field
	Methods  []*Function // the methods that are not functions of a module as well
	kind     Kind        // of the objects of a class with methods
}

// Field is a field of an object.
type Field struct{ Name, Type, About string }

// Constant is a constant of a module.
type Constant struct {
	Name  string
	Value int64
	Type  string // "roclua.status", "roclua.hip_status", "rocblas.operation", "integer"
	About string // "" where the name says it
}

// Function is a function of a module or a method of a class.
type Function struct {
	Owner    string // the module, or the receiver of the class
	Name     string
	C        string // the C function that it calls, or "" when there is none
	About    string
	Params   []Param // less the receiver of a method
	Results  []Result
	Status   StatusClass // the status of a call; Returns says whether a script gets it
	Reason   bool        // the last result says why the others are nil; it is returned only then
	Errors   []Cause     // the statuses that it raises in particular; those that many functions share are not listed
	Method   bool        // a function of a module that is also a method of its first parameter
	Receiver Kind        // the object that a method is called on; 0 for a function of a module
	Routine  *routine.Routine
}

// Param is one parameter.
type Param struct {
	Name     string
	Kind     Kind
	About    string
	Nil      string // meaning of nil: "the null stream"; "" if nil is not accepted
	Optional bool   // may be left out, or nil
	Default  any    // the value when it is left out: an int64 or a string; nil when it is not a constant
	Else     string // behavior without it, where Default does not say it
	Variadic bool   // takes all further arguments; at least one, unless it is optional
	Filled   bool   // an array that a copy from the device fills; others are used by the host during the call

	Low, High int64        // of an Integer
	Constants []string     // of an Integer: the constants of the module hip with the values Low, Low + 1 and so on
	Enum      routine.Kind // of an Enum
	Choices   []string     // of a Choice
	Fields    []Param      // of Options; all are optional
	Signature string       // of a Func, in the notation of Lua's language server
}

// The range of integers that a number of Lua holds exactly.
const (
	MaxInteger = 1 << 53
	MinInteger = -MaxInteger
)

// Result is one result.
type Result struct{ Name, Type, About string }

// Cause is a status and why a function returns it.
type Cause struct{ Status, When string }

// StatusClass is the type of the status that a function returns last.
type StatusClass string

// The classes of statuses.
const (
	NoStatus      StatusClass = ""
	RocBLASStatus StatusClass = "roclua.status"     // a rocblas_status
	HIPStatus     StatusClass = "roclua.hip_status" // a hipError_t

	HipSOLVERStatus StatusClass = "roclua.hipsolver_status" // a hipsolverStatus_t
	HipBLASStatus   StatusClass = "roclua.hipblas_status"   // a hipblasStatus_t
)

// IsMethod reports whether the function is called with a colon on an object.
func (f *Function) IsMethod() bool { return f.Receiver != 0 }

// Tries reports whether the module's table try has the function, which then returns an error status instead of
// raising it.
func (f *Function) Tries() bool { return !f.IsMethod() && f.C != "" }

// Tries reports whether the module has a table of try forms.
func (m *Module) Tries() bool { return slices.ContainsFunc(m.Functions, (*Function).Tries) }

// Title returns the name as a script writes it: "hip.malloc", "handle:query".
func (f *Function) Title() string {
	if f.IsMethod() {
		return f.Owner + ":" + f.Name
	}
	return f.Owner + "." + f.Name
}

// ReturnsStatus reports whether a call that raises its error statuses returns the other statuses. The status of a
// function that has results and is not a routine would always be success.
func (f *Function) ReturnsStatus() bool {
	return f.Status != NoStatus && (len(f.Results) == 0 || f.Routine != nil)
}

// Returns lists the values that a call returns: the results, and the status if ReturnsStatus. A try form of a function
// with a status returns the results, the status and the error; the results are nil after a failure, the error after a
// success.
func (f *Function) Returns(try bool) []Result {
	list := slices.Clone(f.Results)
	status := Result{"status", string(f.Status), "the status"}
	switch {
	case try && f.Status != NoStatus:
		for i := range list {
			list[i].Type = nullable(list[i].Type)
		}
		list = append(list, status, Result{"error", nullable("roclua.error"), "the error; nil after a success"})
	case f.ReturnsStatus():
		list = append(list, status)
	}
	return list
}

// nullable returns a type that also has nil, in the notation of Lua's language server.
func nullable(typ string) string {
	if strings.HasSuffix(typ, "?") || strings.HasSuffix(typ, "|nil") {
		return typ
	}
	return typ + "?"
}

// Signature returns the call: "hip.malloc(size) -> ptr". Optional parameters are in brackets.
func (f *Function) Signature() string { return f.signature(f.Title(), false) }

// TrySignature returns the call of the try form: "hip.try.malloc(size) -> ptr, status, error".
func (f *Function) TrySignature() string { return f.signature(f.Owner+".try."+f.Name, true) }

func (f *Function) signature(title string, try bool) string {
	var params, results []string
	for i := range f.Params {
		params = append(params, f.Params[i].notation())
	}
	for _, r := range f.Returns(try) {
		results = append(results, r.Name)
	}
	text := title + "(" + strings.Join(params, ", ") + ")"
	if results != nil {
		text += " -> " + strings.Join(results, ", ")
	}
	return text
}

// notation returns the parameter as a signature shows it: "size", "[kind]", "bytes, ...".
func (p *Param) notation() string {
	switch {
	case p.Variadic && p.Optional:
		return "..."
	case p.Variadic:
		return p.Name + ", ..."
	case p.Optional:
		return "[" + p.Name + "]"
	}
	return p.Name
}

// Describe returns the meaning of the parameter, of nil, and its default: "columns (default 1)".
func (p *Param) Describe() string {
	var notes []string
	if p.Nil != "" {
		notes = append(notes, "nil: "+p.Nil)
	}
	switch {
	case p.Else != "":
		notes = append(notes, "default: "+p.Else)
	case p.Default != nil:
		notes = append(notes, fmt.Sprintf("default %v", p.Default))
	case p.Optional && !p.Variadic && p.Nil == "":
		notes = append(notes, "optional")
	}
	if notes == nil {
		return p.About
	}
	return p.About + " (" + strings.Join(notes, "; ") + ")"
}

// Required returns how many arguments a call has at least. nil counts as an argument.
func (f *Function) Required() int {
	n := 0
	for i := range f.Params {
		if !f.Params[i].Optional {
			n = i + 1
		}
	}
	return n
}

// IsLayer reports whether the module is a library above rocBLAS and rocSOLVER.
func (m *Module) IsLayer() bool {
	return m.Library != nil && *m.Library != routine.RocBLAS && *m.Library != routine.RocSOLVER
}

// class returns the name of the class of the objects that the parameter accepts, or "" when it accepts other
// values.
func (p *Param) class() string {
	class, ok := strings.CutPrefix(kindTexts[p.Kind].typ, "roclua.")
	if !ok || strings.Contains(class, "|") {
		return ""
	}
	return class
}

func osModule() *Module {
	return &Module{
		Name: "os", Global: true,
		About: "environment variables of the case, next to os.time and os.clock of Lua",
		Functions: []*Function{
			declare("getenv", "returns an environment variable of the case", text("name", "name of the variable")).
				returns("value", "string?", "the value; nil when the variable is not set"),
			declare("setenv", "sets an environment variable of the case; handles created later see it",
				text("name", "name of the variable"),
				Param{Name: "value", Kind: Environment, About: "the value", Nil: "unset the variable"}),
		},
	}
}
