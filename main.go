// Command roclua runs Lua scenarios against the device-memory model of rocBLAS and rocSOLVER.
package main

import (
	"os"

	"roclua/host"
)

func main() { os.Exit(host.Main(os.Args[1:], host.OSEnv())) }
