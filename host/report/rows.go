package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/result"
	"roclua/internal/units"
)

// maxTable is the largest number of cases that the table lists in full. The table of more cases would not be read and
// would take much memory: it has only those that fail the run, and at most maxTable of them.
const maxTable = 10000

// wholeTable is the number of rows from which the table has a row for each folder instead of one for each scenario.
const wholeTable = 20

// mostShown is the largest number of rows of a folded table that are whole, so that the reasons of failures are near
// the beginning of the report.
const mostShown = 15

// A case is slow from this time, and from this multiple of its folder's median.
const (
	slowSeconds = 1
	slowFactor  = 5
)

// row has the cases that differ only in the target.
type row struct {
	label, scheme, folder, scenario string

	cells    []string         // by column; "" when the target has no case
	outcomes []result.Outcome // by column; "" when the target has no case
	seconds  float64          // of the slowest case
	isNews   bool             // failed, changed, or is skipped for a new reason
}

// isShown returns a function that reports whether a case is in the table, and counts the cases that are not.
func (t *textReport) isShown(left *int) func(c *result.Result) bool {
	if len(t.Results) <= maxTable {
		return func(*result.Result) bool { return true }
	}
	shown := 0
	return func(c *result.Result) bool {
		if shown == maxTable || !c.FailsRun() {
			*left++
			return false
		}
		shown++
		return true
	}
}

// table writes one row for all cases that differ only in the target, or a row for the cases of a folder.
func (t *textReport) table(out io.Writer) error {
	t.manyArchs = t.varies(func(c *result.Result) string { return c.Arch })
	t.manyPlatforms = t.varies(func(c *result.Result) string { return c.Platform })
	header, columns := t.header()
	w := answer.NewTable(header...)
	left := 0
	rows, err := t.rows(columns, &left)
	if err != nil {
		return err
	}
	for _, r := range t.fold(rows) {
		w.Row(r.texts()...)
	}
	if len(rows) > 0 || left == 0 {
		io.WriteString(out, w.Text(t.width))
	}
	if left > 0 {
		fmt.Fprintf(out, "%d cases are not in the table: it has only cases that fail the run, and at most %d; "+
			"--out csv has all\n", left, maxTable)
	}
	return nil
}

// rows returns a row for each scenario, its parameters and its scheme, and collects the measurements. left counts the
// cases that are not in the table.
func (t *textReport) rows(columns map[string]int, left *int) ([]*row, error) {
	var order []*row
	byKey := map[string]*row{}
	isShown := t.isShown(left)
	for _, short := range t.Results {
		if !isShown(short) {
			continue
		}
		c, err := t.Store.Full(short)
		if err != nil {
			return nil, err
		}
		key, _, _ := strings.Cut(c.ID, "@")
		r := byKey[key]
		if r == nil {
			r = &row{label: c.Label(), scheme: cmp.Or(c.Scheme, "-"), folder: path.Dir(c.Scenario),
				scenario: c.Scenario, cells: make([]string, len(columns)),
				outcomes: make([]result.Outcome, len(columns))}
			byKey[key], order = r, append(order, r)
		}
		column := columns[t.targetName(c)]
		r.cells[column] = t.cell(c)
		r.seconds = max(r.seconds, c.Record.Seconds)
		r.outcomes[column] = c.Outcome()
		r.isNews = r.isNews || c.FailsRun() || c.Outcome() == result.Flaky || t.isNewSkip(c)
		t.measured.addMeasurements(c)
		t.loads.addLoad(c)
	}
	return order, nil
}

// isNewSkip reports whether a case is skipped for a reason that its scenario had not when it last ran.
func (t *textReport) isNewSkip(c *result.Result) bool {
	earlier, known := t.Skips[c.Scenario]
	return known && c.Outcome() == result.Skipped && !slices.Contains(earlier, c.Record.Skipped)
}

