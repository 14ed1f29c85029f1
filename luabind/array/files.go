package array

import (
	"fmt"
	"io"

	"roclua/input"
	"roclua/internal/atomicfile"
	"roclua/luabind/engine"
	"roclua/luabind/matrixfile"
	"roclua/luabind/vm"
)

// matrixKind is a file that array.load reads. Its text can be longer than the elements.
var matrixKind = input.Kind{Name: "matrix file", Most: 4 * maxHostBytes}

// arrayLoad reads a matrix of a file. The memory counts before it is allocated.
func arrayLoad(c *engine.Call, name string) error {
	file, err := c.Lib.OpenData(c.Fn.Title(), name, matrixKind)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := matrixfile.NewReader(name, &checkedReader{file, c})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Fn.Title(), err)
	}
	a := shapedArray(c, elementOf[r.Type], int64(r.Rows), int64(r.Cols))
	if err := r.Read(a.Raw); err != nil {
		return fmt.Errorf("%s: %s: %w", c.Fn.Title(), name, err)
	}
	return outArray(c, a)
}

// checkedReader ends the call if the case has ended.
type checkedReader struct {
	io.Reader
	c *engine.Call
}

func (r *checkedReader) Read(b []byte) (int, error) {
	r.c.VM.Meter().Check(r.c.L)
	return r.Reader.Read(b)
}

// arraySave writes a matrix to a file, which it replaces when the file is complete.
func arraySave(c *engine.Call, a *Array, name string) error {
	if !c.Lib.IsFull() {
		return fmt.Errorf("%s: scripts write files in the sandbox full only; run with --sandbox full", c.Fn.Title())
	}
	if len(name) > vm.MaxText {
		c.Bad("file", "the name is too long")
	}
	return atomicfile.Replace(atomicfile.OS, name, func(w io.Writer) error {
		return matrixfile.Write(name, w, matrixfile.Header{Type: a.Kind, Rows: a.rows, Cols: a.cols}, a.Raw)
	})
}
