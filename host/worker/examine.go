package worker

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"roclua/luabind"
	"roclua/luabind/record"
)

// errUnexpected is the error of a reply to another request.
var errUnexpected = errors.New("it belongs to another request")

// postMortem is how a worker ended that did not reply.
type postMortem struct {
	number     uint32 // request that it began with last
	how        string // "was killed by signal 9 (killed)"
	call, line string // last place at which the script was seen; at most one is known
	printed    string
	verdict    *verdict // why the program killed it; nil if it did not
}

// examine waits until a worker has exited whose reply cannot be read, and returns how it ended. A worker that has not
// closed its files is killed.
func (w *process) examine(cause error) *postMortem {
	invalid := !isClosed(cause) && w.watch.killed() == nil && !w.hasExited()
	if invalid {
		w.kill()
	}
	<-w.exited
	w.watch.wait()
	p := &postMortem{verdict: w.watch.killed()}
	p.printed, p.how = cutFault(readPrinted(w.output)) // output that it did not send
	p.number, _ = w.shared.state()
	p.call, p.line = w.shared.place()
	switch {
	case invalid:
		p.how = "was killed because its reply cannot be read (" + cause.Error() + ")"
	case p.how == "":
		p.how = describeExit(w)
	}
	return p
}

// record returns the record of the case during which the worker ended.
func (p *postMortem) record(j *Job, elapsed time.Duration) *record.Record {
	r := &record.Record{Seconds: elapsed.Seconds(), Log: p.printed, Required: j.Library,
		End: &record.End{Kind: record.EndDied, Message: p.how, Func: p.call, Where: p.line}}
	if p.verdict == nil {
		return r
	}
	problem := "the worker process did not answer and was killed"
	if limit := p.verdict.limit; limit != nil {
		r.End = &record.End{Kind: record.EndLimit, Where: p.line, Limit: limit}
		problem = "the worker process was killed"
		if p.verdict.total > 0 {
			problem = fmt.Sprintf("all cases together used %d bytes, more than the machine has for them; "+
				"the worker process was killed", p.verdict.total)
		}
	} else {
		r.End = luabind.EndOf(luabind.TimedOut(j.Limits.Timeout))
		r.End.Where = p.line
	}
	if p.call != "" {
		problem += " during " + p.call
	}
	r.Problems = append(r.Problems, problem)
	return r
}

// faultLine matches the first line that Go's runtime prints when a signal or a fatal error ends the process, also
// inside a C library; its stacks follow.
var faultLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:(SIG[A-Z]+): (.+)|runtime: goroutine stack exceeds .*|fatal error: (.+))\n`)
})

// cutFault removes the runtime's report of the end of the process from its output, and describes the end.
func cutFault(printed string) (rest, how string) {
	at := faultLine().FindStringSubmatchIndex(printed)
	switch {
	case at == nil:
		return printed, ""
	case at[2] >= 0:
		return printed[:at[0]], fmt.Sprintf("was killed by %s (%s)", printed[at[2]:at[3]], printed[at[4]:at[5]])
	case at[6] >= 0:
		return printed[:at[0]], "ended with the fatal error " + strings.TrimPrefix(printed[at[6]:at[7]], "runtime: ")
	}
	return printed[:at[0]], "ended with the fatal error stack overflow"
}

func describeExit(w *process) string {
	state := w.command.ProcessState
	if number, name, ok := killedBy(state); ok {
		return fmt.Sprintf("was killed by signal %d (%s)", number, name)
	}
	if state.ExitCode() == 0 {
		return "exited unexpectedly"
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
