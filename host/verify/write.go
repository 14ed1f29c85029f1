package verify

import (
	"fmt"

	"roclua/host/answer"
	"roclua/internal/units"
)

// facts describes the comparison as pairs.
func (r *Report) facts() [][2]string {
	var list [][2]string
	if r.Better != nil {
		list = append(list, [2]string{"release", r.Better.String()})
	}
	for _, p := range r.Libraries {
		list = append(list, [2]string{p.Name, p.Version + ", " + p.Path})
	}
	profile := r.Profile.Name
	if !r.Compared {
		profile = "none: results are recorded, not compared"
	}
	return append(list,
		[2]string{"device", fmt.Sprintf("%s (%s), %s", r.Device.Name, r.Device.Arch,
			units.FormatBytes(r.Device.MemoryBytes))},
		[2]string{"profile", profile},
		[2]string{"drawn", fmt.Sprintf("seed %d, count %d, %d functions", r.Seed, r.Count, r.Functions)})
}

// Sections has the counts of each family, and the differences.
func (r *Report) Sections() (*answer.Answer, error) {
	first := answer.Section{}
	for _, f := range r.facts() {
		first.Lines = append(first.Lines, fmt.Sprintf("%-10s %s", f[0], f[1]))
	}
	if len(r.families) > 0 {
		first.Table = r.table()
	}
	a := &answer.Answer{Heading: "roclua verify", Sections: []answer.Section{first}}
	for _, s := range r.steps {
		lines := []string{"  the model:   " + s.model, "  the library: " + s.library}
		if s.model == s.library {
			lines = []string{"  both:        " + s.model}
		}
		a.Sections = append(a.Sections, answer.Section{Heading: s.operation, Lines: lines})
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		a.Sections = append(a.Sections, answer.Section{
			Heading: fmt.Sprintf("difference %d: %s%s", i+1, d.Function, d.times()), Lines: r.describe(d)})
	}
	if n := r.unshown(); n > 0 {
		a.Sections = append(a.Sections, answer.Section{Lines: []string{fmt.Sprintf(
			"%d more differences; at most %d of a family with the same statuses are shown", n, mostShown)}})
	}
	a.Sections = append(a.Sections, answer.Section{Lines: r.summary()})
	return a, nil
}

// describe describes a difference in lines, with the command that makes its case alone.
func (r *Report) describe(d *Difference) []string {
	return []string{"  " + d.Operation, "  the model:   " + d.Model, "  the library: " + d.Library,
		fmt.Sprintf("  %s --only %d", r.command, d.Case)}
}

func (r *Report) table() *answer.Table {
	t := answer.NewTable("family", "size queries", "calls", "differ", "not compared").Numbers(1, 2, 3, 4)
	t.Tone = func(column int, cell string) answer.Tone {
		if column == 3 && cell != "" {
			return answer.Bad
		}
		return answer.Plain
	}
	for _, name := range r.familyNames() {
		q, c := r.of(name, Queries), r.of(name, Calls)
		done := func(t *tally) int { return t[agrees] + t[recorded] }
		t.Row(name, fmt.Sprint(done(q)), fmt.Sprint(done(c)), blank(q[differs]+c[differs]),
			blank(q.total()+c.total()-done(q)-done(c)-q[differs]-c[differs]))
	}
	return t
}

// blank returns a number, "" for 0.
func blank(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
