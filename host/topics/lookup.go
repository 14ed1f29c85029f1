package topics

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"roclua/hip"
	"roclua/hip/defect"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/internal/nearest"
	"roclua/luabind/manual"
)

// Program returns the manual's content about the program: exit codes, topics, and how platforms compute routines.
func Program() manual.Program {
	p := manual.Program{Topics: All(), Computes: computations}
	for _, code := range exit.Codes {
		p.Exits = append(p.Exits, manual.ExitCode{Code: int(code), Meaning: code.Meaning()})
	}
	return p
}

// computations returns how each platform computes a routine.
func computations(r *routine.Routine) []manual.Computation {
	var list []manual.Computation
	for _, name := range hip.Platforms() {
		by, reason := hip.Computes(name, r)
		list = append(list, manual.Computation{Platform: name, By: by, Reason: reason})
	}
	return list
}

// Names lists the names that LookUp finds.
func Names() []string {
	names := manual.Names(Program())
	for _, k := range config.Keys {
		names = append(names, k.Name)
	}
	return slices.Concat(names, findingCodes(), defect.IDs())
}

// LookUp writes the manual pages for names, or an overview without names. For a word that names no page, it lists the
// pages that have it.
func LookUp(w io.Writer, names ...string) error {
	program := Program()
	if len(names) == 0 {
		manual.Overview(w, program)
		return nil
	}
	for i, name := range names {
		pages := pagesOf(name, program)
		if len(pages) == 0 {
			if err := elsewhere(name); err != nil {
				return err
			}
			page := search(name, program)
			if page == nil {
				return fmt.Errorf("nothing is called %q%s (roclua docs lists all names)", name, DidYouMean(name))
			}
			pages = append(pages, page)
		}
		for k, page := range pages {
			if i+k > 0 {
				fmt.Fprintln(w)
			}
			page(w)
		}
	}
	return nil
}

func pagesOf(name string, program manual.Program) []manual.Page {
	if pages := manual.Find(name, program); len(pages) > 0 {
		return pages
	}
	if key := config.Find(name); key != nil {
		return []manual.Page{func(w io.Writer) { io.WriteString(w, key.Page()) }}
	}
	if page := findingPage(name); page != nil {
		return []manual.Page{page}
	}
	if d, ok := defect.Find(name); ok {
		return []manual.Page{func(w io.Writer) { writeDefect(w, d) }}
	}
	return keysCalled(name)
}

// keysCalled returns the pages of the keys with a name in any table: "tags" is scenario.tags.
func keysCalled(name string) []manual.Page {
	var pages []manual.Page
	for i := range config.Keys {
		if key := &config.Keys[i]; key.Base() == name {
			pages = append(pages, func(w io.Writer) { io.WriteString(w, key.Page()) })
		}
	}
	return pages
}

// elsewhere returns an error about a name that is not in the manual and whose reason is known.
func elsewhere(name string) error {
	if slices.Contains([]string{"slurm", "flux", "kubernetes"}, name) {
		return errors.New("the commands for schedulers are in roclua docs shard")
	}
	if reason := routine.NotModelled(routine.ScriptName(name)); reason != "" {
		return fmt.Errorf("%q is not modelled: %s", name, reason)
	}
	if meant := routine.Documented(routine.ScriptName(name)); meant != "" {
		return fmt.Errorf("nothing is called %q: %s", name, meant)
	}
	return nil
}

// DidYouMean returns a suffix for an error message about an unknown name, with similar names in the manual; "" if there
// are none.
func DidYouMean(name string) string { return nearest.DidYouMean(routine.ScriptName(name), Names()) }
