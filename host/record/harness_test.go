//go:build linux && amd64

package record

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"roclua/hip/function"
	"roclua/host/recording"
	"roclua/internal/ccompile"
)

// compiled has the commands that have made a file, so that tests with the same one share it.
var compiled = map[string]bool{}

// compile compiles C code to a file of a folder and returns its path. It skips the test without a compiler.
func compile(t testing.TB, folder, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(ccompile.Compiler); err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	path := filepath.Join(folder, name)
	c := exec.Command(ccompile.Compiler, append([]string{"-O1", "-w", "-o", path}, args...)...)
	if compiled[c.String()] {
		return path
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	compiled[c.String()] = true
	return path
}

var (
	fakeOnce   sync.Once
	fakeFolder string
)

func TestMain(m *testing.M) {
	code := m.Run()
	if fakeFolder != "" {
		os.RemoveAll(fakeFolder)
	}
	os.Exit(code)
}

// fake returns a folder with libfake.so, libraries whose calls do nothing, libcopy.so, another copy, and libfakehip.so.
func fake(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath(ccompile.Compiler); err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	fakeOnce.Do(func() {
		fakeFolder, _ = os.MkdirTemp("", "roclua-fake-")
		compile(t, fakeFolder, "libfakehip.so", "-shared", "-fPIC", "-DHIP", "-Wl,-soname,libfakehip.so",
			"testdata/fake.c")
		for name, n := range map[string]string{"libfake.so": "1000", "libcopy.so": "2000"} {
			compile(t, fakeFolder, name, "-shared", "-fPIC", "-DCOPY="+n, `-DVERSION="4.4.1"`, "-Wl,-soname,"+name,
				"testdata/fake.c", "-L"+fakeFolder, "-lfakehip", "-Wl,-rpath,"+fakeFolder)
		}
	})
	return fakeFolder
}

// linked compiles a program that is linked with libfake.so.
func linked(t testing.TB, source string, args ...string) string {
	folder := fake(t)
	name := strings.TrimSuffix(filepath.Base(source), ".c") + fmt.Sprintf("-%x", hash(strings.Join(args, " ")))
	return compile(t, folder, name, append([]string{"testdata/" + source, "-L" + folder, "-lfake", "-lfakehip",
		"-Wl,-rpath," + folder, "-lpthread", "-ldl"}, args...)...)
}

// outcome is the output of a program and its recording.
type outcome struct {
	*Result
	stdout, stderr string
}

// runRecorded records a command in a new folder.
func runRecorded(t testing.TB, command ...string) outcome {
	t.Helper()
	return runRequest(t, Request{Command: command})
}

func runRequest(t testing.TB, r Request) outcome {
	t.Helper()
	fake(t)
	var stdout, stderr bytes.Buffer
	if r.File == "" {
		r.File = filepath.Join(t.TempDir(), "app.rec")
	}
	if r.Environ == nil {
		r.Environ = os.Environ()
	}
	r.Stdout, r.Stderr = &stdout, &stderr
	result, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{result, stdout.String(), stderr.String()}
}

// calls reads the outermost calls in a recording.
func calls(t testing.TB, file string) []*recording.Call {
	t.Helper()
	f, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list := slices.Collect(f.Calls())
	if len(f.Problems) > 0 {
		t.Fatalf("%s: %q", file, f.Problems)
	}
	return list
}

// line describes a call: handle, stream, device, arguments, results and status.
func line(c *recording.Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s h%d s%d d%d", strings.TrimPrefix(c.Name, "roc"), c.Handle, c.Stream, c.Device)
	for i, v := range c.Args {
		r, isResult := c.Result(i)
		switch {
		case v.Null:
			b.WriteString(" null")
		case isResult && v.Letter != function.NewMemory:
			fmt.Fprintf(&b, " =%d", r)
		case v.Letter == function.Scalar && v.Int != 0:
			b.WriteString(" [device]")
		case v.Letter == function.Scalar:
			fmt.Fprintf(&b, " [%x]", v.Scalar)
		case v.Letter == function.Float, v.Letter == function.Double:
			fmt.Fprintf(&b, " %g", v.Real)
		case v.Letter == function.Pointer, v.Letter == function.Address, v.Letter == function.NewMemory:
			b.WriteString(" p")
		default:
			fmt.Fprintf(&b, " %d", v.Int)
		}
	}
	fmt.Fprintf(&b, " -> %d", c.Status)
	if c.Waits > 0 {
		fmt.Fprintf(&b, " waits %d", c.Waits)
	}
	if c.Copies > 0 {
		fmt.Fprintf(&b, " copies %d", c.Copies)
	}
	for _, inner := range c.Inside {
		b.WriteString("\n    " + line(inner))
	}
	return b.String()
}

// lines describes calls.
func lines(list []*recording.Call) string {
	var all []string
	for _, c := range list {
		all = append(all, line(c))
	}
	return strings.Join(all, "\n")
}
