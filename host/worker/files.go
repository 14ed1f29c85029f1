package worker

import (
	"fmt"
	"os"
)

// newTemporary returns a temporary file. It is removed at once where the system allows it.
func newTemporary(name string) (*os.File, error) {
	f, err := os.CreateTemp("", "roclua-"+name+"-*")
	if err != nil {
		return nil, fmt.Errorf("a worker process needs a small temporary file: %w", err)
	}
	os.Remove(f.Name())
	return f, nil
}
