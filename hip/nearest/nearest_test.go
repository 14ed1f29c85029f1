package nearest_test

import (
	"testing"

	"roclua/hip/nearest"
)

func TestName(t *testing.T) {
	known := []string{"gemm", "gemv", "getrf", "trsm", "gemm_batched"}
	for _, test := range []struct{ name, want string }{
		{"gemm", "gemm"}, {"GEMM", "gemm"}, {"gmem", "gemm"}, {"getr", "getrf"}, {"gemm_bat", "gemm_batched"},
		{"", ""}, {"x", ""}, {"potrf_batched", "gemm_batched"}, {"completely", ""},
		{"gem", "gemm"}, {"geam", "gemm"},
	} {
		if have := nearest.Name(test.name, known); have != test.want {
			t.Errorf("Name(%q) = %q, want %q", test.name, have, test.want)
		}
	}
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
