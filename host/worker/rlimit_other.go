//go:build !unix

package worker

import "math"

func limitProcess() {}

// MostProcesses returns how many worker processes the limit of open files allows.
func MostProcesses() int { return math.MaxInt }
