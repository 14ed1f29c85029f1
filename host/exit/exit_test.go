package exit_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"roclua/host/exit"
)

// TestCodes describes every code.
func TestCodes(t *testing.T) {
	seen := map[string]exit.Code{}
	for _, code := range exit.Codes {
		for _, text := range []string{code.String(), code.Meaning()} {
			if other, taken := seen[text]; taken || text == "" {
				t.Errorf("exit code %d is %q, as %d is", code, text, other)
			}
			seen[text] = code
		}
	}
	if !slices.IsSorted(exit.Codes) || exit.Codes[0] != exit.Pass {
		t.Errorf("the codes are %d", exit.Codes)
	}
}

// TestOf finds the code of an error: the innermost, unless Replace changed it.
func TestOf(t *testing.T) {
	cause := errors.New("no device")
	unavailable := exit.With(exit.Unavailable, cause)
	for _, test := range []struct {
		err  error
		want exit.Code
		text string
	}{
		{cause, exit.Usage, "no device"},
		{unavailable, exit.Unavailable, "no device"},
		{fmt.Errorf("cpu: %w", unavailable), exit.Unavailable, "cpu: no device"},
		{exit.With(exit.Failed, fmt.Errorf("cpu: %w", unavailable)), exit.Unavailable, "cpu: no device"},
		{exit.Replace(exit.Failed, fmt.Errorf("cpu: %w", unavailable)), exit.Failed, "cpu: no device"},
		{errors.Join(cause, exit.With(exit.Timeout, errors.New("too slow"))), exit.Timeout, "no device\ntoo slow"},
		{exit.Silent(exit.Baseline), exit.Baseline, ""},
	} {
		if have := exit.Of(test.err); have != test.want || test.err.Error() != test.text {
			t.Errorf("%q has the code %s, want %s", test.err, have, test.want)
		}
	}
	if exit.Of(nil) != exit.Pass || exit.With(exit.Failed, nil) != nil {
		t.Errorf("no error has the code %s, and becomes %v", exit.Of(nil), exit.With(exit.Failed, nil))
	}
	if !errors.Is(exit.With(exit.Failed, unavailable), cause) || !errors.Is(exit.Replace(exit.Failed, cause), cause) {
		t.Error("the cause of an error with a code is not found")
	}
}
