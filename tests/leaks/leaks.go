// Package leaks looks at what the tests of a package leave behind: goroutines, of which every open device has some, and
// memory of simulated devices. For tests alone.
package leaks

import (
	"fmt"
	"os"

	"go.uber.org/goleak"

	"roclua/hip/cpu"
)

// Tests are the tests of a package, a *testing.M.
type Tests interface{ Run() int }

// Main runs the tests of a package and ends the process, with a failure when they left something behind.
func Main(m Tests) { os.Exit(Checked(m).Run()) }

// Checked are tests that fail when they leave something behind.
func Checked(m Tests) Tests { return checked{m} }

type checked struct{ tests Tests }

func (c checked) Run() int {
	code := c.tests.Run()
	if code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintf(os.Stderr, "the tests leave goroutines behind: %v\n", err)
		code = 1
	}
	if n := cpu.Committed(); n != 0 {
		fmt.Fprintf(os.Stderr, "the tests leave %d bytes of simulated device memory behind\n", n)
		code = 1
	}
	return code
}
