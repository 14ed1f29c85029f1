// Package analyze computes from the logs of an application what workspace its calls need.
//
//	l := analyze.New(analyze.Options{Targets: targets})
//	err := l.Read(ctx, "app.log", file)
//	answer := l.Answer()
//
// Logs are read as streams: equal lines are parsed once, equal calls are kept once, with their number and their first
// line. The needs of a call are computed when it is first seen, and the growths of a managed handle while the lines are
// read, so that the order of calls need not be kept. The memory does not depend on the length of a log: the distinct
// calls and lines that are kept are bounded. If most lines are different, several goroutines parse them ahead of the
// one that follows the calls.
package analyze
