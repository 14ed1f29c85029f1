package lines_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/host/applog/lines"
)

// TestClaims reads the tree of every function while the tree of another one is open: its arguments belong to it alone.
func TestClaims(t *testing.T) {
	files, _ := filepath.Glob("testdata/grammar.rocsolver.*.jsonl.gz")
	trees := 0
	for _, file := range files {
		for _, call := range readCalls(t, file) {
			p := lines.NewParser()
			other := "rocsolver_dsterf"
			if strings.HasSuffix(call.Function, "sterf") {
				other = "rocsolver_dgetrf"
			}
			entered, _ := lines.Find([]byte("------- ENTER " + other + " trace tree -------"))
			p.Parse(entered, true)
			for _, line := range call.Trace {
				piece, _ := lines.Find([]byte(line))
				if piece.Kind != lines.SolverArgs {
					p.Parse(piece, true)
					continue
				}
				trees++
				want := []string{strings.TrimSuffix(call.Function, "_64")}
				if have := p.Claim(piece); !slices.Equal(have, want) {
					t.Errorf("%s: %q belongs to %q", call.Function, line, have)
				}
			}
			if open := p.Open(); !slices.Equal(open, []string{other}) {
				t.Errorf("%s: %q are open", call.Function, open)
			}
		}
	}
	if trees < 1000 {
		t.Errorf("%d trees", trees)
	}
}
