package result_test

import (
	"testing"

	"roclua/host/result"
)

// TestIndented writes what Decode has read: numbers stay numbers.
func TestIndented(t *testing.T) {
	const want = "{\n  \"list\": [\n    1,\n    2.50,\n    \"3\"\n  ]\n}"
	var v map[string]any
	if err := result.Decode([]byte(want), &v); err != nil {
		t.Fatal(err)
	}
	if have, err := result.Indented(v, ""); err != nil || string(have) != want {
		t.Errorf("%s, %v, want %s", have, err, want)
	}
}
