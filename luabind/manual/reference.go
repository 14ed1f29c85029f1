package manual

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace"
	"roclua/workspace/status"
)

const introduction = `# Reference

Everything that a script can use. ` + "`make docs`" + ` writes this page from the declarations that the program uses.

A function returns its out-parameters in the order of the C function, or its status if it has none. A routine can
succeed with several statuses, so it returns its out-parameters and then its status. An error status is raised.
` + "`rocblas.try.NAME(...)`, `rocsolver.try.NAME(...)` and `hip.try.NAME(...)`" + ` return it instead: the
out-parameters, which are nil after an error, the status, and the error, which is nil after a success.
` + "`nil`" + ` is the null pointer.
A routine accepts its arguments in the order of the C function, or one table of named arguments; in the table, arguments
that have a default may be left out, and each can have the name that another routine has for it: ` + "`strideA`" + `
or ` + "`stride_a`" + `, ` + "`trans`" + ` or ` + "`transA`" + ` where one matrix has an operation.
Optional parameters are in brackets.
`

// Reference writes the reference page in Markdown.
func Reference(w io.Writer, program Program) {
	fmt.Fprint(w, introduction)
	for _, m := range api.Modules() {
		fmt.Fprintf(w, "\n## Module %s\n\n%s.\n", m.Name, capital(m.About))
		referenceFunctions(w, m.Functions)
		if m.IsLayer() {
			referenceLayer(w, m)
		}
	}
	for _, c := range api.Classes() {
		referenceClass(w, c)
	}
	for _, l := range levels {
		fmt.Fprintf(w, "\n## %s\n", l.title)
		for _, f := range families(l.level) {
			referenceFamily(w, f, program)
		}
	}
	referenceConstants(w)
	referenceExits(w, program.Exits)
	for _, t := range program.Topics {
		fmt.Fprintf(w, "\n## Topic %s: %s\n\n```\n%s```\n", t.Name, t.About, t.Text())
	}
}

// referenceFunctions writes a table of the functions, then the parameters of each.
func referenceFunctions(w io.Writer, functions []*api.Function) {
	fmt.Fprint(w, "\n| call | |\n|---|---|\n")
	for _, f := range functions {
		fmt.Fprintf(w, "| `%s` | %s |\n", f.Signature(), escape(f.About))
	}
}

// escape escapes the mark that ends a cell of a table.
func escape(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// referenceClass writes the fields and the methods of a class.
func referenceClass(w io.Writer, c *api.Class) {
	fmt.Fprintf(w, "\n## Object %s\n\n%s.\n", c.Name, capital(c.About))
	if len(c.Fields) > 0 {
		fmt.Fprint(w, "\n| field | type | |\n|---|---|---|\n")
		for _, f := range c.Fields {
			fmt.Fprintf(w, "| `%s` | `%s` | %s |\n", f.Name, escape(f.Type), escape(f.About))
		}
	}
	if len(c.Methods) > 0 {
		referenceFunctions(w, c.Methods)
	}
}

// referenceFamily describes a family by one of its routines.
func referenceFamily(w io.Writer, f *routine.Family, program Program) {
	r := exemplar(f)
	fmt.Fprintf(w, "\n### %s\n\n%s.\n\n", f.Name, escape(capital(f.About)))
	var forms []string
	for _, line := range names(f) {
		forms = append(forms, "`"+line+"`")
	}
	fmt.Fprintf(w, "%s\n\n```\n%s\n```\n\n", strings.Join(forms, "<br>"), signature(r))
	fmt.Fprint(w, "| parameter | type in C | default | meaning |\n|---|---|---|---|\n")
	for i := range r.Params {
		p := &r.Params[i]
		fmt.Fprintf(w, "| `%s` | `%s` | %s | %s |\n", p.Name, r.CType(p), escape(defaultText(r, p)), escape(p.About))
	}
	referenceDatatypes(w, r)
	referenceWorkspace(w, r)
	for _, c := range program.computations(r) {
		if c.By != "" || c.Reason != "" {
			fmt.Fprintf(w, "\nOn %s.\n", c)
		}
	}
}

// capital begins a sentence with a capital letter, unless it starts with a formula or a one-letter name.
func capital(text string) string {
	first, rest, ok := strings.Cut(text, " ")
	if ok && len(first) > 1 && first == strings.ToLower(first) && !strings.Contains(first, "=") {
		return strings.ToUpper(first[:1]) + first[1:] + " " + rest
	}
	return text
}

// referenceDatatypes writes the combinations of datatypes that a routine supports.
func referenceDatatypes(w io.Writer, r *routine.Routine) {
	arguments, combinations := datatypes(r)
	if arguments == nil {
		return
	}
	fmt.Fprintf(w, "\n| %s |\n|%s\n", strings.Join(arguments, " | "), strings.Repeat("---|", len(arguments)))
	for _, c := range combinations {
		fmt.Fprintf(w, "| %s |\n", strings.Join(c, " | "))
	}
}

// referenceWorkspace writes the purposes of a routine's workspace, and its size for some arguments.
func referenceWorkspace(w io.Writer, r *routine.Routine) {
	fmt.Fprintf(w, "\nWorkspace: %s.\n", workspaceOf(r))
	for _, reason := range unknowns(r) {
		fmt.Fprintf(w, "Unknown: %s.\n", reason)
	}
	if r.Family.Iterates {
		fmt.Fprintf(w, "\nWaits %s.\n", strings.ReplaceAll(iterations, "\n", " "))
	}
	rows := samples(r)
	if rows == nil {
		return
	}
	fmt.Fprintf(w, "\n| bytes of %s at %s = |", r.Name, sizeNames(r))
	for _, p := range workspace.Profiles() {
		fmt.Fprintf(w, " %s |", p.Name)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---:|", len(workspace.Profiles())))
	for _, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}

// referenceConstants writes the constants of the libraries, the statuses and the errors of HIP.
func referenceConstants(w io.Writer) {
	fmt.Fprint(w, "\n## Constants\n\nA number or a short name, such as "+
		"`\"left\"`, is accepted in place of a constant.\n\n")
	fmt.Fprint(w, "| enumeration | constants |\n|---|---|\n")
	for _, kind := range enums {
		var list []string
		for _, c := range routine.Constants {
			if c.Enum == kind {
				list = append(list, fmt.Sprintf("`%s` %d", c.Name, c.Value))
			}
		}
		fmt.Fprintf(w, "| %s | %s |\n", routine.EnumName(kind), strings.Join(list, ", "))
	}
	fmt.Fprint(w, "\n## Statuses\n\n| number | constant | meaning |\n|---|---|---|\n")
	for _, s := range status.All() {
		fmt.Fprintf(w, "| %d | `status_%s` | %s |\n", int(s), s.Short(), s.Meaning())
	}
	fmt.Fprint(w, "\n## Errors of HIP\n\n| number | constant | in C | meaning |\n|---|---|---|---|\n")
	for _, e := range driver.Errors() {
		fmt.Fprintf(w, "| %d | `hip.%s` | `%s` | %s |\n", int(e), driver.ScriptName(e.Error()), e.Error(), e.Meaning())
	}
}

func referenceExits(w io.Writer, exits []ExitCode) {
	fmt.Fprint(w, "\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, e := range exits {
		fmt.Fprintf(w, "| %d | %s |\n", e.Code, e.Meaning)
	}
}
