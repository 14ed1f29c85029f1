package manual

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace/status"
)

// ExitCode is an exit code of the program with its meaning.
type ExitCode struct {
	Code    int
	Meaning string
}

// Page writes one page of the manual as text.
type Page func(w io.Writer)

// Topic is a page about the program. Text makes its text, which can take longer than all other pages.
type Topic struct {
	Name, About string
	Text        func() string
}

// write writes the page. One that starts with a comment is a file to save, and is written alone.
func (t Topic) write(w io.Writer) {
	text := t.Text()
	if !strings.HasPrefix(text, "#") {
		fmt.Fprintf(w, "%s: %s\n\n", t.Name, t.About)
	}
	io.WriteString(w, text)
}

// Program describes the program, for the pages that are not about functions of scripts.
type Program struct {
	Exits  []ExitCode
	Topics []Topic
	// Computes returns how each platform computes a routine.
	Computes func(*routine.Routine) []Computation
}

// computations returns how each platform computes a routine.
func (p Program) computations(r *routine.Routine) []Computation {
	if p.Computes == nil {
		return nil
	}
	return p.Computes(r)
}

// Computation is how a platform computes a routine: by which functions, or the reason why it does not. Both are empty
// if it computes the routine and does not say how.
type Computation struct{ Platform, By, Reason string }

// String returns "nvidia: cublasDgemm_v2".
func (c Computation) String() string {
	if c.Reason != "" {
		return c.Platform + ": not computed: " + c.Reason
	}
	return c.Platform + ": " + cmp.Or(c.By, "computed")
}

// Find returns the pages about a name: a routine or its family, a function, a module, an object, a constant, a
// status, an error, or a topic. The name may have the prefix of its module or of C, or be the name of the
// same function in BLAS, LAPACK, hipBLAS or hipSOLVER.
func Find(name string, program Program) []Page {
	pages := findRoutines(name, program)
	for _, f := range api.Functions() {
		if f.Title() == name || f.C != "" && f.C == name || f.Name == name {
			pages = append(pages, func(w io.Writer) { writeFunction(w, f) })
		}
	}
	pages = append(pages, findHIPNames(name)...)
	for _, m := range api.Modules() {
		if m.Name == name {
			pages = append(pages, func(w io.Writer) { writeModule(w, m) })
		}
	}
	for _, c := range api.Classes() {
		if c.Name == name || "roclua."+c.Name == name || c.Receiver != "" && c.Receiver == name {
			pages = append(pages, func(w io.Writer) { writeClass(w, c) })
		}
	}
	pages = append(pages, findConstants(trimOwner(name))...)
	if name == "exit" || name == "exit codes" {
		pages = append(pages, func(w io.Writer) { writeExits(w, program.Exits) })
	}
	for _, t := range program.Topics {
		if t.Name == name {
			pages = append(pages, t.write)
		}
	}
	return pages
}

// findRoutines finds a routine, or a family when no routine has the name.
func findRoutines(name string, program Program) []Page {
	var pages []Page
	short := trimOwner(name)
	if r, ok := routine.LayerNamed(name); ok {
		return append(pages, func(w io.Writer) {
			if strings.HasPrefix(name, "cusolver") {
				fmt.Fprintf(w, "%s is %s:\n\n", name, r.CName())
			}
			writeLayer(w, r, program)
		})
	}
	list := routine.Named(name)
	for i, r := range list {
		pages = append(pages, func(w io.Writer) {
			switch {
			case len(list) > 1 && i == 0:
				fmt.Fprintf(w, "%s:\n\n", routine.Ambiguous(name, list))
			case r.Name != short:
				fmt.Fprintf(w, "%s is %s:\n\n", name, r.CName())
			}
			writeRoutine(w, r, program)
		})
	}
	for _, f := range routine.Families() {
		if f.Name == short && len(pages) == 0 {
			pages = append(pages, func(w io.Writer) { writeFamily(w, f, program) })
		}
	}
	return pages
}

