package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/release"
	"roclua/host"
)

// sweptCase has the parts of a reported case checked by the sweep.
type sweptCase struct {
	ID, Scenario, Scheme, Outcome, Log string
	Params                             map[string]any
	Metrics                            []struct{ Name string }
	Checks                             []struct {
		Text, Where, Have, Want string
		Passed                  bool
	}
	Problems []string
	Error    *struct{ Message, Kind string }
	HIP      struct{ Allocations, Injected int }
	Faults   []struct{ Call, Cause, Why string }
}

// sweep has the bundled scenarios, each wrapped by testdata/faults.lua, in a temporary folder.
type sweep struct {
	folder string
	names  []string // "solve.solve"
}

// newSweep wraps every scenario below scripts.
func newSweep(t *testing.T) *sweep {
	t.Helper()
	wrapper, err := os.ReadFile("testdata/faults.lua")
	if err != nil {
		t.Fatal(err)
	}
	s := &sweep{folder: t.TempDir()}
	files, err := filepath.Glob("../scripts/*/[^_]*.lua")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		if strings.Contains(filepath.ToSlash(file), "/load/") {
			continue // which allocation of a workload comes first depends on its clients
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "../scripts/"), ".lua")
		name = strings.ReplaceAll(name, "/", ".") // in the form for require
		text := bytes.ReplaceAll(wrapper, []byte("NAME"), []byte(name))
		s.names = append(s.names, name)
		if err := os.WriteFile(filepath.Join(s.folder, name+".lua"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// smaller has parameters that make scenarios faster but keep all kinds of their allocations.
var smaller = map[string]string{
	"solve.solve":          "n = 40",
	"solve.batched":        "n = 20, batch = 3",
	"solve.eigenvalues":    "n = 6, batch = 2",
	"solve.products":       "m = 7, n = 6, k = 8, batch = 2",
	"schemes.user_owned":   "n = 128",
	"schemes.manual":       "n = 256",
	"handles.many":         "handles = 6",
	"handles.per_stream":   "n = 64",
	"handles.small_device": "room = 3, each = 8388608",
}

// types has the additional axes of config.toml.
var types = map[string]string{
	"solve.solve":        `type = ["d", "s", "c", "z"]`,
	"query.minimum_size": `type = ["d", "s", "c", "z"]`,
}

// under is a scenario under a scheme.
type under struct{ scenario, scheme string }

// config returns a configuration that runs every scenario under every scheme on a release. nth has the allocations to
// fail, one in each case; nil fails none.
func (s *sweep) config(profile string, nth map[under][]int) string {
	library, err := filepath.Abs("../scripts")
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "library = [%q, %q]\n", library, filepath.Join(library, "graphs")) // with the modules of scenarios
	fmt.Fprintf(&b, "[[target]]\nprofile = %q\n", profile)
	scenario := func(name, axis string) {
		axes := strings.Trim(types[name]+", "+axis, ", ")
		fmt.Fprintf(&b, "[[scenario]]\nscript = \"%s.lua\"\nparams = { %s }\nmatrix = { %s }\n",
			name, smaller[name], axes)
	}
	for _, name := range s.names {
		if nth == nil {
			scenario(name, "")
		}
	}
	for u, list := range nth {
		text, _ := json.Marshal(list)
		scenario(u.scenario, fmt.Sprintf("\"faults.nth\" = %s", text))
		if u.scheme != "" {
			fmt.Fprintf(&b, "schemes = [%q]\n", u.scheme)
		}
	}
	return b.String()
}

// run runs a configuration.
func (s *sweep) run(t *testing.T, config string) (cases []sweptCase, code int) {
	t.Helper()
	path := filepath.Join(s.folder, "sweep.toml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	env := testEnv(&stdout, &stderr)
	code = int(host.Main([]string{"run", "--out", "json", "--quiet", path}, env))
	var report struct{ Cases []sweptCase }
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", code, err, stderr.String())
	}
	return report.Cases, code
}

// faultShare is n if one in n allocations fails without -all.
const faultShare = 20

// TestEveryAllocationFails makes every allocation of every bundled scenario fail in turn, under every scheme. The case
// must end as with the library: its teardown runs, the handle stays usable, and nothing leaks. Without -all, one in
// twenty allocations on the default release fails.
func TestEveryAllocationFails(t *testing.T) {
	t.Parallel()
	s, failures, outcomes := newSweep(t), 0, map[string]int{}
	for _, profile := range release.Names() {
		if *all || profile == release.Default().Name {
			failures += s.failEach(t, profile, outcomes)
		}
	}
	t.Logf("%d allocations failed alone: %v", failures, outcomes)
	if failures*faultShare < 400 || *all && failures < 330*len(release.Names()) {
		t.Errorf("only %d allocations failed", failures)
	}
}

// failEach makes the allocations on a release fail in turn, and counts them and the outcomes of their cases.
func (s *sweep) failEach(t *testing.T, profile string, outcomes map[string]int) (failures int) {
	t.Helper()
	whole, code := s.run(t, s.config(profile, nil))
	if code != 0 {
		t.Errorf("%s: without faults the run ends with exit code %d", profile, code)
	}
	picked := func(u under, n int) bool {
		return *all || (n+len(u.scenario)+len(u.scheme))%faultShare == 0
	}
	allocations, nth, want := map[string]int{}, map[under][]int{}, 0
	for _, c := range whole {
		allocations[c.ID] = c.HIP.Allocations
		u := under{c.Scenario, c.Scheme}
		for n := 1; n <= c.HIP.Allocations; n++ {
			if !picked(u, n) {
				continue
			}
			want++
			if !slices.Contains(nth[u], n) {
				nth[u] = append(nth[u], n)
			}
		}
	}
	cases, _ := s.run(t, s.config(profile, nth))
	for _, c := range cases {
		if c.Outcome == "skipped" || int(c.Params["faults.nth"].(float64)) > allocations[withoutFaults(c.ID)] {
			continue // this case makes fewer allocations
		}
		failures++
		outcomes[c.Outcome]++
		for _, problem := range c.problems(s.folder) {
			t.Errorf("%s: %s: %s", c.ID, c.Faults, problem)
		}
	}
	if failures != want {
		t.Errorf("%s: %d allocations failed, want %d", profile, failures, want)
	}
	return failures
}

var faultAxis = lazy(`,?faults\.nth=\d+`)

// withoutFaults returns the ID of the same case without faults.
func withoutFaults(id string) string {
	id = faultAxis().ReplaceAllString(id, "")
	return strings.Replace(strings.Replace(id, "[,", "[", 1), "[]", "", 1)
}

// problems returns the defects of a case with one failed allocation.
func (c *sweptCase) problems(folder string) []string {
	list := slices.Clone(c.Problems) // leaks, a teardown that failed
	if c.HIP.Injected != 1 || len(c.Faults) != 1 {
		if c.Error != nil {
			list = append(list, c.Error.Kind+": "+c.Error.Message)
		}
		return append(list, fmt.Sprintf("%s: %d allocations failed", c.Outcome, c.HIP.Injected))
	}
	tornDown := slices.ContainsFunc(c.Metrics, func(m struct{ Name string }) bool { return m.Name == "teardown" })
	if !tornDown && c.Error == nil {
		list = append(list, "teardown did not run")
	}
	for _, check := range c.Checks {
		if !check.Passed && strings.Contains(check.Where, folder) {
			list = append(list, fmt.Sprintf("the handle afterwards: %s: %s, have %s, want %s",
				check.Where, check.Text, check.Have, check.Want))
		}
	}
	if c.Error != nil && (c.Error.Kind != "script" && c.Error.Kind != "other" || !c.isExpected(c.Error.Message)) {
		list = append(list, c.Error.Kind+": "+c.Error.Message)
	}
	return list
}

// expected has the errors that a failed allocation can cause, by the allocation's cause. If a stream-ordered allocation
// fails, kernels of rocSOLVER access the null pointer, and device_malloc returns null pointers.
var expected = map[string][]string{
	"script":                 {"hipErrorOutOfMemory"},
	"create_handle":          {"rocblas_create_handle: memory_error"},
	"set_device_memory_size": {"rocblas_set_device_memory_size: memory_error"},
	"growth":                 {"memory_error", "perf_degraded"},
	"workspace_allocation": {"memory_error", "perf_degraded", "hipErrorIllegalAddress",
		"the allocation has no memory"},
}

// isExpected reports whether an error is expected for the failed allocation.
func (c *sweptCase) isExpected(message string) bool {
	return slices.ContainsFunc(expected[c.Faults[0].Cause], func(text string) bool {
		return strings.Contains(message, text)
	})
}
