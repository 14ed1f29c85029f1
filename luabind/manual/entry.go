// Package manual describes everything that a script can call, in one form: the functions that package luabind binds by
// hand are described here, the routines come from the table. Text for the terminal, the reference page and the editor
// stubs are written from it.
package manual

import (
	"slices"
	"strings"
)

// Entry is a function, a method or a field.
type Entry struct {
	Owner   string // module "hip", or class "handle" for a method
	Name    string
	C       string // the C function it stands for; "" when there is none
	Args    []Value
	Returns []Value // less the status that every call of a library returns last
	Status  string  // the class of that status; "" when it returns none
	About   string
}

// Value is an argument or a result.
type Value struct {
	Name     string
	Type     string // as the editor's language server writes it: "integer", "roclua.stream"
	About    string
	Optional bool
}

// IsMethod reports whether an entry is called with a colon on an object.
func (e *Entry) IsMethod() bool { return !slices.Contains(Modules, e.Owner) }

// Title returns the name as a script writes it: "hip.malloc", "handle:query".
func (e *Entry) Title() string {
	if e.IsMethod() {
		return e.Owner + ":" + e.Name
	}
	return e.Owner + "." + e.Name
}

// Signature returns the call: "hip.malloc(size) -> ptr, status".
func (e *Entry) Signature() string {
	text := e.Title() + "(" + list(e.Args) + ")"
	results := list(e.Returns)
	switch {
	case e.Status != "" && results != "":
		results += ", status"
	case e.Status != "":
		results = "status"
	}
	if results != "" {
		text += " -> " + results
	}
	return text
}

// list names arguments, optional ones in brackets.
func list(values []Value) string {
	var names []string
	for _, v := range values {
		if v.Optional {
			names = append(names, "["+v.Name+"]")
		} else {
			names = append(names, v.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Modules are what require gives beside files.
var Modules = []string{"rocblas", "rocsolver", "hip", "array"}

// values reads values from a compact notation: "size integer: bytes", "stream? roclua.stream: ..." for an optional one.
func values(texts ...string) []Value {
	var list []Value
	for _, text := range texts {
		head, about, _ := strings.Cut(text, ": ")
		name, typ, _ := strings.Cut(head, " ")
		short, optional := strings.CutSuffix(name, "?")
		list = append(list, Value{Name: short, Type: typ, About: about, Optional: optional})
	}
	return list
}

// Functions returns every function and method that is not a routine of the table.
func Functions() []Entry {
	return slices.Concat(rocblasFunctions, rocsolverFunctions, hipFunctions, arrayFunctions, handleMethods, loanMethods, arrayMethods, testMethods)
}
