package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

func table(w io.Writer, rows func(t io.Writer)) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	rows(t)
	t.Flush()
}

// writeRoutine describes one routine.
func writeRoutine(w io.Writer, r *routine.Routine, out Outside) {
	fmt.Fprintf(w, "%s\n    %s (%s)\n\n", signature(r), r.Family.About, typeName(r))
	fmt.Fprintf(w, "in C     %s\nby name  handle:%s\n\n", r.Declaration(), Example(r))
	table(w, func(t io.Writer) {
		fmt.Fprintln(t, "parameter\ttype\tdefault by name\tmeaning")
		for i := range r.Params {
			p := &r.Params[i]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Name, r.CType(p), defaultText(r, p), p.About)
		}
	})
	writeDatatypes(w, r)
	writeWorkspace(w, r)
	for _, c := range out.Computes(r) {
		fmt.Fprintf(w, "\non %s\n", c)
	}
	fmt.Fprintf(w, "\nfamily\n")
	for _, line := range names(r.Family) {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

// Example shows a call by name with what must be given: "dgetrf{ m = 512, n = 512 }".
func Example(r *routine.Routine) string { return r.Name + "{" + requiredNames(r) + "}" }

func requiredNames(r *routine.Routine) string {
	var parts []string
	for i := range r.Params {
		p := &r.Params[i]
		if _, ok := r.Default(p); !ok {
			parts = append(parts, p.Name+" = "+exampleValue(p))
		}
	}
	if parts == nil {
		return ""
	}
	return " " + strings.Join(parts, ", ") + " "
}

func exampleValue(p *routine.Param) string {
	v := usual(p, square(512))
	if p.Kind.IsEnum() {
		return "rocblas." + routine.ConstantName(p.Kind, v)
	}
	return fmt.Sprint(v)
}

func writeDatatypes(w io.Writer, r *routine.Routine) {
	arguments, combinations := datatypes(r)
	if arguments == nil {
		return
	}
	fmt.Fprintf(w, "\ndatatypes that it computes with\n")
	table(w, func(t io.Writer) {
		fmt.Fprintf(t, "    %s\n", strings.Join(arguments, "\t"))
		for _, c := range combinations {
			fmt.Fprintf(t, "    %s\n", strings.Join(c, "\t"))
		}
	})
}

// writeWorkspace tells what a routine asks memory for, and how much at some sizes.
func writeWorkspace(w io.Writer, r *routine.Routine) {
	fmt.Fprintf(w, "\nworkspace: %s\n", workspaceOf(r))
	for _, reason := range unknowns(r) {
		fmt.Fprintf(w, "    not known: %s\n", reason)
	}
	rows := samples(r)
	if rows == nil {
		return
	}
	table(w, func(t io.Writer) {
		head := []string{"    bytes at " + sizeNames(r) + " ="}
		for _, p := range workspace.Profiles() {
			head = append(head, p.Name)
		}
		fmt.Fprintln(t, strings.Join(head, "\t"))
		for _, row := range rows {
			fmt.Fprintf(t, "    %s\n", strings.Join(row, "\t"))
		}
	})
	fmt.Fprintf(w, "    (%s; roclua size '%s ...' for any size)\n", sampleArch, r.Name)
}

func writeFamily(w io.Writer, f *routine.Family, out Outside) {
	fmt.Fprintf(w, "%s\n    %s\n\n", f.Name, f.About)
	for _, line := range names(f) {
		fmt.Fprintf(w, "    %s\n", line)
	}
	fmt.Fprintln(w)
	writeRoutine(w, exemplar(f), out)
}

func writeEntry(w io.Writer, e *Entry) {
	fmt.Fprintf(w, "%s\n    %s\n", e.Signature(), e.About)
	if e.C != "" {
		fmt.Fprintf(w, "\nin C  %s\n", e.C)
	}
	for _, part := range []struct {
		title string
		list  []Value
	}{{"argument", e.Args}, {"result", e.Returns}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintln(w)
		table(w, func(t io.Writer) {
			fmt.Fprintf(t, "%s\ttype\tmeaning\n", part.title)
			for _, v := range part.list {
				fmt.Fprintf(t, "%s\t%s\t%s\n", v.Name, v.Type, optional(v))
			}
		})
	}
}

func optional(v Value) string {
	if v.Optional {
		return v.About + " (may be left out)"
	}
	return v.About
}

func writeClass(w io.Writer, c *Class) {
	fmt.Fprintf(w, "%s\n    %s\n\n", c.Name, c.About)
	table(w, func(t io.Writer) {
		fmt.Fprintln(t, "field\ttype\tmeaning")
		for _, f := range c.Fields {
			fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Type, f.About)
		}
	})
}

func writeModule(w io.Writer, name string) {
	fmt.Fprintf(w, "local %s = require %q\n\n", name, name)
	table(w, func(t io.Writer) {
		for _, e := range Functions() {
			if e.Owner == name {
				fmt.Fprintf(t, "%s\t%s\n", e.Signature(), e.About)
			}
		}
	})
	for _, l := range levels {
		if (l.level == 4) != (name == "rocsolver") || name == "hip" || name == "array" {
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

// objects are what has methods.
var objects = []string{"handle", "loan", "a", "t"}

func writeMethods(w io.Writer, owner string) {
	table(w, func(t io.Writer) {
		for _, e := range Functions() {
			if e.Owner == owner {
				fmt.Fprintf(t, "%s\t%s\n", e.Signature(), e.About)
			}
		}
	})
	if owner == "handle" {
		fmt.Fprintf(w, "\nand every function of rocblas and rocsolver whose first argument is a handle: handle:dgetrf{ m = 512, n = 512 }\n")
	}
}

func writeEnum(w io.Writer, kind routine.Kind) {
	fmt.Fprintf(w, "rocblas_%s\n\n", routine.EnumName(kind))
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

// Overview lists what there is to look up.
func Overview(w io.Writer, out Outside) {
	fmt.Fprintf(w, "roclua docs NAME tells about a routine, a function, a module, a class, a constant, a status or a topic.\n\n")
	table(w, func(t io.Writer) {
		for _, l := range levels {
			var list []string
			for _, f := range families(l.level) {
				list = append(list, f.Name)
			}
			fmt.Fprintf(t, "%s\t%s\n", l.title, strings.Join(list, " "))
		}
		for _, owner := range slices.Concat(Modules, objects) {
			var list []string
			for _, e := range Functions() {
				if e.Owner == owner {
					list = append(list, e.Name)
				}
			}
			fmt.Fprintf(t, "%s\t%s\n", owner, strings.Join(list, " "))
		}
		fmt.Fprintf(t, "more\tstatus, exit, and the enumerations:")
		for _, k := range enums {
			fmt.Fprintf(t, " %s", routine.EnumName(k))
		}
		fmt.Fprintln(t)
	})
	fmt.Fprintf(w, "\nTopics\n")
	table(w, func(t io.Writer) {
		for _, topic := range out.Topics {
			fmt.Fprintf(t, "    %s\t%s\n", topic.Name, topic.About)
		}
	})
}
