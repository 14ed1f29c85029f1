package host

import "os"

// endings lists the signals that end a run: a browser ends the program without one.
func endings() []os.Signal { return []os.Signal{os.Interrupt} }

func ignorePipeSignal() {}
