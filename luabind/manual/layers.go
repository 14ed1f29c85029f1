package manual

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace"
	"roclua/workspace/hipblas"
	"roclua/workspace/hipsolver"
)

// writeLayer describes a routine of a library above rocBLAS and rocSOLVER.
func writeLayer(w io.Writer, r *routine.Routine, program Program) {
	if _, ok := routine.Find(r.Library, strings.TrimPrefix(r.CName(), r.Library.String())); ok {
		fmt.Fprintf(w, "%s\n", signature(r))
	} else {
		fmt.Fprintf(w, "%s\n", r.CName())
	}
	fmt.Fprintf(w, "    %s (%s)\n\nin C   %s\n", r.Family.About, typeName(r), r.Declaration())
	for _, line := range layerLines(r) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	writeParams(w, r)
	if c, ok := layerOnCPU(r, program); ok && !r.IsSize() {
		fmt.Fprintf(w, "\non %s\n", c)
	}
}

// layerOnCPU returns how the platform cpu computes a function: not, if it does not compute a routine that is called.
func layerOnCPU(r *routine.Routine, program Program) (found Computation, ok bool) {
	for _, name := range layerRoutines(r) {
		called, known := routine.Lookup(name)
		if !known {
			continue
		}
		for _, c := range program.computations(called) {
			switch {
			case c.Platform != "cpu":
			case c.Reason != "":
				return Computation{Platform: c.Platform, Reason: name + ": " + c.Reason}, true
			default:
				found, ok = c, true
			}
		}
	}
	return found, ok
}

// layerLines name the routines that are called, and the effect on a handle's memory.
func layerLines(r *routine.Routine) []string {
	lines := []string{"calls  " + strings.Join(layerRoutines(r), ", ")}
	if r.Library == routine.HipBLAS {
		if hipblas.Repeats(r) {
			for _, p := range workspace.Profiles() {
				lines = append(lines, "       "+hipblas.Repetition(p.Release))
			}
		}
		return lines
	}
	if r.IsSize() {
		for _, p := range workspace.Profiles() {
			result := hipsolver.ResultOf(p.Release, r, 0)
			lines = append(lines, fmt.Sprintf("       in size queries; on %s lwork is in %s", p.Name, result.Unit()))
		}
		return lines
	}
	for _, p := range workspace.Profiles() {
		lines = append(lines, "       "+hipsolver.WithoutBuffer(p.Release))
	}
	return lines
}

// layerRoutines returns the routines that a function calls.
func layerRoutines(r *routine.Routine) []string {
	if r.Library == routine.HipBLAS {
		return hipblas.Routines(r)
	}
	return hipsolver.Routines(r)
}

// layerExample returns the routine of double precision by which the functions of a family are described.
func layerExample(r *routine.Routine) bool {
	if own, cuda := strings.CutPrefix(r.Name, "Dn"); cuda {
		_, both := routine.Find(r.Library, own)
		return !both && !r.IsSize() && (r.Type == routine.TypeD || r.Wide)
	}
	return (r.Type == routine.TypeD || r.Type == routine.Mixed) && !r.IsSize() && !r.Wide &&
		(r.Variant == routine.Plain || r.Library == routine.HipSOLVER)
}

// referenceLayer writes the routines of a module above rocBLAS and rocSOLVER.
func referenceLayer(w io.Writer, m *api.Module) {
	fmt.Fprint(w, "\n| double precision | |\n|---|---|\n")
	for _, r := range m.Library.Routines() {
		if layerExample(r) {
			fmt.Fprintf(w, "| `%s` | %s; calls %s |\n", signature(r), escape(r.Family.About),
				strings.Join(layerRoutines(r), ", "))
		}
	}
}
