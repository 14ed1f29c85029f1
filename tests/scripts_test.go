package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/host"
	"roclua/host/config"
)

// TestDefaultRun runs config.toml: every documented example under every scheme on the default release and, without
// -short, one in nine cases of the others. With -all it runs every release. Each case is a subtest.
func TestDefaultRun(t *testing.T) {
	t.Chdir("..")
	if *all {
		runDefault(t, 450)
		return
	}
	runDefault(t, 150, "--profile", release.Default().Name)
	if testing.Short() {
		return
	}
	others := slices.DeleteFunc(release.Names(), func(name string) bool { return name == release.Default().Name })
	const share = 9
	if common(len(others), share) { // the releases follow each other in the plan
		t.Errorf("one in %d cases does not have each of %d releases", share, len(others))
	}
	runDefault(t, 150*len(others)/share, "--profile", strings.Join(others, ","), "--shard", fmt.Sprintf("1/%d", share))
}

// TestArchitectures runs one in nine cases of config.toml on the default release, on one architecture for each distinct
// set of facts: most cases on one of them. With -all it runs every release on every architecture, and once for
// each set of facts also the scenarios that measure times. TestDefaultRun covers the default architecture.
func TestArchitectures(t *testing.T) {
	if testing.Short() {
		t.Skip("TestDefaultRun runs the same scripts")
	}
	t.Chdir("..")
	var distinct, known []string
	seen := []arch.Arch{facts(arch.Default())}
	for _, name := range arch.Names() {
		a := arch.Of(name)
		f := facts(a)
		switch {
		case !slices.ContainsFunc(seen, func(other arch.Arch) bool { return reflect.DeepEqual(f, other) }):
			distinct = append(distinct, a.Name)
			seen = append(seen, f)
		case !a.Default:
			known = append(known, a.Name)
		}
	}
	untimed := []string{"--blas", "go", "--skip-tags", "times"}
	if *all {
		runDefault(t, 450*len(distinct), "--blas", "go", "--arch", strings.Join(distinct, ","))
		runDefault(t, 450*len(known), append(untimed, "--arch", strings.Join(known, ","))...)
		return
	}
	const share = 9
	if common(len(distinct), share) { // the architectures follow each other in the plan
		t.Errorf("one in %d cases does not have each of %d architectures", share, len(distinct))
	}
	runDefault(t, 150*len(distinct)/share, append(untimed, "--arch", strings.Join(distinct, ","),
		"--profile", release.Default().Name, "--shard", fmt.Sprintf("1/%d", share))...)
}

// common reports whether two numbers have a common divisor.
func common(a, b int) bool {
	for b != 0 {
		a, b = b, a%b
	}
	return a > 1
}

// facts returns the properties of an architecture in the model, without its identity, and without Scan, on which only
// sizes of csrrf_* depend: TestNoScriptScans checks that no bundled script needs them.
func facts(a *arch.Arch) arch.Arch {
	f := *a
	f.Name, f.Default, f.Chip = "", false, arch.Chip{}
	f.Scan, f.ScanFor = arch.Scan{}, nil
	return f
}

// TestNoScriptScans fails if a bundled script calls csrrf_*. TestArchitectures must then run scripts for each Scan.
func TestNoScriptScans(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../scripts", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lua" {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "csrrf") {
			t.Errorf("%s calls csrrf: compare Scan in facts", path)
		}
		return err
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}

// mostLines is the largest number of lines of the text about a run of config.toml that passes: one screen.
const mostLines = 60

// runDefault runs config.toml with flags and checks the cases, each in a subtest, and the length of the report.
func runDefault(t *testing.T, atLeast int, flags ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	text := filepath.Join(t.TempDir(), "report.txt")
	code := host.Main(append([]string{"run", "--out", "json", "--out", "text=" + text, "--quiet"}, flags...),
		testEnv(&stdout, &stderr))
	var report struct {
		Cases []struct {
			ID, Outcome, Skipped string
			Checks               []struct {
				Text, Where, Have, Want string
				Passed                  bool
			}
			Problems []string
			Error    *struct{ Message string }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", code, err, stderr.String())
	}
	for _, c := range report.Cases {
		t.Run(c.ID, func(t *testing.T) {
			if c.Outcome == "skipped" {
				t.Skip(c.Skipped)
			}
			for _, check := range c.Checks {
				if !check.Passed {
					t.Errorf("%s: %s: have %s, want %s", check.Where, check.Text, check.Have, check.Want)
				}
			}
			for _, p := range c.Problems {
				t.Error(p)
			}
			if c.Error != nil {
				t.Error(c.Error.Message)
			}
			if c.Outcome != "passed" && !t.Failed() {
				t.Errorf("outcome %s", c.Outcome)
			}
		})
	}
	if code != 0 || len(report.Cases) < atLeast {
		t.Errorf("exit %d with %d cases", code, len(report.Cases))
	}
	shown, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(shown, []byte("\n")); code == 0 && n > mostLines {
		t.Errorf("the report has %d lines, want at most %d:\n%s", n, mostLines, shown)
	}
}

// TestDocumentedDefaults compares the defaults in the comments of config.toml with the program's defaults.
func TestDocumentedDefaults(t *testing.T) {
	text, err := os.ReadFile("../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	d := config.Default()
	for _, documented := range []string{
		fmt.Sprintf("--seed. Default %d.", d.Seed),
		fmt.Sprintf("--jobs. Default %d.", d.Jobs),
		fmt.Sprintf("--isolation. Default %q.", d.Isolation),
		fmt.Sprintf("--sandbox. Default %q.", d.Sandbox),
		fmt.Sprintf("--limit-instructions. Default %d.", d.Limits.Instructions),
		fmt.Sprintf("--limit-heap. Default \"%dGiB\".", d.Limits.Heap>>30),
		fmt.Sprintf("--limit-output. Default \"%dMiB\".", d.Limits.Output>>20),
		fmt.Sprintf("--limit-device-memory. Default %d.", d.Limits.DeviceMemory),
		fmt.Sprintf("--timeout. Default %q.", fmt.Sprintf("%.0fs", time.Duration(d.Limits.Timeout).Seconds())),
	} {
		if !bytes.Contains(text, []byte(documented)) {
			t.Errorf("config.toml does not document %q", documented)
		}
	}
}
