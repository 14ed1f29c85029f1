// Package manual writes the documentation of what a script can use: text for the terminal, the reference page, and
// the annotations for editors. It takes functions, objects and constants from package luabind/api and routines from
// the table of package hip/routine.
//
//	for _, page := range manual.Find("hip.malloc", manual.Program{}) {
//		page(os.Stdout)
//	}
package manual
