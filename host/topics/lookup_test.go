package topics

import (
	"errors"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/exit"
	"roclua/luabind/manual"
)

// explained is a platform that computes gemm, does not compute gemv, and has no explanation for other routines.
type explained struct{ driver.Unsupported }

func (explained) Open(driver.Config) (driver.Runtime, error) {
	return nil, errors.New("it has no devices")
}

func (explained) Computes(r *routine.Routine) (by, reason string) {
	switch r.Name {
	case "dgemm":
		return "multiply", ""
	case "dgemv":
		return "", "it has no vectors"
	}
	return "", ""
}

func init() { hip.Register("explained", explained{}) }

// TestComputations shows how platforms compute a routine.
func TestComputations(t *testing.T) {
	for name, want := range map[string]string{"dgemm": "explained: multiply",
		"dgemv": "explained: not computed: it has no vectors", "dger": "explained: computed"} {
		r, ok := routine.Find(routine.RocBLAS, name)
		if !ok {
			t.Fatal(name)
		}
		var have []string
		for _, c := range computations(r) {
			if c.Platform == "explained" {
				have = append(have, c.String())
			}
		}
		if strings.Join(have, "; ") != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
		if text := lookUp(t, name); !strings.Contains(text, "\non "+want+"\n") {
			t.Errorf("the page of %s does not say %q:\n%s", name, want, text)
		}
	}
}

func lookUp(t *testing.T, names ...string) string {
	t.Helper()
	var b strings.Builder
	if err := LookUp(&b, names...); err != nil {
		t.Fatalf("%q: %v", names, err)
	}
	return b.String()
}

// TestLookUp shows several pages with an empty line between them, and an overview without names.
func TestLookUp(t *testing.T) {
	one, two := lookUp(t, "limits.timeout"), lookUp(t, "scenario.tags")
	if have := lookUp(t, "limits.timeout", "scenario.tags", "limits.timeout"); have != one+"\n"+two+"\n"+one {
		t.Errorf("three names show\n%s", have)
	}
	if have := lookUp(t, "tags"); have != two {
		t.Errorf("the last part of a key shows\n%s\nwant\n%s", have, two)
	}
	both := lookUp(t, "dgemm", "sandbox") // a routine, and a key
	if !strings.HasPrefix(both, "rocblas.dgemm(") || !strings.Contains(both, "\n\nlimits.sandbox") &&
		!strings.Contains(both, "\n\nsandbox") {
		t.Errorf("a routine and a key show\n%s", both)
	}
	var overview strings.Builder
	manual.Overview(&overview, Program())
	if have := lookUp(t); have != overview.String() || !strings.Contains(have, "expect") {
		t.Errorf("without names it shows\n%s", have)
	}
	exits := lookUp(t, "exit")
	for _, code := range exit.Codes {
		if !strings.Contains(exits, code.Meaning()) {
			t.Errorf("the page about exit codes lacks %q:\n%s", code.Meaning(), exits)
		}
	}
}

// TestSharedName shows every page for a name shared by several functions.
func TestSharedName(t *testing.T) {
	program := Program()
	for _, name := range Names() {
		var pages []string
		for _, page := range manual.Find(name, program) {
			var b strings.Builder
			page(&b)
			pages = append(pages, b.String())
		}
		if len(pages) < 2 {
			continue
		}
		if have, want := lookUp(t, name), strings.Join(pages, "\n"); have != want {
			t.Errorf("%s shows\n%s\nwant\n%s", name, have, want)
		}
		return
	}
	t.Error("no name has several pages")
}

// TestSearch looks up words that are no names: the pages with them are listed, the most relevant first.
func TestSearch(t *testing.T) {
	for word, first := range map[string]string{"leak": "pool-failed-alloc ", "WORKSPACE": "graphs ", "budget": "serve ",
		"ROCBLAS_DEVICE_MEMORY_SIZE": "schemes ", "lda": "rocblas.set_matrix "} {
		lines := strings.Split(lookUp(t, word), "\n")
		if len(lines) < 3 || len(lines) > mostFound+2 || !strings.Contains(lines[0], word) ||
			!strings.HasPrefix(lines[1], "  "+first) ||
			!strings.Contains(strings.ToLower(lines[1]), strings.ToLower(word)) {
			t.Errorf("%s:\n%s", word, strings.Join(lines, "\n"))
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"dgemn":        `nothing is called "dgemn", did you mean "dgemm" or "dgemv"? (roclua docs lists all names)`,
		"zzzzzzzz":     `nothing is called "zzzzzzzz" (roclua docs lists all names)`,
		"dtrsv_ex":     `nothing is called "dtrsv_ex": no library exports it; use trsv`,
		"scenario.tag": `nothing is called "scenario.tag", did you mean "scenario.tags"? (roclua docs lists all names)`,
	} {
		var b strings.Builder
		if err := LookUp(&b, "limits.timeout", name); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
