//go:build !(linux && amd64)

package record

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

var errSystem = errors.New("programs are recorded on Linux on x86-64 only")

func libraries(context.Context) (paths [2]string, err error) { return paths, errSystem }

func runProgram(*exec.Cmd) (*Result, error) { return nil, errSystem }

func lock(*os.File) bool { return true }

// EndAs does nothing where nothing is recorded.
func EndAs(os.Signal) {}
