package conformance

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "roclua/hip/cpu"
	"roclua/host"
	"roclua/tests/leaks"
)

var folder = flag.String("conformance.scenarios", "", "folder with config.toml and the bundled scenarios")

// reported is a case of a report, with the values that must be equal for the model and the library.
type reported struct {
	ID, Scenario, Scheme, Outcome, Skipped string
	Tags                                   []string
	Metrics                                []struct {
		Name  string
		Value any
	}
	Checks []struct {
		Text, Have, Want string
		Passed           bool
	}
	Error *struct{ Message string }
}

// TestScenarios runs the bundled scenarios on the library and on the model. Without a GPU the kernels compute nothing,
// so it omits scenarios that check numbers. It also omits scenarios that measure times, and scenarios about hazards,
// because only the simulated device reports them.
func TestScenarios(t *testing.T) {
	if *folder == "" {
		t.Skip("-conformance.scenarios is not set")
	}
	library, _, closeBoth := pair(t, 64<<30)
	profile, arch := library.Profile.Name, library.Runtime.Device().Properties().Arch
	closeBoth()
	arch, _, _ = strings.Cut(arch, ":")
	t.Chdir(*folder)
	have := report(t, "--platform", "amd", "--isolation", "case")
	want := report(t, "--platform", "cpu", "--profile", profile, "--arch", arch)
	compared := 0
	for i, c := range have {
		has := func(tag string) bool { return slices.Contains(c.Tags, tag) }
		if findStub() != nil && has("numbers") || has("hazards") || has("times") || c.Outcome == "skipped" {
			continue
		}
		compared++
		if w := want[i]; summary(c) != summary(w) {
			t.Errorf("%s: the library\n%s\nthe model\n%s", c.ID, summary(c), summary(w))
		}
	}
	t.Logf("%d of %d cases compared", compared, len(have))
	if compared == 0 || len(have) != len(want) {
		t.Errorf("%d cases on the library, %d on the model", len(have), len(want))
	}
}

func summary(c reported) string {
	text := fmt.Sprintf("%s %s %s %v\n", c.Scenario, c.Scheme, c.Outcome, c.Metrics)
	for _, check := range c.Checks {
		text += fmt.Sprintf("  %v %s %s %s\n", check.Passed, check.Text, check.Have, check.Want)
	}
	if c.Error != nil {
		text += c.Error.Message
	}
	return text
}

func report(t *testing.T, args ...string) []reported {
	t.Helper()
	var out bytes.Buffer
	env := host.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 1}
	host.Main(append([]string{"run", "--out", "json", "--jobs", "1"}, args...), env)
	var doc struct{ Cases []reported }
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return doc.Cases
}

// TestMain lets the test binary act as its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(host.Main(os.Args[1:], host.OSEnv()))
	}
	flag.Parse()
	leaks.Main(m)
}
