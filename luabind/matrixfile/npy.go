package matrixfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// npyMagic begins a file of NumPy. The major and the minor version follow.
const npyMagic = "\x93NUMPY"

// maxNPYHeader is the most bytes of a header: the type and the shape take about 100.
const maxNPYHeader = 64 << 10

// npyTypes are the types of elements in files of NumPy. All have the lowest byte first.
var npyTypes = map[string]string{"<f4": "s", "<f8": "d", "<c8": "c", "<c16": "z", "<f2": "f16", "|i1": "i8",
	"<i4": "i32", "<i8": "i64"}

// npyHeader reads a header: the magic, the version, the length and a dictionary of Python.
func (r *Reader) npyHeader() error {
	var begin [8]byte
	if _, err := io.ReadFull(r.text, begin[:]); err != nil || string(begin[:6]) != npyMagic {
		return errors.New("not a file of NumPy: it does not start with \\x93NUMPY")
	}
	length, width := uint32(0), 2
	if begin[6] >= 2 {
		width = 4
	}
	var field [4]byte
	if _, err := io.ReadFull(r.text, field[:width]); err != nil {
		return errShort
	}
	if length = binary.LittleEndian.Uint32(field[:]); length > maxNPYHeader {
		return fmt.Errorf("its header has %d bytes; it can have at most %d", length, maxNPYHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r.text, text); err != nil {
		return errShort
	}
	return r.npyDictionary(string(text))
}

var errShort = errors.New("the file ends too early")

// npyDictionary reads {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }.
func (r *Reader) npyDictionary(text string) error {
	descr, ok := npyValue(text, "descr", "'", "'")
	if !ok {
		return errors.New("its elements have fields, or its header has no descr; want an array of numbers")
	}
	if r.Type = npyTypes[descr]; r.Type == "" {
		return fmt.Errorf("its elements have the type %.40q; want one of %s", descr, npyNames())
	}
	order, _ := npyValue(text, "fortran_order", "", ",")
	shape, ok := npyValue(text, "shape", "(", ")")
	if order != "True" && order != "False" || !ok {
		return errors.New("its header has no fortran_order or no shape")
	}
	dimensions := []uint64{1, 1}
	if shape = strings.TrimSuffix(strings.TrimSpace(shape), ","); shape != "" {
		for i, part := range strings.Split(shape, ",") {
			n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
			if err != nil || i > 1 {
				return fmt.Errorf("its shape is (%.40s); want one or two dimensions", shape)
			}
			dimensions[i] = n
		}
	}
	r.element = func(data []byte) error { return r.npyElements(data, order == "True") }
	return r.setShape(dimensions[0], dimensions[1])
}

// npyValue returns the value of a key between two texts.
func npyValue(text, key, open, close string) (value string, ok bool) {
	_, rest, found := strings.Cut(text, "'"+key+"'")
	rest, colon := strings.CutPrefix(strings.TrimSpace(rest), ":")
	rest, begun := strings.CutPrefix(strings.TrimSpace(rest), open)
	value, _, ended := strings.Cut(rest, close)
	return strings.TrimSpace(value), found && colon && begun && ended
}

// npyNames lists the types of elements.
func npyNames() string { return strings.Join(slices.Sorted(maps.Keys(npyTypes)), " ") }

// npyElements reads the elements, which are stored by columns or by rows.
func (r *Reader) npyElements(data []byte, byColumns bool) error {
	if byColumns || r.Rows <= 1 || r.Cols <= 1 {
		if _, err := io.ReadFull(r.text, data); err != nil {
			return errShort
		}
		return r.atEnd()
	}
	size := sizes[r.Type]
	for i := range r.Rows {
		for j := range r.Cols {
			at := (j*r.Rows + i) * size
			if _, err := io.ReadFull(r.text, data[at:at+size]); err != nil {
				return errShort
			}
		}
	}
	return r.atEnd()
}

// atEnd returns an error if the file has more bytes.
func (r *Reader) atEnd() error {
	if _, err := r.text.ReadByte(); err != io.EOF {
		return errors.Join(errors.New("the file has more bytes than its header says"), err)
	}
	return nil
}

// writeNPY writes the header and the elements, by columns. The header ends at a multiple of 64 bytes.
func writeNPY(to io.Writer, h Header, data []byte) error {
	descr := ""
	for name, kind := range npyTypes {
		if kind == h.Type {
			descr = name
		}
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%d, %d), }", descr, h.Rows, h.Cols)
	const before = len(npyMagic) + 4
	padding := 64 - (before+len(text)+1)%64
	text += strings.Repeat(" ", padding) + "\n"
	begin := append([]byte(npyMagic), 1, 0)
	begin = binary.LittleEndian.AppendUint16(begin, uint16(len(text)))
	if _, err := to.Write(append(begin, text...)); err != nil {
		return err
	}
	_, err := to.Write(data)
	return err
}
