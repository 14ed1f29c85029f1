//go:build !js

// Command ship compiles the recorder for an archive of the program: go run ./host/record/ship FOLDER. The program finds
// it in lib/roclua of its folder, or of the folder above.
package main

import (
	"context"
	"fmt"
	"os"

	"roclua/host/record"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ship FOLDER")
		os.Exit(2)
	}
	if err := record.Ship(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "ship:", err)
		os.Exit(1)
	}
}
