package matrixfile_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/luabind/matrixfile"
)

// bytesOf returns the size of the elements.
func bytesOf(h matrixfile.Header) int {
	size := map[string]int{"s": 4, "d": 8, "c": 8, "z": 16, "f16": 2, "i8": 1, "i32": 4, "i64": 8}[h.Type]
	return h.Rows * h.Cols * size
}

// read reads a file from memory.
func read(name, text string) (matrixfile.Header, []byte, error) {
	r, err := matrixfile.NewReader(name, strings.NewReader(text))
	if err != nil {
		return matrixfile.Header{}, nil, err
	}
	data := make([]byte, bytesOf(r.Header))
	return r.Header, data, r.Read(data)
}

// npy returns a file of NumPy as numpy.save writes it.
func npy(dictionary string, elements ...any) string {
	text := bytes.NewBufferString("\x93NUMPY\x01\x00")
	header := dictionary + strings.Repeat(" ", 63-(10+len(dictionary))%64) + "\n"
	binary.Write(text, binary.LittleEndian, uint16(len(header)))
	text.WriteString(header)
	for _, v := range elements {
		binary.Write(text, binary.LittleEndian, v)
	}
	return text.String()
}

// TestRead reads small files of every kind.
func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		file, text string
		want       string // the type, the shape, and the elements by columns
	}{
		"by rows": {"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
			1.0, 2.0, 3.0, 4.0, 5.0, 6.0), "d 2x3 [1 4 2 5 3 6]"},
		"by columns": {"a.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", 1.0, 2.0, 3.0, 4.0),
			"d 2x2 [1 2 3 4]"},
		"vector": {"a.NPY", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 1.0, 2.0, 3.0),
			"d 3x1 [1 2 3]"},
		"scalar": {"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 7.0), "d 1x1 [7]"},
		"empty":  {"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4), }"), "d 0x4 []"},
		"version": {"a.npy", "\x93NUMPY\x02\x00\x37\x00\x00\x00{'descr':'<f8','fortran_order':False,'shape':(1,)}" +
			"    \n\x00\x00\x00\x00\x00\x00\xf0\x3f", "d 1x1 [1]"},
		"array": {"a.mtx", "%%MatrixMarket matrix array real general\n% comment\n\n2 2\n1\n2\n3e0\n-4\n",
			"d 2x2 [1 2 3 -4]"},
		"coordinates": {"a.mtx", "%%MatrixMarket MATRIX coordinate integer general\n2 3 2\n2 3 5\n1 1 -1",
			"d 2x3 [-1 0 0 0 0 5]"},
		"pattern":   {"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "d 2x2 [0 1 1 0]"},
		"symmetric": {"a.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", "d 2x2 [1 2 2 3]"},
		"skew":      {"a.mtx", "%%MatrixMarket matrix array real skew-symmetric\n2 2\n2\n", "d 2x2 [0 2 -2 0]"},
		"hermitian": {"a.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n",
			"z 2x2 [1 0 2 3 2 -3 0 0]"},
		"overflow": {"a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1e999\n", "d 1x1 [+Inf]"},
	} {
		h, data, err := read(test.file, test.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		values := make([]float64, len(data)/8)
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		if have := fmt.Sprintf("%s %dx%d %v", h.Type, h.Rows, h.Cols, values); have != test.want {
			t.Errorf("%s: have %s, want %s", name, have, test.want)
		}
	}
}

