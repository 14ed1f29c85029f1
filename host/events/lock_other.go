//go:build !unix

package events

import "os"

func lockFile(*os.File) bool { return true }
