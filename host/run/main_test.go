package run

import (
	"fmt"
	"io"
	"os"
	"testing"

	_ "roclua/hip/cpu"
)

// TestMain lets the test program be its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		var output io.Writer
		if len(os.Args) > 2 {
			output = os.Stdout
		}
		if err := Serve(os.Stdin, os.Stderr, output); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
