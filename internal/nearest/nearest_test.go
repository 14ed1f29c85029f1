package nearest_test

import (
	"strings"
	"testing"

	"roclua/internal/nearest"
)

func TestNames(t *testing.T) {
	known := []string{"gemm", "gemv", "getrf", "trsm", "gemm_batched"}
	for _, test := range []struct{ name, want string }{
		{"gemm", "gemm"}, {"GEMM", "gemm"}, {"gmem", "gemm"}, {"getr", "getrf"}, {"gemm_bat", "gemm_batched"},
		{"", ""}, {"x", ""}, {"potrf_batched", ""}, {"completely", ""},
		{"gem", "gemm"}, {"geam", "gemm"},
	} {
		if have := first(test.name, known); have != test.want {
			t.Errorf("Names(%q) starts with %q, want %q", test.name, have, test.want)
		}
	}
}

// TestLimitsOfNearness has names just close enough and not quite, and the order of equally close ones.
func TestLimitsOfNearness(t *testing.T) {
	long := strings.Repeat("a", 512)
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"gemx", []string{"gemm", "gemv"}, "gemm"}, {"gemx", []string{"gemv", "gemm"}, "gemv"},
		{"com", []string{"completely"}, "completely"}, {"co", []string{"completely"}, ""},
		{"COM", []string{"other", "Completely", "complex_number"}, "Completely"},
		{"q", []string{"m"}, ""}, {"ca", []string{"bc"}, ""}, {"ac", []string{"cb"}, ""}, {"ba", []string{"ab"}, "ab"},
		{"gemm", []string{"gexm", "gemmxy"}, "gexm"}, {"gemx", []string{"xemx", "gemm"}, "gemm"},
		{"gmem", []string{"gmex", "gemm"}, "gemm"}, {"gmem", []string{"gemm", "gmex"}, "gemm"},
		{long, []string{long}, long}, {long + "a", []string{long + "a"}, ""},
		{"xba", []string{"xab"}, "xab"}, {"abcdef", []string{"abcxyz"}, "abcxyz"}, {"abcdef", []string{"abwxyz"}, ""},
	} {
		if have := first(test.name, test.known); have != test.want {
			t.Errorf("Names(%q, %q) starts with %q, want %q", test.name, test.known, have, test.want)
		}
	}
}

// first returns the first of the names closest to name; "" if there is none.
func first(name string, known []string) string {
	if list := nearest.Names(name, known); len(list) > 0 {
		return list[0]
	}
	return ""
}

func TestDidYouMean(t *testing.T) {
	want := `, did you mean "manual"?`
	if have := nearest.DidYouMean("manul", []string{"managed", "manual"}); have != want {
		t.Errorf("got %q, want %q", have, want)
	}
	if have := nearest.DidYouMean("completely", []string{"managed"}); have != "" {
		t.Errorf("got %q, want no suggestion", have)
	}
}
