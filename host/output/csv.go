package output

import (
	"cmp"
	"encoding/csv"
	"io"

	"roclua/internal/escape"
)

// writeCSV writes the table of data. Cells that a spreadsheet would evaluate are escaped.
func writeCSV(w io.Writer, d Data) error {
	t, err := d.Table()
	if err != nil {
		return err
	}
	c := csv.NewWriter(w)
	var cells []string
	add := func(row []string) error {
		cells = cells[:0]
		for _, text := range row {
			cells = append(cells, escape.CSVCell(text))
		}
		return c.Write(cells)
	}
	err = cmp.Or(add(t.Columns), t.Rows(add))
	c.Flush()
	return cmp.Or(err, c.Error())
}
