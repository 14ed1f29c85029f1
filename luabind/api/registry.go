package api

import (
	"fmt"
	"sync"

	"roclua/hip/routine"
)

var (
	modules = []*Module{&rocblas, &rocsolver, &hipblas, &hipsolver, &hip, &array, &osModule}
	classes = append([]*Class{&handleClass, &preparedClass, &allocationClass, &arrayClass, &testClass,
		&measurementClass, &scenarioClass, &clientClass, &workloadClass}, objects...)
	functions = sync.OnceValue(register)
)

// register completes the declarations and checks them, when the first of them is used: a program that runs no script
// does not need them. A declaration that is not complete is a defect of this program.
func register() []*Function {
	rocblas.Functions, rocblas.Constants = rocblasFunctions(), rocblasConstants()
	rocsolver.Functions, rocsolver.Constants = rocsolverFunctions(), enumerated(routine.RocSOLVER)
	hipsolver.Functions, hipsolver.Constants = hipsolverFunctions(), layerConstants(routine.HipSOLVER)
	hipblas.Functions, hipblas.Constants = hipblasFunctions(), layerConstants(routine.HipBLAS)
	hip.Functions, hip.Constants = hipFunctions(), hipConstants()
	array.Functions = arrayFunctions()
	var list []*Function
	for _, m := range modules {
		for _, f := range m.Functions {
			f.Owner = m.Name
			list = append(list, f)
		}
	}
	for _, c := range classes {
		if c.methods != nil {
			c.Methods = c.methods()
		}
		for _, f := range c.Methods {
			f.Owner, f.Receiver = c.Receiver, c.kind
			list = append(list, f)
		}
	}
	seen := map[string]bool{}
	for _, f := range list {
		f.check()
		if seen[f.Title()] {
			panic(f.Title() + " is declared twice")
		}
		seen[f.Title()] = true
	}
	return list
}

// check panics when something is missing in a declaration.
func (f *Function) check() {
	if f.Owner == "" || f.Name == "" || f.About == "" {
		panic(fmt.Sprintf("api: %q has no owner, name or documentation", f.Title()))
	}
	optional := false
	for i := range f.Params {
		p := &f.Params[i]
		switch {
		case p.Name == "" || p.About == "" || kindTexts[p.Kind].want == "":
			panic(fmt.Sprintf("api: %s: parameter %d has no name, kind or documentation", f.Title(), i+1))
		case optional && !p.Optional:
			panic(fmt.Sprintf("api: %s: %s follows an optional parameter", f.Title(), p.Name))
		case p.Variadic && i != len(f.Params)-1:
			panic(fmt.Sprintf("api: %s: %s takes all further arguments and is not the last", f.Title(), p.Name))
		case p.Low > p.High:
			panic(fmt.Sprintf("api: %s: %s has an empty range", f.Title(), p.Name))
		}
		optional = p.Optional
	}
	if f.Method && (len(f.Params) == 0 || f.Params[0].class() == "") {
		panic("api: " + f.Title() + " is a method of its first parameter, which is not an object")
	}
}

// Modules returns the modules in the order of the documentation.
func Modules() []*Module {
	functions()
	return modules
}

// Classes returns the classes in the order of the documentation.
func Classes() []*Class {
	functions()
	return classes
}

// Functions returns every function and method that is not a routine.
func Functions() []*Function { return functions() }

// Loadable lists the names of the modules that require returns.
func Loadable() []string {
	var names []string
	for _, m := range modules {
		if !m.Global {
			names = append(names, m.Name)
		}
	}
	return names
}
