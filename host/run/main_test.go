package run

import (
	"fmt"
	"os"
	"testing"

	_ "roclua/hip/cpu"
	"roclua/host/worker"
)

// TestMain lets the test program be its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		if err := worker.Serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
