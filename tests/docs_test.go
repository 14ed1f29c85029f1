package tests

import (
	"bytes"
	"os"
	"testing"

	"roclua/host"
)

// TestReferenceIsFresh compares docs/reference.md with the output of the program.
func TestReferenceIsFresh(t *testing.T) {
	var fresh bytes.Buffer
	if code := host.Main([]string{"docs", "--reference"}, testEnv(&fresh, os.Stderr)); code != 0 {
		t.Fatalf("exit %d", code)
	}
	have, err := os.ReadFile("../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, fresh.Bytes()) {
		t.Error("docs/reference.md is out of date; run make docs")
	}
}
