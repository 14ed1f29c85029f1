//go:build !unix

package host

import (
	"errors"
	"os"
)

func mapShared(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
