//go:build !unix

package run

import (
	"errors"
	"os"
)

const sharesMemory = false

func mapShared(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func keepFromChildren(...int) {}
