package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/luabind/api"
)

// Body is the Go function of a declared function. It checks the types of its parameters against the declaration, and
// returns the function that reads the arguments of a call and makes the call.
type Body func(ps *Parameters) func(c *Call) error

// Bodies are the functions of a module or the methods of a class, by name.
type Bodies map[string]Body

// Extension has the functions, readers and types that a package adds to the engine.
type Extension struct {
	Functions map[string]Bodies               // by owner: "hip.", "handle:"
	Readers   map[api.Kind][]any              // for each kind of parameter, a reader for each Go type that it can have
	Types     map[string]func(*Engine)        // declare a type of objects, before its first object is made
	Routine   func(*routine.Routine) *Binding // returns the binding of a routine; only one extension has it
}

// FunctionSet has all declared functions with their Go functions.
type FunctionSet struct {
	functions map[string]*Binding            // by title
	methods   map[string]map[string]*Binding // by class and name
	types     map[string]func(*Engine)
	routine   func(*routine.Routine) *Binding
}

// NewFunctionSet joins declarations with the Go functions of extensions. It panics if one is without the other, or if
// they do not fit.
func NewFunctionSet(extensions ...Extension) *FunctionSet {
	set := &FunctionSet{functions: map[string]*Binding{}, methods: map[string]map[string]*Binding{},
		types: map[string]func(*Engine){}}
	owners, read := map[string]Bodies{}, maps.Clone(readers)
	for _, x := range extensions {
		maps.Copy(owners, x.Functions)
		maps.Copy(read, x.Readers)
		maps.Copy(set.types, x.Types)
		if x.Routine != nil {
			set.routine = x.Routine
		}
	}
	for _, f := range api.Functions() {
		b, ok := owners[strings.TrimSuffix(f.Title(), f.Name)][f.Name]
		if !ok {
			panic(f.Title() + " is declared and has no Go function")
		}
		set.functions[f.Title()] = &Binding{f, complete(f, read, b)}
	}
	for owner, list := range owners {
		for name := range list {
			if set.functions[owner+name] == nil {
				panic(owner + name + " is not declared")
			}
		}
	}
	for _, c := range api.Classes() {
		methods := map[string]*Binding{}
		for _, f := range slices.Concat(c.Methods, c.Functions()) {
			methods[f.Name] = set.functions[f.Title()]
		}
		set.methods[c.Name] = methods
	}
	return set
}

// complete returns the Go function of a declared function, preceded by a check of the number of arguments.
func complete(f *api.Function, read map[api.Kind][]any, b Body) func(c *Call) error {
	ps := newParameters(f, read)
	run := b(ps)
	if ps.Next != len(ps.List) {
		panic(fmt.Sprintf("%s has %d parameters, its Go function reads %d", f.Title(), len(ps.List), ps.Next))
	}
	if most := len(ps.List); most == 0 || !ps.List[most-1].Variadic {
		return func(c *Call) error {
			if got := c.L.GetTop(); got > most {
				c.tooMany(got)
			}
			return run(c)
		}
	}
	return run
}

// tooMany raises an error about the number of arguments.
func (c *Call) tooMany(got int) {
	names := make([]string, len(c.Fn.Params))
	for i := range names {
		names[i] = c.Fn.Params[i].Name
	}
	if c.Fn.IsMethod() {
		got--
	}
	takes := "takes"
	if c.Fn.Required() < len(names) {
		takes = "takes at most"
	}
	switch list := strings.Join(names, ", "); len(names) {
	case 0:
		c.VM.Raisef(c.L, "%s: takes no arguments, got %d", c.Fn.Title(), got)
	case 1:
		c.VM.Raisef(c.L, "%s: %s 1 argument (%s), got %d", c.Fn.Title(), takes, list, got)
	default:
		c.VM.Raisef(c.L, "%s: %s %d arguments (%s), got %d", c.Fn.Title(), takes, len(names), list, got)
	}
}

// Parameters are the declared parameters of a function. A body takes one after the other.
type Parameters struct {
	f       *api.Function
	readers map[api.Kind][]any
	List    []*api.Param
	Next    int
}

// newParameters lists the parameters of a function. The first parameter of a method is its receiver.
func newParameters(f *api.Function, read map[api.Kind][]any) *Parameters {
	ps := &Parameters{f: f, readers: read}
	if f.IsMethod() {
		ps.List = append(ps.List, &api.Param{Name: f.Owner, Kind: f.Receiver})
	}
	for i := range f.Params {
		ps.List = append(ps.List, &f.Params[i])
	}
	return ps
}

// take returns the next parameter with its position among the arguments, from 1.
func (ps *Parameters) take() (p *api.Param, position int) {
	if ps.Next == len(ps.List) {
		panic(fmt.Sprintf("%s has %d parameters, its Go function reads more", ps.f.Title(), len(ps.List)))
	}
	ps.Next++
	return ps.List[ps.Next-1], ps.Next
}
