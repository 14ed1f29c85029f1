package api

import (
	"slices"

	"roclua/hip/routine"
)

// AsMethod returns a function that is also a method of its first parameter, as the method.
func (f *Function) AsMethod() *Function {
	m := *f
	m.Receiver, m.Params, m.Method = f.Params[0].Kind, f.Params[1:], false
	m.Owner = f.Params[0].class()
	return &m
}

// Functions returns the functions of modules that are also methods of the class. Routines, which are all methods of a
// handle, are left out.
func (c *Class) Functions() []*Function {
	var list []*Function
	for _, f := range Functions() {
		if f.Method && f.Params[0].class() == c.Name {
			list = append(list, f)
		}
	}
	return list
}

// AllMethods returns the methods of the class: its own, then the functions of modules that are also methods.
func (c *Class) AllMethods() []*Function {
	list := slices.Clone(c.Methods)
	for _, f := range c.Functions() {
		list = append(list, f.AsMethod())
	}
	return list
}

// MethodNames lists the names of all methods of the class, sorted, routines included.
func (c *Class) MethodNames() []string {
	var names []string
	for _, f := range c.AllMethods() {
		names = append(names, f.Name)
	}
	if c.Name == "handle" {
		for _, r := range routine.All() {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return names
}

// FindModule finds a module by its name.
func FindModule(name string) (*Module, bool) {
	modules := Modules()
	i := slices.IndexFunc(modules, func(m *Module) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return modules[i], true
}

// FindClass finds a class by its name, "handle".
func FindClass(name string) (*Class, bool) {
	classes := Classes()
	i := slices.IndexFunc(classes, func(c *Class) bool { return c.Name == name })
	if i < 0 {
		return nil, false
	}
	return classes[i], true
}