// fold replaces the rows of passed, skipped and slow cases by a row for each folder, before the other rows of that
// folder. A short table stays as it is.
func (t *textReport) fold(rows []*row) []*row {
	if t.Verbose || len(rows) < wholeTable {
		return rows
	}
	t.folded = true
	shown := 0
	medians := folderMedians(rows)
	var order []string
	folded, whole := map[string][]*row{}, map[string][]*row{}
	for _, r := range rows {
		if folded[r.folder] == nil && whole[r.folder] == nil {
			order = append(order, r.folder)
		}
		isSlow := r.seconds > slowSeconds && r.seconds > slowFactor*medians[r.folder]
		if isSlow {
			r.label += " (" + units.FormatSeconds(r.seconds) + ")"
		}
		if (r.isNews || isSlow) && shown < mostShown {
			shown++
			whole[r.folder] = append(whole[r.folder], r)
		} else {
			folded[r.folder] = append(folded[r.folder], r)
		}
	}
	var list []*row
	for _, folder := range order {
		if rows := folded[folder]; len(rows) == 1 {
			list = append(list, rows[0])
		} else if len(rows) > 1 {
			list = append(list, t.folderRow(folder, rows))
		}
		list = append(list, whole[folder]...)
	}
	return list
}

func folderMedians(rows []*row) map[string]float64 {
	times := map[string][]float64{}
	for _, r := range rows {
		times[r.folder] = append(times[r.folder], r.seconds)
	}
	medians := map[string]float64{}
	for folder, list := range times {
		slices.Sort(list)
		medians[folder] = list[len(list)/2]
	}
	return medians
}

// folderRow returns a row that counts the cases of rows: "graphs/", "16 scenarios", "40 ok, 9 skip".
func (t *textReport) folderRow(folder string, rows []*row) *row {
	sum := &row{label: folder + "/", cells: make([]string, len(rows[0].cells))}
	scenarios := map[string]bool{}
	totals := make([]map[result.Outcome]int, len(sum.cells))
	for _, r := range rows {
		scenarios[r.scenario] = true
		for i, o := range r.outcomes {
			if totals[i] == nil {
				totals[i] = map[result.Outcome]int{}
			}
			totals[i][o]++
		}
	}
	if folder == "." {
		sum.label = "(this folder)"
	}
	if len(scenarios) == 1 {
		sum.label = rows[0].scenario
	}
	sum.scheme = units.Count(len(scenarios), "scenario")
	for i, counts := range totals {
		sum.cells[i] = t.countsText(counts)
	}
	return sum
}

// countsText writes the number of cases of each outcome: "3 FAILED, 40 ok, 9 skip". Those that do not fail the run are
// last.
func (t *textReport) countsText(counts map[result.Outcome]int) string {
	last := []result.Outcome{result.Passed, result.Skipped, result.KnownFailure, result.NotRun}
	outcomes := slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(o result.Outcome) bool {
		return slices.Contains(last, o)
	})
	var parts []string
	for _, o := range append(outcomes, last...) {
		if o != "" && counts[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[o], t.outcome(o)))
		}
	}
	return strings.Join(parts, ", ")
}

// texts returns the cells of the row in the table. A target without the case has "-".
func (r *row) texts() []string {
	list := []string{r.label, r.scheme}
	for _, c := range r.cells {
		list = append(list, cmp.Or(c, "-"))
	}
	return list
}

// targetName is the profile, with the architecture and the platform if they vary.
func (t *textReport) targetName(c *result.Result) string {
	name := c.Profile
	if t.manyArchs {
		name += " " + c.Arch
	}
	if t.manyPlatforms {
		name = c.Platform + " " + name
	}
	return name
}

func (t *textReport) varies(of func(*result.Result) string) bool {
	return slices.ContainsFunc(t.Results, func(c *result.Result) bool { return of(c) != of(t.Results[0]) })
}

// header returns the titles of the table, and the columns of the targets, counted from the first of them.
func (t *textReport) header() (titles []string, columns map[string]int) {
	titles, columns = []string{"scenario", "scheme"}, map[string]int{}
	for _, c := range t.Results {
		name := t.targetName(c)
		if _, known := columns[name]; !known {
			columns[name] = len(columns)
			titles = append(titles, name)
		}
	}
	return titles, columns
}
