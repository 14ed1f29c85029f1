package tests

import (
	"bytes"
	"io"
	"time"

	"roclua/host"
)

// testEnv returns the environment of a program that runs in the test process, without input and environment variables.
func testEnv(stdout, stderr io.Writer) host.Env {
	return host.Env{
		Stdin: bytes.NewReader(nil), Stdout: stdout, Stderr: stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 2,
	}
}
