package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/worker"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
)

// Main runs the program and returns its exit code. It recovers from panics in the program.
func Main(args []string, env Env) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(env.Stderr, "roclua: internal error: %v\n%s", r, debug.Stack())
			code = int(exit.Defect)
		}
	}()
	ctx, endAtOnce, stop := untilInterrupted()
	defer stop()
	env.endAtOnce = endAtOnce
	env.Files = atomicfile.Until(ctx, env.files())
	env.Args = args
	env.stdout, env.stderr = &stream{Writer: env.Stdout}, &stream{Writer: env.Stderr}
	env.Stdout, env.Stderr = env.stdout, env.stderr
	if env.Workers == nil {
		stdin, _ := env.Stdin.(*os.File)
		env.Workers = worker.NewPool(stdin)
		defer env.Workers.Close()
	}
	if env.Getenv != nil && env.Getenv("GITHUB_ACTIONS") == "true" { // which interprets output as commands
		env.Stdout, env.Stderr = escape.Workflow(env.Stdout), escape.Workflow(env.Stderr)
	}
	root := newRoot(env)
	root.SetArgs(args)
	var err error
	if env.Environ != nil {
		err = config.CheckVariables(env.Environ())
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = exit.Replace(exit.Interrupted, errors.New("interrupted before the run began"))
	}
	if failed := env.stdout.failed(); failed != nil && (err == nil || err.Error() == "") {
		err = fmt.Errorf("standard output is not complete: %w", failed)
	}
	if err != nil && exit.Of(err) != exit.Failed {
		printErrors(env.Stderr, err)
	}
	return int(exit.Of(err))
}

// printErrors writes each error of a joined one on its own line.
func printErrors(w io.Writer, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && isJoined(err, joined.Unwrap()) {
		for _, err := range joined.Unwrap() {
			printErrors(w, err)
		}
		return
	}
	if err.Error() != "" {
		fmt.Fprintf(w, "roclua: %s\n", escape.Text(err.Error()))
	}
}

// isJoined reports whether an error is one of errors.Join, and not a message with several causes.
func isJoined(err error, parts []error) bool { return err.Error() == errors.Join(parts...).Error() }

func newRoot(env Env) *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use:   "roclua",
		Short: "Run Lua scenarios against the device-memory model of rocBLAS and rocSOLVER",
		Long: `roclua runs Lua scenarios against the device-memory (workspace) model of rocBLAS and rocSOLVER.

  roclua run                           every scenario of ./config.toml
  roclua run solve.lua                 one script, under its schemes
  roclua run query                     the scenarios of a folder in ./config.toml
  roclua run query/minimum_size        one scenario of ./config.toml by its name
  roclua run --profile rocm-6.4 --filter 'scheme=manual'
  roclua list                          the scenarios and their subjects`,
		SilenceErrors: true, SilenceUsage: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && !showVersion {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				_, err := fmt.Fprintln(env.Stdout, "roclua", version())
				return err
			}
			return cmd.Help()
		},
	}
	// Cobra's own flag needs a template, and a program with text/template is a tenth larger.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "version for roclua")
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetIn(env.Stdin)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(wrongFlag)
	first := ""
	if len(env.Args) > 0 {
		first = env.Args[0]
	}
	for _, c := range subcommands {
		if c.name == first { // the program starts sooner without the other commands and their flags
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(c.make(env))
			return root
		}
	}
	for _, c := range subcommands {
		root.AddCommand(c.make(env))
	}
	completeUsage(root)
	if slices.Contains(completionRequests, first) {
		completeFlags(root, env)
	}
	return root
}

// subcommands are the commands of the program by their names.
var subcommands = []struct {
	name string
	make func(Env) *cobra.Command
}{
	{"run", newRun}, {"merge", newMerge}, {"inspect", newInspect}, {"list", newList}, {"platforms", newPlatforms},
	{"size", newSize}, {"serve", newServe}, {"gemm", newGemm}, {"tuning", newTuning},
	{"log", newLog}, {"plan", newPlan}, {"defects", newDefects}, {"calibrate", newCalibrate},
	{"record", newRecord}, {"import", newImport}, {"verify", newVerify}, {"compare", newCompare},
	{"repl", newRepl},
	{"docs", newDocs}, {"types", newTypes}, {"init", newInit}, {"new", newNew}, {"worker", newWorker},
	{"version", newVersion},
}
