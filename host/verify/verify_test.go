//go:build unix

package verify_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/amd"
	_ "roclua/hip/cpu"
	"roclua/hip/dl/dltest"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/verify"
	"roclua/workspace"
)

// libraryVariable is set in the process that runs the libraries. It names the kinds that are compared.
const libraryVariable = "ROCLUA_TEST_LIBRARY"

// TestMain lets the test program be the process that runs the libraries.
func TestMain(m *testing.M) {
	if kinds := os.Getenv(libraryVariable); kinds != "" {
		o, err := find(kinds)
		if err == nil {
			err = verify.Serve(o, os.Stdin, os.NewFile(3, "replies"))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// find finds the libraries of the test, for both processes.
func find(kinds string) (o verify.Options, err error) {
	o.Library = hip.Probe(verify.Platform, driver.Config{Devices: 1})
	if o.Library.Problem != "" {
		return o, errors.New(o.Library.Problem)
	}
	name, _ := workspace.ProfileOfLibrary(o.Library.Version, o.Library.Solver)
	o.Profile, err = workspace.FindProfile(name)
	for _, name := range []string{"sscal", "dscal", "cscal", "zscal"} { // the last one is missing
		r, ok := routine.Lookup("rocblas_" + name)
		if !ok {
			return o, errors.New(name)
		}
		o.Routines = append(o.Routines, r)
	}
	for _, k := range strings.Split(kinds, ",") {
		o.Kinds = append(o.Kinds, verify.Kind(k))
	}
	o.Layers, o.Devices = routine.HipSOLVER.Routines(), 1
	o.Compare, o.Seed, o.Count, o.Command = true, 1, 200, "roclua verify"
	return o, err
}

// fakeROCm returns a folder with the libraries of testdata/fake.c.
func fakeROCm(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("testdata/fake.c")
	if err != nil {
		t.Fatal(err)
	}
	shared, folder := dltest.Compile(t, string(source)), t.TempDir()
	for _, name := range []string{"libamdhip64.so.7", "librocblas.so.5", "librocsolver.so.0"} {
		if err := os.Symlink(shared, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	return folder
}

// options finds the libraries of the test. A process keeps the libraries that it opened first.
func options(t *testing.T, kinds string) verify.Options {
	t.Helper()
	t.Setenv(amd.EnvPath, fakeROCm(t))
	o, err := find(kinds)
	if err != nil {
		t.Fatal(err)
	}
	o.Process = func(ctx context.Context) (*exec.Cmd, error) {
		c := exec.CommandContext(ctx, os.Args[0])
		c.Env = append(os.Environ(), libraryVariable+"="+kinds)
		return c, nil
	}
	return o
}

const single = "queries,calls"

// TestVerify compares the model with libraries that have one correct function, one that returns another status, one
// that ends the process, and one missing.
func TestVerify(t *testing.T) {
	o := options(t, single)
	var recorded bytes.Buffer
	o.Recorder = verify.NewRecorder(&recorded)
	r, err := verify.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]int{}
	for _, d := range r.Differences {
		functions[d.Function]++
		ok := strings.HasPrefix(d.Model, "invalid_pointer") && strings.HasPrefix(d.Library, "success") &&
			strings.Contains(d.Operation, "x=null")
		if d.Function == "rocblas_cscal" {
			ok = strings.Contains(d.Library, "the process ended: SIGABRT")
		}
		if !ok {
			t.Errorf("%+v", d)
		}
		alone := o
		alone.Only, alone.Recorder = d.Case, nil
		one, err := verify.Run(t.Context(), alone)
		if err != nil || len(one.Differences) != 1 || one.Differing() != 1 {
			t.Fatalf("only case %d: %v, %v", d.Case, one, err)
		}
		if have := one.Differences[0]; have.Operation != d.Operation || have.Model != d.Model ||
			have.Library != d.Library {
			t.Errorf("only case %d: %+v, want %+v", d.Case, have, d)
		}
		var text strings.Builder
		if write(one, &text, "text"); !strings.Contains(text.String(), "\nrocblas_create_handle\n  both: ") ||
			!strings.Contains(text.String(), fmt.Sprintf("\n%s\n  the model:   %s\n  the library: %s\n", d.Operation,
				d.Model, d.Library)) {
			t.Errorf("only case %d:\n%s", d.Case, text.String())
		}
	}
	if functions["rocblas_sscal"]+functions["rocblas_zscal"] > 0 || functions["rocblas_cscal"] == 0 ||
		functions["rocblas_dscal"] == 0 || len(r.Differences) > 6 || r.Differing() <= len(r.Differences) {
		t.Errorf("%d differences, shown are %v", r.Differing(), functions)
	}
	for format, want := range map[string]string{"text": "200 size queries: 150 agree, 50 not compared, the library",
		"markdown": "* roclua verify --only ",
		"html":     `<td>scal</td><td class="number">150</td>`,
		"json":     `"differing": `, "csv": "queries,scal,150,0,0,50,0,0", "junit": `<failure message="`,
		"tap": "not ok 2 - scal", "github": "::error title=rocblas_"} {
		var b bytes.Buffer
		if err := write(r, &b, format); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v: %s", err, b.String())
		}
	}
	checkRecorded(t, &recorded)
}

// TestMissingLayer compares functions of hipSOLVER without the library.
func TestMissingLayer(t *testing.T) {
	o := options(t, "layers")
	_, err := verify.Run(t.Context(), o)
	if exit.Of(err) != exit.Unavailable || !strings.Contains(fmt.Sprint(err), "install lib") {
		t.Errorf("exit code %d: %v; want %d and what to install", exit.Of(err), err, exit.Unavailable)
	}
}

// TestOtherMemory compares libraries whose new handles hold more memory: one difference that hides no other.
func TestOtherMemory(t *testing.T) {
	o := options(t, single)
	t.Setenv("FAKE_MEMORY", "64")
	r, err := verify.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]int{}
	for _, d := range r.Differences {
		functions[d.Function] += d.Times
	}
	if len(r.Differences) == 0 || functions["rocblas_create_handle"] == 0 || functions["rocblas_dscal"] == 0 ||
		functions["rocblas_cscal"] == 0 || functions["rocblas_sscal"] > 0 {
		t.Errorf("%v", functions)
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		ofHandle := d.Model == "success, the handle holds 33554432" && d.Library == "success, the handle holds 67108864"
		if ofHandle != (d.Function == "rocblas_create_handle") {
			t.Errorf("%+v", d)
		}
	}
	var b bytes.Buffer
	if err := write(r, &b, "junit"); err != nil || !strings.Contains(b.String(), "new handles") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// write writes a report in a format.
func write(r *verify.Report, w io.Writer, format string) error {
	return output.Write([]output.Output{{Format: format}}, r, output.Destination{Stdout: w})
}

// checkRecorded checks the recorded rows: 150 queries, and the calls that returned.
func checkRecorded(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	queries, calls := 0, 0
	for lines := bufio.NewScanner(b); lines.Scan(); {
		var row struct {
			Fn     string
			Args   map[string]int
			Null   []string
			Status string
			Bytes  *uint64
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		_, n := row.Args["n"]
		switch {
		case !n || row.Status == "" || row.Fn == "rocblas_zscal":
			t.Errorf("%s", lines.Text())
		case row.Bytes != nil && *row.Bytes == 0 && row.Status == "size_unchanged":
			queries++
		case row.Null != nil:
			calls++
		}
	}
	if queries != 150 || calls < 100 || calls >= 150 {
		t.Errorf("%d queries and %d calls", queries, calls)
	}
}

// TestRecordUnmodelled records results without a comparison.
func TestRecordUnmodelled(t *testing.T) {
	o := options(t, single)
	var recorded bytes.Buffer
	o.Compare, o.Recorder = false, verify.NewRecorder(&recorded)
	r, err := verify.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	write(r, &text, "text")
	if r.Differing() != 0 || len(r.Differences) != 0 || !strings.Contains(text.String(), "150 recorded") {
		t.Errorf("%d differences\n%s", r.Differing(), text.String())
	}
	checkRecorded(t, &recorded)
}

// TestInterrupted ends a comparison.
func TestInterrupted(t *testing.T) {
	o := options(t, single)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Run(ctx, o); err != context.Canceled {
		t.Error(err)
	}
}
