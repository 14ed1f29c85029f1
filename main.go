// Command roclua runs Lua scenarios against the device-memory model of rocBLAS and rocSOLVER.
package main

import (
	"os"
	"runtime/debug"

	"roclua/host"
)

// maxStack is the bound on the Go stack of a goroutine, in bytes. Scripts need some 20 MiB at most.
const maxStack = 256 << 20

func main() {
	debug.SetMaxStack(maxStack)
	os.Exit(host.Main(os.Args[1:], host.OSEnv()))
}