// hipNames are functions of hipSOLVER that are not in its module, with their C names in rocBLAS.
var hipNames = map[string]string{
	"hipsolverDnCreate": "rocblas_create_handle", "hipsolverDnDestroy": "rocblas_destroy_handle",
	"hipsolverDnSetStream": "rocblas_set_stream", "hipsolverDnGetStream": "rocblas_get_stream",
}

// findHIPNames finds the function that a name in hipSOLVER means.
func findHIPNames(name string) (pages []Page) {
	c := hipNames[name]
	for _, f := range api.Functions() {
		if c != "" && f.C == c {
			pages = append(pages, func(w io.Writer) {
				fmt.Fprintf(w, "%s is %s:\n\n", name, c)
				writeFunction(w, f)
			})
		}
	}
	return pages
}

// FunctionNamed returns the name in scripts of a function that is not a routine: "hip.set_device" for hipSetDevice, and
// "rocblas.set_stream" for rocblas_set_stream, hipblasSetStream and set_stream. It is empty for other names.
func FunctionNamed(name string) string {
	c := cmp.Or(hipNames[name], name)
	for _, f := range api.Functions() {
		if !f.IsMethod() && (f.C != "" && f.C == c || f.Title() == name || f.C != "" && f.Name == name) {
			return f.Title()
		}
	}
	return ""
}

// trimOwner removes the module or the C prefix from a name.
func trimOwner(name string) string {
	for _, m := range api.Loadable() {
		for _, mark := range []string{".", "_"} {
			if rest, ok := strings.CutPrefix(name, m+mark); ok {
				return rest
			}
		}
	}
	return name
}

// findConstants finds enumerations, their values, statuses and errors of HIP.
func findConstants(name string) []Page {
	var pages []Page
	for _, kind := range enums {
		isConstant := func(c routine.Constant) bool { return c.Enum == kind && c.Name == name }
		if routine.EnumName(kind) == name || slices.ContainsFunc(routine.Constants, isConstant) {
			pages = append(pages, func(w io.Writer) { writeEnum(w, kind) })
		}
	}
	for _, s := range status.All() {
		if s.Short() == strings.TrimPrefix(name, "status_") {
			pages = append(pages, func(w io.Writer) {
				fmt.Fprintf(w, "rocblas.status_%s = %d\n    %s\n", s.Short(), int(s), s.Meaning())
			})
		}
	}
	if name == "status" {
		pages = append(pages, writeStatuses)
	}
	for _, e := range driver.Errors() {
		if e.Error() == name || driver.ScriptName(e.Error()) == strings.TrimPrefix(name, "hip.") {
			pages = append(pages, func(w io.Writer) {
				name := driver.ScriptName(e.Error())
				fmt.Fprintf(w, "hip.%s = %d\n    %s: %s\n", name, int(e), e.Error(), e.Meaning())
			})
		}
	}
	return pages
}

// enums are the enumerations in the order of the headers.
var enums = routine.Enumerations()

// Names lists everything that Find finds, for completion and for the nearest name.
func Names(program Program) []string {
	list := []string{"status", "exit"}
	for _, t := range program.Topics {
		list = append(list, t.Name)
	}
	for _, e := range driver.Errors() {
		list = append(list, e.Error(), driver.ScriptName(e.Error()))
	}
	for _, f := range routine.Families() {
		list = append(list, f.Name)
	}
	for _, r := range routine.All() {
		list = append(list, r.Name)
	}
	for _, f := range api.Functions() {
		list = append(list, f.Title(), f.Name)
	}
	for _, m := range api.Modules() {
		list = append(list, m.Name)
	}
	for _, c := range api.Classes() {
		list = append(list, c.Name)
		if c.Receiver != "" {
			list = append(list, c.Receiver)
		}
	}
	for _, c := range routine.Constants {
		list = append(list, c.Name)
	}
	for _, s := range status.All() {
		list = append(list, s.Short())
	}
	slices.Sort(list)
	return slices.Compact(list)
}
