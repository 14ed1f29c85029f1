package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// ExitCode is an exit code of the program with its meaning.
type ExitCode struct {
	Code    int
	Meaning string
}

// Page is one piece of the manual as text.
type Page func(w io.Writer)

// Topic is a page about the program.
type Topic struct{ Name, About, Text string }

// Outside is what the manual is told of the program around it.
type Outside struct {
	Exits  []ExitCode
	Topics []Topic
	// Computes tells for each platform that says so by which functions it computes a routine, or why it does not.
	Computes func(*routine.Routine) []Computation
}

// Computation is how a platform computes a routine.
type Computation struct{ Platform, By, Reason string }

// String returns "nvidia: cublasDgemm_v2".
func (c Computation) String() string {
	if c.Reason != "" {
		return c.Platform + ": not implemented: " + c.Reason
	}
	return c.Platform + ": " + c.By
}

// Find returns the pages about a name: a routine or its family, a function, a module, a class, a constant, a status, an
// error, or a topic. The name may carry its module or its prefix in C.
func Find(name string, out Outside) []Page {
	var pages []Page
	short := trimOwner(name)
	for _, r := range routine.All() {
		if r.Name == short || r.CName() == name {
			pages = append(pages, func(w io.Writer) { writeRoutine(w, r, out) })
		}
	}
	for _, f := range routine.Families() {
		if f.Name == short && len(pages) == 0 {
			pages = append(pages, func(w io.Writer) { writeFamily(w, f, out) })
		}
	}
	for _, e := range Functions() {
		if e.Title() == name || e.C != "" && e.C == name || e.Name == name {
			pages = append(pages, func(w io.Writer) { writeEntry(w, &e) })
		}
	}
	for _, c := range Classes {
		if c.Name == name || c.Name == "roclua."+name {
			pages = append(pages, func(w io.Writer) { writeClass(w, &c) })
		}
	}
	pages = append(pages, findConstants(short)...)
	if slices.Contains(Modules, name) {
		pages = append(pages, func(w io.Writer) { writeModule(w, name) })
	}
	if slices.Contains(objects, name) {
		pages = append(pages, func(w io.Writer) { writeMethods(w, name) })
	}
	if name == "exit" || name == "exit codes" {
		pages = append(pages, func(w io.Writer) { writeExits(w, out.Exits) })
	}
	for _, t := range out.Topics {
		if t.Name == name {
			pages = append(pages, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n\n%s", t.Name, t.About, t.Text) })
		}
	}
	return pages
}

// trimOwner takes the module or the prefix in C from a name.
func trimOwner(name string) string {
	for _, m := range Modules {
		for _, mark := range []string{".", "_"} {
			if rest, ok := strings.CutPrefix(name, m+mark); ok {
				return rest
			}
		}
	}
	return name
}

// findConstants finds enumerations, their values, and statuses.
func findConstants(name string) []Page {
	var pages []Page
	for _, kind := range enums {
		if routine.EnumName(kind) == name || slices.ContainsFunc(routine.Constants, func(c routine.Constant) bool { return c.Enum == kind && c.Name == name }) {
			pages = append(pages, func(w io.Writer) { writeEnum(w, kind) })
		}
	}
	for _, s := range status.All() {
		if s.Short() == strings.TrimPrefix(name, "status_") {
			pages = append(pages, func(w io.Writer) { fmt.Fprintf(w, "rocblas.status_%s = %d\n    %s\n", s.Short(), int(s), s.Meaning()) })
		}
	}
	if name == "status" {
		pages = append(pages, writeStatuses)
	}
	for _, e := range driver.Errors() {
		if e.Error() == name || driver.ScriptName(e.Error()) == strings.TrimPrefix(name, "hip.") {
			pages = append(pages, func(w io.Writer) {
				fmt.Fprintf(w, "hip.%s = %d\n    %s: %s\n", driver.ScriptName(e.Error()), int(e), e.Error(), e.Meaning())
			})
		}
	}
	return pages
}

// enums are the enumerations in the order of the headers.
var enums = []routine.Kind{routine.Operation, routine.Fill, routine.Diagonal, routine.SideKind, routine.Datatype, routine.PointerMode, routine.AtomicsMode, routine.GemmAlgo}

// Names lists everything that Find finds, for completion and for the nearest name.
func Names(out Outside) []string {
	var list []string
	for _, t := range out.Topics {
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
	for _, e := range Functions() {
		list = append(list, e.Title(), e.Name)
	}
	for _, c := range Classes {
		list = append(list, strings.TrimPrefix(c.Name, "roclua."))
	}
	for _, c := range routine.Constants {
		list = append(list, c.Name)
	}
	for _, s := range status.All() {
		list = append(list, s.Short())
	}
	list = append(slices.Concat(list, Modules, objects), "status", "exit")
	slices.Sort(list)
	return slices.Compact(list)
}
