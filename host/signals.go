//go:build !js

package host

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// endings lists the signals that end a run. SIGHUP, which the end of a terminal sends, is ignored under nohup.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// ignorePipeSignal makes writes to a closed pipe return EPIPE. A signal that is ignored instead would be ignored by
// the processes that scripts start, too.
var ignorePipeSignal = sync.OnceFunc(func() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) })
