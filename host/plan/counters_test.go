package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"roclua/hip/trace"
	"slices"
	"strings"
	"testing"
)

// TestCounters checks that names of counters are counters, and that an error has the nearest one.
func TestCounters(t *testing.T) {
	for name, want := range map[string]string{
		"hip.malloc": "", "hip.total": "", "hip.stream_create_with_flags": "", "syncs.growth": "", "syncs.total": "",
		"status.success": "", "status.rocsolver_dgetrf.memory_error": "", "faults.injected": "", "residual": "",
		"hip.mallok":                        `hip.* has no "mallok", did you mean "malloc"?`,
		"syncs.grow":                        `syncs.* has no "grow", did you mean "growth"?`,
		"faults.injectd":                    `faults.* has no "injectd", did you mean "injected"?`,
		"status.rocsolver_dgetrf.memory_er": `status.* has no "memory_er", did you mean "memory_error"?`,
	} {
		err := checkCounter(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestCauses checks that every cause that the model sets is one of the list.
func TestCauses(t *testing.T) {
	set := regexp.MustCompile(`[sS]etCause\("(\w+)"`)
	files, err := filepath.Glob("../../workspace/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range set.FindAllStringSubmatch(string(text), -1) {
			found++
			if !slices.Contains(trace.Causes, match[1]) {
				t.Errorf("%s: trace.Causes does not have %s", name, match[1])
			}
		}
	}
	if found < 8 {
		t.Errorf("%d causes are set", found)
	}
}
