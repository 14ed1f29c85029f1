package size_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"roclua/host/output"
	"roclua/host/size"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// queries are requests; testdata has their outputs in all formats.
var queries = map[string]size.Request{
	"one_call":    {Calls: []string{"dgetrf m=1024 n=1024"}},
	"no_memory":   {Calls: []string{"dgemm m=1 n=1 k=1"}},
	"none_of_two": {Calls: []string{"dgemm m=1 n=1 k=1", "dgetrf m=8 n=8"}},
	"second_decides": {Calls: []string{"dtrsm side=left uplo=upper m=300 n=300",
		"dtrsm side=left uplo=upper m=1024 n=1024", "rocblas_strtri uplo=upper n=63"}},
	"targets": {Calls: []string{"dgetrs n=64 nrhs=1", "dgetrf m=5000 n=5000"},
		Profiles: []string{"rocm-6.4", " rocm-7.1", "rocm-7.2"}, Archs: []string{"gfx90a", "gfx942", "gfx90a "}},
	"sweep":         {Calls: []string{"dgetrf m=n n=n"}, Sweeps: []string{"n=64:512:x2"}},
	"sweep_choices": {Calls: []string{"dgemv m=65536 n=4"}, Sweeps: []string{"trans=none,T"}},
	"sweep_two_axes": {Calls: []string{"rocblas_strtri", "dgetrf m=n n=n"}, Profiles: []string{"rocm-6.4", "rocm-7.2"},
		Sweeps: []string{"uplo=upper,lower", "n=63:66"}},
	"sweep_falls_eight": {Calls: []string{"rocblas_strtri uplo=upper n=64"}, Sweeps: []string{"diag=unit,non_unit",
		"n=63,64,64,63,127,128,255,256,511,512"}},
	"sweep_falls_often": {Calls: []string{"rocblas_strtri uplo=upper"}, Profiles: []string{"rocm-6.4", "rocm-7.2"},
		Sweeps: []string{"n=63,64,127,128,255,256,511,512,1023,1024"}},
	"unknown": {Calls: []string{"gemm_ex m=8 n=8 k=8 a_type=bf16 compute_type=f32", "dgetrf m=64 n=64"}},
	"unknown_bounded": {Calls: []string{"gemm_ex m=8 n=8 k=8 a_type=bf16 compute_type=f32", "dgetrf m=64 n=64"},
		Unknown: "1M"},
	"unknown_sweep": {Calls: []string{"gemm_ex m=n n=n k=n a_type=f16 compute_type=f32"}, Sweeps: []string{"n=8,16"}},
	"sweep_refused": {Calls: []string{"rocblas_dtrtri uplo=upper", "dgetrf"},
		Sweeps: []string{"m=-1:1", "n=64,1073741824"}},
}

// query checks a request. The default target is rocm-7.2 on gfx90a.
func query(t *testing.T, r size.Request) *size.Query {
	t.Helper()
	if r.Profiles == nil {
		r.Profiles = []string{"rocm-7.2"}
	}
	if r.Archs == nil {
		r.Archs = []string{"gfx90a"}
	}
	q, err := size.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// write writes a query in a format.
func write(q *size.Query, w io.Writer, format string) error {
	f, _ := output.Find(format)
	return f.Write(w, q)
}

// formats are the formats of sizes.
var formats = []string{"text", "json", "csv", "markdown"}

// TestOutputs compares all formats with testdata, which -update rewrites.
func TestOutputs(t *testing.T) {
	for name, request := range queries {
		q := query(t, request)
		var have bytes.Buffer
		for _, format := range formats {
			fmt.Fprintf(&have, "-- %s --\n", format)
			if err := write(q, &have, format); err != nil {
				fmt.Fprintf(&have, "error: %v\n", err)
			}
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, have.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(have.Bytes(), want) {
			t.Errorf("differs from %s (%v):\n%s", path, err, &have)
		}
	}
}

// limited is a writer that fails after a number of bytes.
type limited struct{ left int }

var errFull = errors.New("full")

func (w *limited) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestFailedWrites checks that every format returns write errors.
func TestFailedWrites(t *testing.T) {
	for name, request := range queries {
		q := query(t, request)
		for _, format := range formats {
			var all bytes.Buffer
			if write(q, &all, format) != nil {
				continue
			}
			for _, left := range []int{0, all.Len() / 3, all.Len() / 2, all.Len() - 2, all.Len() - 1} {
				if err := write(q, &limited{left}, format); !errors.Is(err, errFull) {
					t.Fatalf("%s, %s: %v after %d of %d bytes", name, format, err, left, all.Len())
				}
			}
			if err := write(q, &limited{all.Len()}, format); err != nil {
				t.Errorf("%s, %s: %v", name, format, err)
			}
		}
	}
}
