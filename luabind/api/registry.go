package api

import (
	"sync"

	"roclua/hip/routine"
)

var (
	modules = []*Module{&rocblas, &rocsolver, &hipblas, &hipsolver, &hip, &array, &osModule}
	classes = append([]*Class{&handleClass, &preparedClass, &allocationClass, &arrayClass, &testClass,
		&measurementClass, &scenarioClass, &clientClass, &workloadClass}, objects...)
	functions = sync.OnceValue(register)
)

// register completes the declarations when the first of them is used: a program that runs no script does not need them.
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
	return list
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
