package tests

import (
	"bytes"
	"os"
	"testing"
	"time"

	"roclua/host"
)

// TestReferenceIsFresh holds docs/reference.md against what the program would write now.
func TestReferenceIsFresh(t *testing.T) {
	var fresh bytes.Buffer
	env := host.Env{Stdin: bytes.NewReader(nil), Stdout: &fresh, Stderr: os.Stderr, Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 1}
	if code := host.Main([]string{"docs", "--reference"}, env); code != 0 {
		t.Fatalf("exit %d", code)
	}
	have, err := os.ReadFile("../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, fresh.Bytes()) {
		t.Error("docs/reference.md is stale; run make docs")
	}
}
