//go:build unix

package verify_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/amd"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/verify"
	"roclua/host/worker"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// TestMain lets the test program be its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		if err := worker.Serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// scal are the functions of the test's libraries, and one missing function.
func scal(t *testing.T) []*routine.Routine {
	t.Helper()
	var list []*routine.Routine
	for _, name := range []string{"sscal", "dscal", "cscal", "zscal"} {
		r, ok := routine.Lookup("rocblas_" + name)
		if !ok {
			t.Fatal(name)
		}
		list = append(list, r)
	}
	return list
}

// options finds the libraries of the test. The process keeps the libraries that it opened first.
func options(t *testing.T) verify.Options {
	t.Helper()
	t.Setenv(amd.EnvPath, fakeROCm(t))
	found := hip.Probe(verify.Platform, driver.Config{Devices: 1})
	if found.Problem != "" {
		t.Fatal(found.Problem)
	}
	profile, err := workspace.FindProfile(workspace.ProfileOfLibrary(found.Version))
	if err != nil {
		t.Fatal(err)
	}
	pool := worker.NewPool(nil)
	t.Cleanup(pool.Close)
	return verify.Options{Pool: pool, Library: found, Profile: profile, Compare: true, Routines: scal(t), Seed: 1,
		Count: 200, Kinds: []verify.Kind{verify.Queries, verify.Calls}}
}

// runScript runs a script on the libraries and returns what it printed, and how its process ended.
func runScript(t *testing.T, o verify.Options, script string) (log, ended string) {
	t.Helper()
	q := o.Pool.NewQueue(nil)
	defer q.Close()
	q.Send(&worker.Job{ID: "x", Script: "x.lua", Source: []byte(script),
		Target: config.Target{Platform: verify.Platform, Profile: o.Profile.Name}, Sandbox: bounds.SandboxStrict})
	r := q.Next(context.Background())
	if r.End != nil {
		ended = r.End.Message
	}
	return r.Log, ended
}

// TestVerify compares the model with libraries that have one correct function, one that returns another status, one
// that ends the process, and one missing.
func TestVerify(t *testing.T) {
	o := options(t)
	var recorded bytes.Buffer
	o.Recorder = verify.NewRecorder(&recorded, "x.jsonl")
	r, err := verify.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]int{}
	for _, d := range r.Differences {
		functions[d.Function]++
		log, ended := runScript(t, o, d.Script)
		switch d.Function {
		case "rocblas_dscal":
			if !strings.HasPrefix(d.Model, "invalid_pointer") || !strings.HasPrefix(d.Library, "success") ||
				strings.Count(log, "rocblas_status_success") != strings.Count(log, "rocblas_status_") {
				t.Errorf("%+v\nprinted %s", d, log)
			}
		case "rocblas_cscal":
			if !strings.Contains(d.Library, "SIGABRT") || !strings.Contains(ended, "SIGABRT") {
				t.Errorf("%+v\nended %s", d, ended)
			}
		}
	}
	if functions["rocblas_sscal"]+functions["rocblas_zscal"] > 0 || functions["rocblas_cscal"] == 0 ||
		functions["rocblas_dscal"] == 0 || len(r.Differences) > 6 || r.Differing() <= len(r.Differences) {
		t.Errorf("%d differences, scripts of %v", r.Differing(), functions)
	}
	for format, want := range map[string]string{"text": "200 size queries: 150 agree, 50 not compared, the library",
		"markdown": "```lua\nlocal rocblas = require \"rocblas\"\n",
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
	o := options(t)
	o.Kinds, o.Layers = []verify.Kind{verify.Layers}, routine.HipSOLVER.Routines()
	_, err := verify.Run(context.Background(), o)
	if exit.Of(err) != exit.Unavailable || !strings.Contains(fmt.Sprint(err), "install lib") {
		t.Errorf("exit code %d: %v; want %d and what to install", exit.Of(err), err, exit.Unavailable)
	}
}

// TestOtherMemory compares libraries whose new handles hold more memory: one difference that hides no other.
func TestOtherMemory(t *testing.T) {
	o := options(t)
	t.Setenv("FAKE_MEMORY", "64")
	r, err := verify.Run(context.Background(), o)
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
	o := options(t)
	var recorded bytes.Buffer
	o.Compare, o.Recorder = false, verify.NewRecorder(&recorded, "x.jsonl")
	r, err := verify.Run(context.Background(), o)
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
	o := options(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := verify.Run(ctx, o); err != context.Canceled {
		t.Error(err)
	}
}
