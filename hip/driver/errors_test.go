package driver

import (
	"errors"
	"fmt"
	"testing"
)

func TestCodeOf(t *testing.T) {
	tests := []struct {
		err  error
		want Error
		text string
	}{
		{nil, Success, ""},
		{ErrorOutOfMemory, ErrorOutOfMemory, "hipErrorOutOfMemory"},
		{Error(4711), 4711, "hipError_t(4711)"},
		{Faultf(ErrorNotReady, "for %d s", 3), ErrorNotReady, "hipErrorNotReady: for 3 s"},
		{fmt.Errorf("copy: %w", Faultf(ErrorInvalidValue, "n")), ErrorInvalidValue, "copy: hipErrorInvalidValue: n"},
		{errors.New("no HIP"), ErrorUnknown, "no HIP"},
	}
	for _, test := range tests {
		if have := CodeOf(test.err); have != test.want {
			t.Errorf("%v: code %v, want %v", test.err, have, test.want)
		}
		if test.err != nil && test.err.Error() != test.text {
			t.Errorf("text %q, want %q", test.err, test.text)
		}
	}
	if !errors.Is(Faultf(ErrorNotReady, ""), ErrorNotReady) {
		t.Error("a fault is not its code")
	}
}

func TestEveryCodeHasItsName(t *testing.T) {
	seen := map[string]Error{}
	for code, known := range errorTable {
		name := known.name
		if known.meaning == "" {
			t.Errorf("%s has no meaning", name)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%d and %d are both %s", code, other, name)
		}
		seen[name] = code
		if code.Error() != name {
			t.Errorf("%d prints %s, want %s", code, code.Error(), name)
		}
	}
}

func TestSiteNamesThePlace(t *testing.T) {
	for want, s := range map[string]Site{
		"hipMalloc":            {Call: "hipMalloc"},
		"hipFree at a.lua:12":  {Call: "hipFree", Origin: "a.lua:12"},
		"rocblas_dgemm at x:1": {Call: "rocblas_dgemm", Origin: "x:1"},
	} {
		if s.String() != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
}