// TestRefused reads files that are wrong, too short or too large.
func TestRefused(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, test := range []struct{ file, text, want string }{
		{"a.txt", "", "a.txt: the name of a matrix file ends with .npy or .mtx"},
		{"a.npy", "PK\x03\x04 zipped", "does not start with"},
		{"a.npy", "", "does not start with"},
		{"a.npy", npy("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }"), `type ">f8"; want one of <c16 <c8`},
		{"a.npy", npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }"),
			"its elements have fields"},
		{"a.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"), `type "|O"`},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }"), "want one or two dimensions"},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"), "want one or two dimensions"},
		{"a.npy", npy("{'descr': '<f8', 'shape': (1,), }"), "no fortran_order"},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 1.0), "ends too early"},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 1.0), "ends too early"},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 1.0, 2.0), "more bytes than"},
		{"a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1048576, 1099511627776), }"), "do not fit"},
		{"a.npy", "\x93NUMPY\x02\x00\xff\xff\xff\x7f", "header has 2147483647 bytes"},
		{"a.npy", "\x93NUMPY\x01\x00\x40\x00{", "ends too early"},
		{"a.mtx", "1 2 3", "does not start with %%MatrixMarket"},
		{"a.mtx", "%%MatrixMarket matrix sparse real general\n", `line 1: "sparse" is not one of coordinate array`},
		{"a.mtx", head + "2 2\n", "line 2: want 3 numbers"},
		{"a.mtx", head + "2 2 x\n", `line 2: "x" is not a number`},
		{"a.mtx", head + "2 2 1\n3 1 1\n", "line 3: row 3 and column 1 are not in a matrix of 2 x 2"},
		{"a.mtx", head + "2 2 1\n1 1\n", "line 3: has 0 values, a real matrix has 1"},
		{"a.mtx", head + "2 2 1\n1 1 one\n", `line 3: "one" is not a number`},
		{"a.mtx", head + "2 2 2\n1 1 1\n", "ends too early"},
		{"a.mtx", head + "2 2 1\n1 1 1\n2 2 2\n", "line 4: the file has more entries"},
		{"a.mtx", head + strings.Repeat("%", 5000) + "\n", "line 2: has more than 4096 bytes"},
		{"a.mtx", head + strings.Repeat("%", 100_000), "line 2: has more than 4096 bytes"},
		{"a.mtx", head + "9999999999999 2 1\n", "do not fit"},
		{"a.mtx", "%%MatrixMarket matrix array real symmetric\n2 3\n",
			"a symmetric matrix is square, this one is 2 x 3"},
	} {
		if _, _, err := read(test.file, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q: %v, want %q", test.text, err, test.want)
		}
	}
}

// TestWritten reads again what Write wrote.
func TestWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 1))
	for _, ext := range []string{".npy", ".mtx"} {
		for _, h := range []matrixfile.Header{{"d", 3, 2}, {"z", 2, 3}, {"d", 0, 3}, {"s", 5, 1}, {"c", 2, 2},
			{"i32", 4, 4},
			{"i64", 1, 9}, {"i8", 3, 3}, {"f16", 2, 5}, {"bf16", 1, 1}} {
			data := make([]byte, bytesOf(h))
			for i := 0; i+8 <= len(data); i += 8 {
				binary.LittleEndian.PutUint64(data[i:], math.Float64bits(r.NormFloat64()))
			}
			var file bytes.Buffer
			err := matrixfile.Write("a"+ext, &file, h, data)
			if refused := h.Type == "bf16" || ext == ".mtx" && h.Type != "d" && h.Type != "z"; refused {
				if err == nil || !strings.Contains(err.Error(), "type") {
					t.Errorf("%s %v: %v", ext, h, err)
				}
				continue
			}
			have, elements, readErr := read("b"+ext, file.String())
			if err != nil || readErr != nil || have != h || !bytes.Equal(elements, data) {
				t.Errorf("%s %v: %v, %v, read %v", ext, h, err, readErr, have)
			}
		}
	}
}

// FuzzRead reads any file. Its header decides how much memory it gets, and no more than the matrix has is written.
func FuzzRead(f *testing.F) {
	f.Add(true, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", 1.0, 2.0))
	f.Add(true, "\x93NUMPY\x02\x00\xff\xff\xff\x7f")
	f.Add(false, "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 2 3\n")
	f.Add(false, "%%MatrixMarket matrix array real skew-symmetric\n2 2\n1\n")
	f.Fuzz(func(t *testing.T, binary bool, text string) {
		name := "a.mtx"
		if binary {
			name = "a.npy"
		}
		r, err := matrixfile.NewReader(name, strings.NewReader(text))
		if err != nil || r.Rows*r.Cols > 1<<20 {
			return
		}
		if r.Rows < 0 || r.Cols < 0 || bytesOf(r.Header) < 0 {
			t.Fatalf("%+v", r.Header)
		}
		r.Read(make([]byte, bytesOf(r.Header)))
	})
}
