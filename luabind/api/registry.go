package api

import (
	"sync"

	"roclua/hip/routine"
)

// declarations are all modules and classes, in the order of the documentation, and their functions and methods.
type declarations struct {
	modules   []*Module
	classes   []*Class
	functions []*Function
}

// declared makes the declarations when the first of them is used: a program that runs no script does not need them.
var declared = sync.OnceValue(func() *declarations {
	d := &declarations{
		modules: []*Module{rocblas(), rocsolver(), hipblas(), hipsolver(), hip(), array(), osModule()},
		classes: append([]*Class{handleClass(), preparedClass(), allocationClass(), arrayClass(), testClass(),
			&measurementClass, &scenarioClass, clientClass(), &workloadClass}, objects...),
	}
	for _, m := range d.modules {
		for _, f := range m.Functions {
			f.Owner = m.Name
		}
		d.functions = append(d.functions, m.Functions...)
	}
	for _, c := range d.classes {
		for _, f := range c.Methods {
			f.Owner, f.Receiver = c.Receiver, c.kind
		}
		d.functions = append(d.functions, c.Methods...)
	}
	return d
})

// Modules returns the modules in the order of the documentation.
func Modules() []*Module { return declared().modules }

// Classes returns the classes in the order of the documentation.
func Classes() []*Class { return declared().classes }

// Functions returns every function and method that is not a routine.
func Functions() []*Function { return declared().functions }

// Loadable lists the names of the modules that require returns.
func Loadable() []string {
	var names []string
	for _, m := range Modules() {
		if !m.Global {
			names = append(names, m.Name)
		}
	}
	return names
}

// of returns a library as a module has it.
func of(l routine.Library) *routine.Library { return &l }
