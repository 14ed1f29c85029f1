// Package host is the program: its commands, flags, exit codes and completions. The work is done by the packages below
// it:
//
//	config    what to run: keys, loading, flags, environment variables, targets
//	plan      which cases result: scenarios, matrices, selection, expectations
//	run       executes cases, in this process or in workers, and compares them with baselines
//	result    how a case ended, as plain data that all others share
//	events    the log of a run, resuming it, its identity
//	report    the formats of --out
//	progress  how far a run is
//	watch     reruns cases when files change
//	compare   compares two runs
//	size      the workspace that calls need
//	repl      the prompt
//	exit      exit codes as errors
//
// Main is the only entry point. The exit codes are those of package exit. When several apply, the most severe decides:
// a defect of the program, an interruption, an error of a script, a timeout, a failed check, a difference from a
// baseline.
package host
