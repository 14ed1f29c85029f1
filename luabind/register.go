package luabind

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"roclua/luabind/api"
)

// body is the Go function of a declared function. It checks the types of its parameters against the declaration, and
// returns the function that reads the arguments of a call and makes the call.
type body func(ps *parameters) func(c *call) error

// bodies are the functions of a module or the methods of a class, by name.
type bodies map[string]body

// bindings returns all declared functions with their Go functions, by title, and methodsByClass the methods of each
// class by name. They are made when they are first used. They are variables that init sets, because the functions that
// they return refer to them.
var (
	bindings       func() map[string]*binding
	methodsByClass func() map[string]map[string]*binding
)

func init() {
	bindings = sync.OnceValue(func() map[string]*binding {
		return register(map[string]bodies{
			"rocblas.": rocblasFunctions, "rocsolver.": rocsolverFunctions, "hip.": hipFunctions,
			"array.": arrayFunctions, "os.": osFunctions, "handle:": handleMethods, "allocation:": allocationMethods,
			"array:": arrayMethods, "t:": testMethods,
		})
	})
	methodsByClass = sync.OnceValue(func() map[string]map[string]*binding {
		list := map[string]map[string]*binding{}
		for _, c := range api.Classes() {
			list[c.Name] = methodsOf(c)
		}
		return list
	})
}

// register joins declarations and Go functions. It panics when one is without the other, or when they do not fit.
func register(owners map[string]bodies) map[string]*binding {
	all := map[string]*binding{}
	for _, f := range api.Functions() {
		owner := strings.TrimSuffix(f.Title(), f.Name)
		b, ok := owners[owner][f.Name]
		if !ok {
			panic(f.Title() + " is declared and has no Go function")
		}
		all[f.Title()] = &binding{f, complete(f, b)}
	}
	for owner, list := range owners {
		for name := range list {
			if all[owner+name] == nil {
				panic(owner + name + " is not declared")
			}
		}
	}
	return all
}

// complete returns the Go function of a declared function, preceded by a check of the number of arguments.
func complete(f *api.Function, b body) func(c *call) error {
	ps := newParameters(f)
	run := b(ps)
	if ps.next != len(ps.list) {
		panic(fmt.Sprintf("%s has %d parameters, its Go function reads %d", f.Title(), len(ps.list), ps.next))
	}
	if most := len(ps.list); most == 0 || !ps.list[most-1].Variadic {
		return func(c *call) error {
			if got := c.l.GetTop(); got > most {
				c.tooMany(got)
			}
			return run(c)
		}
	}
	return run
}

// tooMany raises an error about the number of arguments.
func (c *call) tooMany(got int) {
	names := make([]string, len(c.fn.Params))
	for i := range names {
		names[i] = c.fn.Params[i].Name
	}
	if c.fn.IsMethod() {
		got--
	}
	takes := "takes"
	if c.fn.Required() < len(names) {
		takes = "takes at most"
	}
	switch list := strings.Join(names, ", "); len(names) {
	case 0:
		c.s.vm.Raisef(c.l, "%s: takes no arguments, got %d", c.fn.Title(), got)
	case 1:
		c.s.vm.Raisef(c.l, "%s: %s 1 argument (%s), got %d", c.fn.Title(), takes, list, got)
	default:
		c.s.vm.Raisef(c.l, "%s: %s %d arguments (%s), got %d", c.fn.Title(), takes, len(names), list, got)
	}
}

// parameters are the parameters of a declaration, of which a body takes one after the other.
type parameters struct {
	f    *api.Function
	list []*api.Param
	next int
}

// newParameters lists the parameters of a function. The first of a method is its receiver.
func newParameters(f *api.Function) *parameters {
	ps := &parameters{f: f}
	if f.IsMethod() {
		ps.list = append(ps.list, &api.Param{Name: f.Owner, Kind: f.Receiver})
	}
	for i := range f.Params {
		ps.list = append(ps.list, &f.Params[i])
	}
	return ps
}

// take returns the next parameter with its position among the arguments, from 1.
func (ps *parameters) take() (p *api.Param, position int) {
	if ps.next == len(ps.list) {
		panic(fmt.Sprintf("%s has %d parameters, its Go function reads more", ps.f.Title(), len(ps.list)))
	}
	ps.next++
	return ps.list[ps.next-1], ps.next
}

// methodsOf returns the methods of a class by name: its own, and the functions of modules that are also methods.
func methodsOf(c *api.Class) map[string]*binding {
	list := map[string]*binding{}
	for _, f := range slices.Concat(c.Methods, c.Functions()) {
		list[f.Name] = bindings()[f.Title()]
	}
	return list
}
