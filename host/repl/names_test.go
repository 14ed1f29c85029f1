package repl

import (
	"slices"
	"testing"
)

// TestCompleteNames completes names after other text, and names with a leading underscore only after one is typed.
func TestCompleteNames(t *testing.T) {
	s, _ := begin(t, false)
	defer s.End()
	s.Feed(t.Context(), "_hidden, point = 1, { _x = 1, y = 2 }")
	for text, want := range map[string][]string{"_hid": {"_hidden"}, "point.": {"y"}, "point._": {"_x"},
		"} poi": {"point"}, "[[ { ]] poi": {"point"}, "--[[ x ]] poi": {"point"}, "x = [[ poi": nil,
		"{poi": {"point"}, "handle:dgetrf{": {"A = ", "info = ", "ipiv = ", "lda = ", "m = ", "n = "}} {
		if _, found := s.Complete(text); !slices.Equal(found, want) {
			t.Errorf("%s: %q, want %q", text, found, want)
		}
	}
	if _, found := s.Complete(""); slices.Contains(found, "_hidden") || !slices.Contains(found, "point") {
		t.Errorf("at the start of a line: %q", found)
	}
	s.Feed(t.Context(), "x = require(")
	if head, found := s.Complete(`"ro`); head != `"` || !slices.Equal(found, []string{"rocblas", "rocsolver"}) {
		t.Errorf("a module in a later line: %q + %q", head, found)
	}
	s.Discard()
	s.Feed(t.Context(), `x = require("rocblas`+"\\")
	if head, found := s.Complete("roc"); head != "roc" || found != nil {
		t.Errorf("a string that began in an earlier line: %q + %q", head, found)
	}
}
