// Package leaks checks that the tests of a package leak neither goroutines, which every open device has, nor memory of
// simulated devices. Call Main from TestMain:
//
//	func TestMain(m *testing.M) { leaks.Main(m) }
package leaks

import (
	"fmt"
	"os"

	"go.uber.org/goleak"

	"roclua/hip/cpu/memory"
)

// Tests has the tests of a package; *testing.M implements it.
type Tests interface{ Run() int }

// Main runs the tests of a package and exits. The exit code is 1 if they leak.
func Main(m Tests) { os.Exit(Checked(m).Run()) }

// Checked returns tests that also fail if they leak.
func Checked(m Tests) Tests { return checked{m} }

type checked struct{ tests Tests }

func (c checked) Run() int {
	code := c.tests.Run()
	if code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintf(os.Stderr, "the tests leak goroutines: %v\n", err)
		code = 1
	}
	if n := memory.Committed(); n != 0 {
		fmt.Fprintf(os.Stderr, "the tests leak %d bytes of simulated device memory\n", n)
		code = 1
	}
	return code
}
