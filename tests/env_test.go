package tests

import (
	"bytes"
	"io"
	"regexp"
	"sync"
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

// lazy returns a function that compiles a regular expression on its first call. The tests start this binary a thousand
// times as the program under test, which does not need the expressions.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
