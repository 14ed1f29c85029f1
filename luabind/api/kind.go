package api

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// Kind is the kind of values that a parameter accepts.
type Kind uint8

// The kinds of parameters.
const (
	Handle      Kind = iota + 1 // a rocblas_handle
	Stream                      // a hipStream_t
	Event                       // a hipEvent_t
	Graph                       // a hipGraph_t
	GraphExec                   // a hipGraphExec_t
	Pointer                     // a device address
	Memory                      // a device address or a host array
	Array                       // a host array
	Numbers                     // a host array of numbers, not of device addresses
	Allocation                  // the result of handle:device_malloc
	Prepared                    // the result of handle:prepare
	Test                        // the object t of a scenario's functions
	Client                      // the object c of a workload's functions
	Bytes                       // a number of bytes
	Integer                     // an integer from Param.Low to Param.High
	Number                      // a number
	Boolean                     // true or false
	Enum                        // a constant of the enumeration Param.Enum, or its number
	Rfinfo                      // a rocsolver_rfinfo
	Jacobi                      // a hipsolverSyevjInfo_t
	Params                      // a hipsolverDnParams_t
	Status                      // a status or its number
	String                      // a string
	Choice                      // one of the strings Param.Choices
	ElementType                 // the type of an array's elements
	Element                     // an element of an array: a number, {re, im} or a device address
	Plain                       // a number, a string or a boolean
	Environment                 // a string or a number, which is kept as a string
	List                        // a table that is used as a list
	Options                     // a table with the named fields Param.Fields
	Func                        // a function
	Callable                    // a function or a prepared call
	Any                         // any value

	kinds // the number of kinds and one more
)

// kindTexts has the type of each kind in the notation of Lua's language server, and its name in messages.
var kindTexts = [kinds]struct{ typ, want string }{
	Handle:      {"roclua.handle", "a handle"},
	Stream:      {"roclua.stream", "a stream"},
	Event:       {"roclua.event", "an event"},
	Graph:       {"roclua.graph", "a graph"},
	GraphExec:   {"roclua.graph_exec", "an executable graph"},
	Pointer:     {"roclua.pointer", "a device pointer"},
	Memory:      {"roclua.array|roclua.pointer", "an array or a device pointer"},
	Array:       {"roclua.array", "an array"},
	Numbers:     {"roclua.array", "an array of numbers"},
	Allocation:  {"roclua.allocation", "an allocation"},
	Prepared:    {"roclua.prepared", "a prepared call"},
	Test:        {"roclua.test", "the object t of the scenario"},
	Client:      {"roclua.client", "the object c of the workload"},
	Bytes:       {"integer", "a number of bytes"},
	Integer:     {"integer", "an integer"},
	Number:      {"number", "a number"},
	Boolean:     {"boolean", "true or false"},
	Enum:        {"integer", "a constant"},
	Rfinfo:      {"roclua.rfinfo", "the result of rocsolver.create_rfinfo"},
	Jacobi:      {"roclua.jacobi_info", "the result of hipsolver.CreateSyevjInfo or CreateGesvdjInfo"},
	Params:      {"roclua.solver_params", "the result of hipsolver.DnCreateParams"},
	Status:      {"roclua.status|integer", "a status or its number"},
	String:      {"string", "a string"},
	Choice:      {"string", "a string"},
	ElementType: {"roclua.element", "an element type"},
	Element:     {"number|number[]|roclua.pointer", "a number, {re, im} or a device pointer"},
	Plain:       {"number|string|boolean", "a number, a string or a boolean"},
	Environment: {"string|number", "a string or a number"},
	List:        {"table", "a table"},
	Options:     {"table", "a table of options"},
	Func:        {"function", "a function"},
	Callable:    {"fun(copy: integer)|roclua.prepared", "a function or a prepared call"},
	Any:         {"any", "any value"},
}

// ElementTypes lists the types of an array's elements: the letters of BLAS, 16-bit numbers, integers and device
// addresses.
var ElementTypes = []string{"s", "d", "c", "z", "f16", "bf16", "i8", "i32", "i64", "ptr"}

// Type returns the type of the values that the parameter accepts, as Lua's language server writes it: "integer",
// "roclua.stream?".
func (p *Param) Type() string {
	typ := kindTexts[p.Kind].typ
	switch p.Kind {
	case Enum:
		typ = enumType(p.Enum)
	case Choice:
		typ = `"` + strings.Join(p.Choices, `"|"`) + `"`
	case Func:
		if p.Signature != "" {
			typ = p.Signature
		}
	case Options:
		var fields []string
		for i := range p.Fields {
			fields = append(fields, p.Fields[i].Name+":"+p.Fields[i].Type()+"?")
		}
		typ = "{" + strings.Join(fields, ",") + "}"
	}
	if p.takesNil() {
		typ += "?"
	}
	return typ
}

// Want describes the accepted values in messages: "a number of bytes", "a stream or nil".
func (p *Param) Want() string {
	want := kindTexts[p.Kind].want
	switch p.Kind {
	case Integer:
		if p.Constants != nil {
			want = "one of hip." + strings.Join(p.Constants, ", hip.")
		} else if p.Low == p.High {
			want = fmt.Sprint(p.Low)
		} else if p.Low != MinInteger || p.High != MaxInteger {
			want = fmt.Sprintf("an integer between %d and %d", p.Low, p.High)
		}
	case Enum:
		want = "a constant such as " + exampleOf(p.Enum)
	case Choice:
		want = "one of " + strings.Join(p.Choices, " ")
	case ElementType:
		want = "one of " + strings.Join(ElementTypes, " ")
	}
	if p.takesNil() {
		want += " or nil"
	}
	return want
}

// takesNil reports whether scripts pass nil. Null handles, events and graphs are values in C, but mistakes.
func (p *Param) takesNil() bool {
	return p.Nil != "" && !slices.Contains([]Kind{Handle, Event, Graph, GraphExec}, p.Kind)
}

// exampleOf returns the first constant of an enumeration.
func exampleOf(enum routine.Kind) string {
	if list := routine.ConstantsOf(enum); list != nil {
		return list[0].Library.String() + "." + list[0].Name
	}
	return "rocblas.operation_none"
}

// enumType returns the type of the values of an enumeration: "rocblas.operation".
func enumType(kind routine.Kind) string {
	if lib := routine.EnumLibrary(kind); lib != routine.RocBLAS && lib != routine.RocSOLVER {
		return "integer"
	}
	return routine.EnumLibrary(kind).String() + "." + routine.EnumName(kind)
}
