package manual

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Reference writes the reference page in Markdown.
func Reference(w io.Writer, out Outside) {
	fmt.Fprint(w, "# Reference\n\nEverything that a script can call. This page is written by `make docs` from the tables that the program itself reads.\n\n"+
		"A call returns its out-parameters in the order of C, then its status. An error status is raised; `rocblas.try.NAME(...)`, `rocsolver.try` and\n"+
		"`hip.try` return it instead. `nil` is the null pointer. A routine takes its arguments in C order, or one table of named ones, in which what has a\n"+
		"default may be missing.\n")
	for _, m := range []struct{ owner, title string }{{"rocblas", "rocblas: handles and their memory"}, {"handle", "handle: methods beside the functions above"},
		{"loan", "loan: memory borrowed by a routine of your own"}, {"rocsolver", "rocsolver: beside its routines"}, {"hip", "hip: device memory, streams, events"},
		{"array", "array: typed arrays on the host"}, {"a", "a: methods of an array"}, {"t", "t: what a scenario's functions get"}} {
		fmt.Fprintf(w, "\n## %s\n\n| call | |\n|---|---|\n", m.title)
		for _, e := range Functions() {
			if e.Owner == m.owner {
				fmt.Fprintf(w, "| `%s` | %s |\n", e.Signature(), escape(e.About))
			}
		}
	}
	referenceClasses(w)
	for _, l := range levels {
		fmt.Fprintf(w, "\n## %s\n", l.title)
		for _, f := range families(l.level) {
			referenceFamily(w, f, out)
		}
	}
	referenceConstants(w, out.Exits)
	for _, t := range out.Topics {
		fmt.Fprintf(w, "\n## Topic %s: %s\n\n```\n%s```\n", t.Name, t.About, t.Text)
	}
}

func escape(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func referenceClasses(w io.Writer) {
	fmt.Fprint(w, "\n## Objects\n")
	for _, c := range Classes {
		fmt.Fprintf(w, "\n**%s**: %s\n\n| field | type | |\n|---|---|---|\n", strings.TrimPrefix(c.Name, "roclua."), escape(c.About))
		for _, f := range c.Fields {
			fmt.Fprintf(w, "| `%s` | `%s` | %s |\n", f.Name, escape(f.Type), escape(f.About))
		}
	}
}

// referenceFamily describes a family by the routine that stands for it.
func referenceFamily(w io.Writer, f *routine.Family, out Outside) {
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
	for _, c := range out.Computes(r) {
		fmt.Fprintf(w, "\nOn %s.\n", c)
	}
}

func capital(text string) string {
	if first, rest, ok := strings.Cut(text, " "); ok && first == strings.ToLower(first) && !strings.ContainsAny(first, "=") && len(first) > 1 {
		return strings.ToUpper(first[:1]) + first[1:] + " " + rest
	}
	return text
}

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

func referenceWorkspace(w io.Writer, r *routine.Routine) {
	fmt.Fprintf(w, "\nWorkspace: %s.\n", workspaceOf(r))
	for _, reason := range unknowns(r) {
		fmt.Fprintf(w, "Not known: %s.\n", reason)
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

func referenceConstants(w io.Writer, exits []ExitCode) {
	fmt.Fprint(w, "\n## Constants\n\nA number is taken wherever a constant is.\n\n| enumeration | constants |\n|---|---|\n")
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
	fmt.Fprint(w, "\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, e := range exits {
		fmt.Fprintf(w, "| %d | %s |\n", e.Code, e.Meaning)
	}
}
