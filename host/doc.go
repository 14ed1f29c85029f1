// Package host is the program: its commands, flags, exit codes and completions. A command is in the file cmd_NAME.go.
// The work is done by the packages below this one. Those of a run:
//
//	config    the configuration: keys, loading, flags, environment variables, targets
//	plan      which cases result: scenarios, matrices, selection
//	run       one run: takes or executes its cases, judges the results, writes the outputs
//	worker    the processes that run cases, and their bounds
//	result    how a case ended, as plain data that all others share
//	expect    conditions on values
//	baseline  earlier values, and their comparison
//	events    the log of a run, resuming it, its identity
//	merge     the results of the shards of a run
//	report    a finished run: text, JSON, page, table, tests and trace
//	progress  the progress of a run on standard error
//	profile   profiles for go tool pprof
//
// Those of other commands:
//
//	applog    the logs of applications, for roclua log
//	calibrate the model of time from measured times, for roclua calibrate
//	capacity  the memory of all handles together, for roclua plan
//	compare   two runs, for roclua compare
//	files     the calls in files for other programs, for roclua import, log, plan, gemm and size
//	gate      additional needs of a release over another one, for roclua log and plan
//	importing scenarios from files for other programs, for roclua import
//	listing   scenarios and functions, for roclua list
//	products  the workspace that GEMM kernels want, for roclua gemm
//	record    a program that is run with the recorder, for roclua record
//	recording a program's calls, as the recorder writes them
//	repl      the prompt
//	replay    the calls in a recording on simulated devices
//	serve     replies to other programs, line by line
//	size      the workspace that calls need
//	starter   the files of a new project
//	topics    the pages of roclua docs that are about the program
//	verify    the model and the libraries of the machine
//	watch     changes of files, for roclua run --watch
//
// Those that several of them use: answer (sections as text, Markdown and pages), exit, output (the formats of --out),
// schema and targets.
//
// Main is the only entry point. Package exit has the exit codes. When several apply, the most severe decides:
// a defect of the program, an interruption, an error of a script, a timeout, a failed check, a difference from a
// baseline.
package host
