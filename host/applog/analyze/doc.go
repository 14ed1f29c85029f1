// Package analyze computes the workspace that an application's calls need from its logs.
//
//	l := analyze.New(analyze.Options{Targets: targets})
//	err := l.Read(ctx, "app.log", file)
//	answer := l.Answer()
//
// Logs are read as streams: equal lines are parsed once, and equal calls are kept once, with a count and their first
// line. The needs of a call are computed when it is first seen, and the growths of a managed handle while the lines are
// read, so the order of calls need not be kept. Memory use does not depend on the length of a log, because the number
// of distinct calls and lines kept is bounded.
package analyze
