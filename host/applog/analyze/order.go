package analyze

// Step is a call made one or more times in a row, or a new handle.
type Step struct {
	Call  *Call // nil for a handle that replaces the only one
	Times int64
}

// Order returns the calls in log order, each once even if several kinds of lines describe it, and the number of calls
// omitted beyond the bound. It needs Options.Order.
func (l *Log) Order() (list []Step, missing int64) {
	for _, s := range l.simulatedOrAll() {
		missing += s.omitted
		for _, st := range s.steps {
			if !l.describes(st.kind) {
				continue
			}
			if n := len(list); n > 0 && st.call != nil && list[n-1].Call == st.call {
				list[n-1].Times += st.times
			} else {
				list = append(list, Step{st.call, st.times})
			}
		}
	}
	return list, missing
}
