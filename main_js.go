package main

import (
	"os"
	"syscall/js"
)

// A page that has a function begin starts the program before it knows its arguments. It then calls the function that it
// gets with them.
func init() {
	begin := js.Global().Get("begin")
	if begin.IsUndefined() {
		return
	}
	done := make(chan struct{})
	begin.Invoke(js.FuncOf(func(_ js.Value, args []js.Value) any {
		for _, arg := range args {
			os.Args = append(os.Args, arg.String())
		}
		close(done)
		return nil
	}))
	<-done
}
