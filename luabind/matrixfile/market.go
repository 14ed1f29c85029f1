package matrixfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// market is the header of a Matrix Market file.
type market struct {
	coordinate bool
	field      string // real, integer, complex or pattern
	symmetry   string // general, symmetric, skew-symmetric or hermitian
	entries    uint64 // of coordinates
	line       int    // number of the line that was read last
}

// maxMarketLine is the most bytes of a line.
const maxMarketLine = 4096

// marketHeader reads the banner, the comments and the line of sizes.
func (r *Reader) marketHeader() error {
	m := &market{}
	banner, err := m.next(r.text)
	if err != nil {
		return err
	}
	words := strings.Fields(strings.ToLower(banner))
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return errors.New("not a file of Matrix Market: it does not start with %%MatrixMarket matrix FORMAT FIELD " +
			"SYMMETRY")
	}
	m.coordinate, m.field, m.symmetry = words[2] == "coordinate", words[3], words[4]
	for _, part := range []struct {
		have  string
		known []string
	}{
		{words[2], []string{"coordinate", "array"}}, {m.field, []string{"real", "integer", "complex", "pattern"}},
		{m.symmetry, []string{"general", "symmetric", "skew-symmetric", "hermitian"}},
	} {
		if !slices.Contains(part.known, part.have) {
			return fmt.Errorf("line 1: %.40q is not one of %s", part.have, strings.Join(part.known, " "))
		}
	}
	if r.Type = "d"; m.field == "complex" {
		r.Type = "z"
	}
	r.element = func(data []byte) error { return m.elements(r, data) }
	return m.sizes(r)
}

// sizes reads the rows and columns, and for coordinates the number of entries.
func (m *market) sizes(r *Reader) error {
	numbers, err := m.fields(r.text)
	if err != nil {
		return err
	}
	var have [3]uint64
	want := 2
	if m.coordinate {
		want = 3
	}
	if len(numbers) != want {
		return m.failure("want %d numbers, the rows and the columns first", want)
	}
	for i, text := range numbers {
		if have[i], err = strconv.ParseUint(text, 10, 62); err != nil {
			return m.failure("%.40q is not a number of rows, columns or entries", text)
		}
	}
	m.entries = have[2]
	if m.symmetry != "general" && have[0] != have[1] {
		return m.failure("a %s matrix is square, this one is %d x %d", m.symmetry, have[0], have[1])
	}
	return r.setShape(have[0], have[1])
}

// elements reads the entries, and mirrors them in a symmetric matrix.
func (m *market) elements(r *Reader, data []byte) error {
	put := func(i, j int, re, im float64) { store(data, r.Type, j*r.Rows+i, re, im) }
	each := func(i, j int, values []string) error {
		re, im, err := m.value(values)
		if err != nil {
			return err
		}
		put(i, j, re, im)
		if i == j {
			return nil
		}
		switch m.symmetry {
		case "symmetric":
			put(j, i, re, im)
		case "skew-symmetric":
			put(j, i, -re, -im)
		case "hermitian":
			put(j, i, re, -im)
		}
		return nil
	}
	if m.coordinate {
		return m.coordinates(r, each)
	}
	for j := range r.Cols {
		for i := range r.Rows {
			if m.symmetry != "general" && i < j || m.symmetry == "skew-symmetric" && i == j {
				continue // a symmetric matrix has the elements of one triangle
			}
			values, err := m.fields(r.text)
			if err == nil {
				err = each(i, j, values)
			}
			if err != nil {
				return err
			}
		}
	}
	return m.atEnd(r.text)
}

// coordinates reads entries with a row and a column, from 1.
func (m *market) coordinates(r *Reader, each func(i, j int, values []string) error) error {
	for range m.entries {
		fields, err := m.fields(r.text)
		if err != nil {
			return err
		}
		if len(fields) < 2 {
			return m.failure("want a row and a column")
		}
		i, errI := strconv.ParseUint(fields[0], 10, 62)
		j, errJ := strconv.ParseUint(fields[1], 10, 62)
		if errI != nil || errJ != nil || i < 1 || j < 1 || i > uint64(r.Rows) || j > uint64(r.Cols) {
			return m.failure("row %.20s and column %.20s are not in a matrix of %d x %d", fields[0], fields[1], r.Rows,
				r.Cols)
		}
		if err := each(int(i-1), int(j-1), fields[2:]); err != nil {
			return err
		}
	}
	return m.atEnd(r.text)
}

// value reads the number of an entry; of a pattern it is 1.
func (m *market) value(values []string) (re, im float64, err error) {
	want := map[string]int{"real": 1, "integer": 1, "complex": 2, "pattern": 0}[m.field]
	if len(values) != want {
		return 0, 0, m.failure("has %d values, a %s matrix has %d in an entry", len(values), m.field, want)
	}
	parts := [2]float64{1, 0}
	for i, text := range values {
		if parts[i], err = strconv.ParseFloat(text, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, 0, m.failure("%.40q is not a number", text)
		}
	}
	return parts[0], parts[1], nil
}

// store sets an element of type d or z.
func store(data []byte, kind string, i int, re, im float64) {
	if kind == "z" {
		binary.LittleEndian.PutUint64(data[16*i+8:], math.Float64bits(im))
		i *= 2
	}
	binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(re))
}

// fields returns the words of the next line that is neither empty nor a comment.
func (m *market) fields(from *bufio.Reader) ([]string, error) {
	for {
		line, err := m.next(from)
		if err != nil {
			return nil, err
		}
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "%") {
			return words, nil
		}
	}
}

// next returns the next line.
func (m *market) next(from *bufio.Reader) (string, error) {
	m.line++
	line, err := from.ReadSlice('\n')
	switch {
	case len(line) > maxMarketLine || errors.Is(err, bufio.ErrBufferFull):
		return "", m.failure("has more than %d bytes", maxMarketLine)
	case err == io.EOF && len(line) > 0:
		return string(line), nil
	case err == io.EOF:
		return "", errShort
	case err != nil:
		return "", err
	}
	return string(line), nil
}

// atEnd returns an error if another entry follows.
func (m *market) atEnd(from *bufio.Reader) error {
	_, err := m.fields(from)
	switch {
	case errors.Is(err, errShort):
		return nil
	case err != nil:
		return err
	}
	return m.failure("the file has more entries than its sizes say")
}

func (m *market) failure(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", m.line, fmt.Sprintf(format, args...))
}

// writeMarket writes every element of a matrix of numbers with 64 bits.
func writeMarket(to io.Writer, h Header, data []byte) error {
	field := map[string]string{"d": "real", "z": "complex"}[h.Type]
	if field == "" {
		return fmt.Errorf("a .mtx file has elements of type d or z, not %s; convert the array, or write .npy", h.Type)
	}
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%%%%MatrixMarket matrix array %s general\n%d %d\n", field, h.Rows, h.Cols)
	width := sizes[h.Type] / 8
	for i := range h.Rows * h.Cols * width {
		w.WriteString(strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])), 'g', -1, 64))
		if i%width == width-1 {
			w.WriteByte('\n')
		} else {
			w.WriteByte(' ')
		}
	}
	return w.Flush()
}
