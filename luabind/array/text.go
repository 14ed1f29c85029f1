package array

import (
	"fmt"
	"strconv"
	"strings"
)

// How much of an array a prompt shows.
const (
	shownRows   = 8
	shownCols   = 8
	shownDigits = 6 // of an element
)

// String writes type and shape.
func (a *Array) String() string { return fmt.Sprintf("array(%s, %dx%d)", a.Kind, a.rows, a.cols) }

// Present writes type, shape and the first elements: a vector on a line, a matrix row by row.
func (a *Array) Present() string {
	head := a.String()
	switch {
	case a.len() == 0:
		return head
	case a.cols == 1:
		return head + "  " + strings.Join(a.texts(0, 1, a.rows), "  ")
	case a.rows == 1:
		return head + "  " + strings.Join(a.texts(0, 1, a.cols), "  ")
	}
	rows := make([][]string, min(a.rows, shownRows))
	widths := make([]int, min(a.cols, shownCols)+1)
	for i := range rows {
		rows[i] = a.texts(i, a.rows, a.cols)
		for j, text := range rows[i] {
			widths[j] = max(widths[j], len(text))
		}
	}
	for _, row := range rows {
		head += "\n"
		for j, text := range row {
			head += fmt.Sprintf("  %*s", widths[j], text)
		}
	}
	if a.rows > shownRows {
		head += "\n  ..."
	}
	return head
}

// texts writes the first elements of n, which are a distance apart.
func (a *Array) texts(first, distance, n int) []string {
	var list []string
	for k := range min(n, shownCols) {
		list = append(list, a.text(first+k*distance))
	}
	if n > shownCols {
		list = append(list, "...")
	}
	return list
}

func (a *Array) text(i int) string {
	switch v := a.at(i); {
	case !a.isNumber():
		return fmt.Sprintf("0x%x", view[uint64](a)[i])
	case a.isComplex():
		return fmt.Sprintf("%.*g%+.*gi", shownDigits, real(v), shownDigits, imag(v))
	default:
		if _, _, integers := a.integers(); integers {
			return strconv.FormatInt(int64(real(v)), 10)
		}
		return strconv.FormatFloat(real(v), 'g', shownDigits, 64)
	}
}
