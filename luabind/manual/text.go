// Package manual writes the documentation of the Lua API: text for the terminal, the reference page, and
// the annotations for editors. It takes functions, objects and constants from package luabind/api and routines from
// the table of package hip/routine.
//
//	for _, page := range manual.Find("hip.malloc", manual.Program{}) {
//		page(os.Stdout)
//	}
package manual

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace/status"
)

// table aligns rows whose cells are separated by tabs.
func table(w io.Writer, rows func(t io.Writer)) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	rows(t)
	t.Flush()
}

// writeFunction describes a function or a method.
func writeFunction(w io.Writer, f *api.Function) {
	fmt.Fprintf(w, "%s\n    %s\n", f.Signature(), f.About)
	if f.C != "" {
		fmt.Fprintf(w, "\nin C  %s\n", f.C)
	}
	if f.Tries() {
		fmt.Fprintf(w, "try   %s\n", f.TrySignature())
	}
	if len(f.Params) > 0 {
		fmt.Fprintln(w)
		table(w, func(t io.Writer) {
			fmt.Fprintf(t, "parameter\ttype\tmeaning\n")
			for i := range f.Params {
				p := &f.Params[i]
				fmt.Fprintf(t, "%s\t%s\t%s\n", p.Name, p.Type(), p.Describe())
				for j := range p.Fields {
					fmt.Fprintf(t, "  %s\t%s\t%s\n", p.Fields[j].Name, p.Fields[j].Type(), p.Fields[j].Describe())
				}
			}
		})
	}
	if results := f.Returns(false); len(results) > 0 {
		fmt.Fprintln(w)
		table(w, func(t io.Writer) {
			fmt.Fprintf(t, "result\ttype\tmeaning\n")
			for _, r := range results {
				fmt.Fprintf(t, "%s\t%s\t%s\n", r.Name, r.Type, r.About)
			}
		})
	}
	if len(f.Errors) > 0 {
		fmt.Fprintf(w, "\nerrors\n")
		table(w, func(t io.Writer) {
			for _, e := range f.Errors {
				fmt.Fprintf(t, "    %s\t%s\n", e.Status, e.When)
			}
		})
	}
}

// writeModule lists the functions of a module, and the families of its routines.
func writeModule(w io.Writer, m *api.Module) {
	if !m.Global {
		fmt.Fprintf(w, "local %s = require %q\n", m.Name, m.Name)
	}
	fmt.Fprintf(w, "    %s\n\n", m.About)
	writeSignatures(w, m.Functions)
	if m.IsLayer() {
		fmt.Fprintln(w)
		table(w, func(t io.Writer) {
			for _, r := range m.Library.Routines() {
				if layerExample(r) {
					fmt.Fprintf(t, "    %s\t%s\n", r.Name, r.Family.About)
				}
			}
		})
	}
	for _, l := range levels {
		if m.Library == nil || l.library != *m.Library {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", l.title)
		table(w, func(t io.Writer) {
			for _, f := range families(l.level) {
				fmt.Fprintf(t, "    %s\t%s\n", f.Name, f.About)
			}
		})
	}
}

func writeSignatures(w io.Writer, functions []*api.Function) {
	table(w, func(t io.Writer) {
		for _, f := range functions {
			fmt.Fprintf(t, "%s\t%s\n", f.Signature(), f.About)
		}
	})
}

// writeClass lists the fields and the methods of a class.
func writeClass(w io.Writer, c *api.Class) {
	fmt.Fprintf(w, "roclua.%s\n    %s\n", c.Name, c.About)
	if len(c.Fields) > 0 {
		fmt.Fprintln(w)
		table(w, func(t io.Writer) {
			fmt.Fprintln(t, "field\ttype\tmeaning")
			for _, f := range c.Fields {
				fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Type, f.About)
			}
		})
	}
	if methods := c.AllMethods(); len(methods) > 0 {
		fmt.Fprintln(w)
		writeSignatures(w, methods)
	}
}

func writeEnum(w io.Writer, kind routine.Kind) {
	fmt.Fprintf(w, "%s_%s\n\n", routine.EnumLibrary(kind), routine.EnumName(kind))
	table(w, func(t io.Writer) {
		for _, c := range routine.Constants {
			if c.Enum == kind {
				fmt.Fprintf(t, "    rocblas.%s\t%d\n", c.Name, c.Value)
			}
		}
	})
}

func writeStatuses(w io.Writer) {
	table(w, func(t io.Writer) {
		for _, s := range status.All() {
			fmt.Fprintf(t, "%d\trocblas.status_%s\t%s\n", int(s), s.Short(), s.Meaning())
		}
	})
}

func writeExits(w io.Writer, exits []ExitCode) {
	table(w, func(t io.Writer) {
		for _, e := range exits {
			fmt.Fprintf(t, "%d\t%s\n", e.Code, e.Meaning)
		}
	})
}

// Overview lists the names that can be looked up.
func Overview(w io.Writer, program Program) {
	fmt.Fprint(w, "roclua docs NAME describes a routine, a function, a module, an object, a constant or a topic.\n\n")
	table(w, func(t io.Writer) {
		for _, l := range levels {
			var list []string
			for _, f := range families(l.level) {
				list = append(list, f.Name)
			}
			overviewRow(t, l.title, list)
		}
		for _, m := range api.Modules() {
			overviewRow(t, m.Name, functionNames(m.Functions))
		}
		for _, c := range api.Classes() {
			if c.Receiver != "" {
				overviewRow(t, "methods of "+c.Receiver, functionNames(c.Methods))
			}
		}
		var list []string
		for _, c := range api.Classes() {
			if c.Receiver == "" {
				list = append(list, c.Name)
			}
		}
		overviewRow(t, "objects", list)
		list = []string{"status", "exit"}
		for _, k := range enums {
			list = append(list, routine.EnumName(k))
		}
		overviewRow(t, "constants", list)
	})
	fmt.Fprintf(w, "\nTopics\n")
	table(w, func(t io.Writer) {
		for _, topic := range program.Topics {
			fmt.Fprintf(t, "    %s\t%s\n", topic.Name, topic.About)
		}
	})
}

// overviewColumns is the width of the names in the overview; the titles next to them take some 30 columns.
const overviewColumns = 85

// overviewRow writes names next to their title, on as many lines as they need.
func overviewRow(w io.Writer, title string, names []string) {
	line := ""
	for _, name := range names {
		if line != "" && len(line)+1+len(name) > overviewColumns {
			fmt.Fprintf(w, "%s\t%s\n", title, line)
			title, line = "", ""
		}
		line = strings.TrimPrefix(line+" "+name, " ")
	}
	fmt.Fprintf(w, "%s\t%s\n", title, line)
}

func functionNames(functions []*api.Function) []string {
	var names []string
	for _, f := range functions {
		names = append(names, f.Name)
	}
	return names
}
