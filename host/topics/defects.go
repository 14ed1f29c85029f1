package topics

import (
	"fmt"
	"io"
	"strings"

	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/host/answer"
	"roclua/host/config"
	"roclua/host/output"
	"roclua/internal/units"
	"roclua/workspace"
)

// DefectsIn returns the known defects on a release and an architecture that concern a routine or a family, "dgetri" or
// "getri", or have an id; "" is any. The error for an unknown name contains the nearest one.
func DefectsIn(profile, arch, name string) (Defects, error) {
	concerns, err := concernsOf(name)
	if err != nil {
		return nil, err
	}
	var of *release.Release
	if profile != "" {
		p, err := workspace.FindProfile(profile)
		if err != nil {
			return nil, fmt.Errorf("--profile: %w", err)
		}
		of = p.Release
	}
	var list []*defect.Defect
	for _, d := range defect.All() {
		if (of == nil || d.InVersions(of.Versions)) && (arch == "" || d.OnArch(arch)) && concerns(d) {
			list = append(list, d)
		}
	}
	return list, nil
}

// concernsOf returns whether a defect concerns the routine or the family of a name.
func concernsOf(name string) (func(*defect.Defect) bool, error) {
	if name == "" {
		return func(*defect.Defect) bool { return true }, nil
	}
	if list := routine.Named(name); len(list) > 0 {
		return func(d *defect.Defect) bool { return d.Concerns(list[0]) }, nil
	}
	for _, f := range routine.Families() {
		if f.Name == name {
			return func(d *defect.Defect) bool { return d.Has(f.ID) }, nil
		}
	}
	if _, ok := defect.Find(name); ok {
		return func(d *defect.Defect) bool { return d.ID == name }, nil
	}
	return nil, fmt.Errorf("no routine, family or defect is called %q%s", name, DidYouMean(name))
}

// Defects are known defects as roclua defects lists them.
type Defects []*defect.Defect

// Title counts the defects.
func (list Defects) Title() string {
	return "roclua defects: " + units.Count(len(list), "known defect")
}

// Sections has a table.
func (list Defects) Sections() (*answer.Answer, error) {
	if len(list) == 0 {
		return &answer.Answer{Sections: []answer.Section{{Lines: []string{
			"no known defect; that does not mean that there is none"}}}}, nil
	}
	t := answer.NewTable("id", "level", "kind", "where", "repair").Wrap(3, 44).Wrap(4, 20)
	for _, d := range list {
		t.Row(d.ID, string(d.Level), strings.ReplaceAll(string(d.Kind), "_", " "), d.Scope(), d.Repair())
	}
	below := []string{"roclua docs ID describes one; a call that none concerns is not known to be safe"}
	if len(list) == 1 {
		below = append(config.Wrap(list[0].Evidence(), 95), below...)
	}
	return &answer.Answer{Sections: []answer.Section{{Table: t, Below: below}}}, nil
}

// Document has an object for each defect.
func (list Defects) Document() (any, error) {
	findings := make([]defect.Finding, len(list))
	for i, d := range list {
		findings[i].Defect = d
	}
	return defect.Entries(findings), nil
}

// Table has a row for each defect.
func (list Defects) Table() (output.Table, error) {
	var rows [][]string
	for _, d := range list {
		rows = append(rows, []string{d.ID, string(d.Level), string(d.Kind), d.Scope(), d.Repair(), d.Text,
			strings.Join(d.Sources, " "), d.Evidence()})
	}
	return output.TableOf([]string{"id", "level", "kind", "where", "repair", "text", "sources", "checked"}, rows), nil
}

func writeDefect(w io.Writer, d *defect.Defect) {
	fmt.Fprintf(w, "%s: %s, %s\n    %s\n\n", d.ID, strings.ReplaceAll(string(d.Kind), "_", " "), levels[d.Level],
		strings.Join(config.Wrap(d.Text, 95), "\n    "))
	fmt.Fprintf(w, "%s\n%s\n", d.Scope(), d.Repair())
	if names := familyNames(d); names != "" {
		fmt.Fprintf(w, "routines: %s\n", names)
	}
	if d.TextOnly != "" {
		fmt.Fprintf(w, "No command warns of it: it depends on %s.\n", d.TextOnly)
	}
	for _, call := range d.Hits {
		fmt.Fprintf(w, "example: %s\n", call)
	}
	evidence := strings.Join(config.Wrap(d.Evidence(), 95), "\n")
	fmt.Fprintf(w, "sources: %s\n%s\n", strings.Join(d.Sources, ", "), evidence)
	fmt.Fprintln(w, "The model computes right numbers for such calls; it does not imitate the defect.")
}

// levels describe the certainty of a defect.
var levels = map[defect.Level]string{
	defect.Certain:     "certain: the arguments decide",
	defect.Possible:    "possible: values, or the order of threads, decide, too",
	defect.Environment: "environment: the runtime, the scheme or a capture decides",
}

func familyNames(d *defect.Defect) string {
	var names []string
	for _, id := range d.Families {
		names = append(names, id.String())
	}
	return strings.Join(names, ", ")
}
