// Package matrixfile reads and writes matrices in the formats of NumPy (.npy) and Matrix Market (.mtx). It takes the
// memory of a matrix from its caller, who learns the size from the header of the file before any element is read. It
// does not depend on Lua.
package matrixfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path"
	"strings"
)

// Header describes a matrix: the type of its elements, as the module array names it, and its shape.
type Header struct {
	Type       string
	Rows, Cols int
}

// sizes are the bytes of an element by its type.
var sizes = map[string]int{"s": 4, "d": 8, "c": 8, "z": 16, "f16": 2, "i8": 1, "i32": 4, "i64": 8}

// MaxElements is the most elements of a matrix: more do not fit in memory.
const MaxElements = 1 << 40

// A Reader reads the matrix of one file.
type Reader struct {
	Header
	text    *bufio.Reader
	element func(data []byte) error // reads the elements
}

// format returns the format of a file by its name.
func format(name string) (string, error) {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".npy", ".mtx":
		return ext, nil
	}
	return "", fmt.Errorf("%s: the name of a matrix file ends with .npy or .mtx", name)
}

// NewReader reads the header of a file. name decides its format.
func NewReader(name string, from io.Reader) (*Reader, error) {
	ext, err := format(name)
	if err != nil {
		return nil, err
	}
	r := &Reader{text: bufio.NewReaderSize(from, 64<<10)}
	if ext == ".npy" {
		err = r.npyHeader()
	} else {
		err = r.marketHeader()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Read stores the elements in zeroed memory for all of them, column by column.
func (r *Reader) Read(data []byte) error { return r.element(data) }

// Write writes a matrix, column by column, in the format that the name decides.
func Write(name string, to io.Writer, h Header, data []byte) error {
	ext, err := format(name)
	switch {
	case err != nil:
		return err
	case sizes[h.Type] == 0:
		return fmt.Errorf("%s: %s has no elements of type %s", name, ext, h.Type)
	case ext == ".npy":
		return writeNPY(to, h, data)
	}
	return writeMarket(to, h, data)
}

// setShape checks and sets the shape.
func (r *Reader) setShape(rows, cols uint64) error {
	if rows > MaxElements || cols > MaxElements || rows != 0 && cols > MaxElements/rows ||
		rows > math.MaxInt/16 || cols > math.MaxInt/16 {
		return fmt.Errorf("%d x %d elements do not fit in memory", rows, cols)
	}
	r.Rows, r.Cols = int(rows), int(cols)
	return nil
}
