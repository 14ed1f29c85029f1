package manual

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/defect"
	"roclua/hip/routine"
	"roclua/workspace"
)

// writeRoutine describes one routine.
func writeRoutine(w io.Writer, r *routine.Routine, program Program) {
	fmt.Fprintf(w, "%s\n    %s (%s)\n\n", signature(r), r.Family.About, typeName(r))
	fmt.Fprintf(w, "in C     %s\nby name  %s\n\n", r.Declaration(), Example(r, "handle"))
	writeParams(w, r)
	writeDatatypes(w, r)
	writeWorkspace(w, r)
	for _, text := range caveats(r) {
		fmt.Fprintf(w, "    %s\n", text)
	}
	if ids := defectsOf(r); ids != nil {
		fmt.Fprintf(w, "\nknown defects, of some calls on some releases (roclua docs ID):\n    %s\n", strings.Join(ids,
			", "))
	}
	if r.Family.Iterates {
		fmt.Fprintf(w, "\nwaits %s\n", iterations)
	}
	if list := program.computations(r); len(list) > 0 {
		fmt.Fprintln(w)
		for _, c := range list {
			fmt.Fprintf(w, "on %s\n", c)
		}
	}
	fmt.Fprintf(w, "\nfamily\n")
	for _, line := range names(r.Family) {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

// writeParams writes the parameters of a routine.
func writeParams(w io.Writer, r *routine.Routine) {
	table(w, func(t io.Writer) {
		fmt.Fprintln(t, "parameter\ttype\tdefault by name\tmeaning")
		for i := range r.Params {
			p := &r.Params[i]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Name, r.CType(p), defaultText(r, p), p.About)
		}
	})
}

// defectsOf returns the ids of the known defects of a routine.
func defectsOf(r *routine.Routine) (ids []string) {
	for _, d := range defect.All() {
		if d.Concerns(r) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// iterations says which waits of a routine depend on the data, after the word "waits".
const iterations = "for the stream in each iteration, unless one kernel computes the problem; the data decide how " +
	"often,\nand syncs.steps counts one"

// Example returns a call by name on a handle, with the arguments that have no default:
// "handle:dgetrf{ m = 512, n = 512 }".
func Example(r *routine.Routine, handle string) string {
	if r.UniqueName() != r.Name {
		return fmt.Sprintf("%s.%s{ handle = %s,%s}", r.Library, r.Name, handle, requiredNames(r))
	}
	return fmt.Sprintf("%s:%s{%s}", handle, r.Name, requiredNames(r))
}

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

// writeDatatypes writes the combinations of datatypes that a routine supports.
func writeDatatypes(w io.Writer, r *routine.Routine) {
	arguments, combinations := datatypes(r)
	if arguments == nil {
		return
	}
	fmt.Fprintf(w, "\ncombinations of datatypes\n")
	table(w, func(t io.Writer) {
		fmt.Fprintf(t, "    %s\n", strings.Join(arguments, "\t"))
		for _, c := range combinations {
			fmt.Fprintf(t, "    %s\n", strings.Join(c, "\t"))
		}
	})
}

// writeWorkspace writes the purposes of a routine's workspace, and its size for some arguments.
func writeWorkspace(w io.Writer, r *routine.Routine) {
	if r.Family.Without != nil {
		fmt.Fprintf(w, "\nreleases: only %s\n", strings.Join(releasesOf(r.Family), ", "))
	}
	fmt.Fprintf(w, "\nworkspace: %s\n", workspaceOf(r))
	for _, reason := range unknowns(r) {
		fmt.Fprintf(w, "    unknown: %s\n", reason)
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
	fmt.Fprintf(w, "    (%s; roclua size '%s ...' for any size)\n", sampleArch, r.UniqueName())
}

// writeFamily lists the routines of a family and describes one of them.
func writeFamily(w io.Writer, f *routine.Family, program Program) {
	fmt.Fprintf(w, "%s\n    %s\n\n", f.Name, f.About)
	for _, line := range names(f) {
		fmt.Fprintf(w, "    %s\n", line)
	}
	fmt.Fprintln(w)
	writeRoutine(w, exemplar(f), program)
}
