// Package targets shows releases and architectures side by side, for the commands that compute what calls need.
package targets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/config"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// Of multiplies profiles and architectures. An empty list is an error, as an empty name is. tuning says where the
// tuning files of rocBLAS are; see config.TuningPath.
func Of(profiles, archs []string, tuning string) ([]footprint.Target, error) {
	if len(profiles) == 0 {
		profiles = []string{""}
	}
	if len(archs) == 0 {
		archs = []string{""}
	}
	var list []footprint.Target
	for _, name := range profiles {
		p, err := workspace.FindProfile(strings.TrimSpace(name))
		if err == nil && !p.Modelled() {
			err = fmt.Errorf("profile %s is not modelled: "+
				"only the libraries on a machine with platform %s report what calls need", p.Name, p.Platform)
		}
		if err != nil {
			return nil, err
		}
		for _, arch := range archs {
			arch = strings.TrimSpace(arch)
			if err := config.CheckArch(arch); err != nil {
				return nil, err
			}
			files, err := config.OpenTuning(tuning, p.Name, arch)
			if err != nil {
				return nil, err
			}
			if t := (footprint.Target{Profile: p, Arch: arch, Tuning: files}); !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// differs marks rows whose targets differ.
const differs = "≠"

// Table is a table with a column for each target, and one that marks differences.
type Table struct {
	table.Writer
	targets int
}

// NewTable returns a table with columns for labels and a column for each target.
func NewTable(names []string, targets []string) *Table {
	t := &Table{table.NewWriter(), len(targets)}
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Format.Footer = text.FormatDefault
	var header table.Row
	var columns []table.ColumnConfig
	for _, name := range names {
		header = append(header, name)
	}
	for i, name := range targets {
		header = append(header, name)
		columns = append(columns, table.ColumnConfig{Number: len(names) + i + 1, Align: text.AlignRight,
			AlignFooter: text.AlignRight})
	}
	if len(targets) > 1 {
		header = append(header, "")
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(columns)
	return t
}

// Row appends a row; cells beyond the labels are the targets'.
func (t *Table) Row(labels []string, cells []string) {
	var row table.Row
	for _, l := range labels {
		row = append(row, l)
	}
	mark := ""
	for _, c := range cells {
		row = append(row, c)
		if c != cells[0] {
			mark = differs
		}
	}
	if t.targets > 1 {
		row = append(row, mark)
	}
	t.AppendRow(row)
}

// ShortBytes formats exact bytes with the nearest binary unit, without the word: "4732160 (4.5 MiB)".
func ShortBytes(n uint64) string {
	text := units.FormatBytes(n)
	return strings.Replace(strings.Replace(text, " bytes", "", 1), " byte", "", 1)
}
