package tests

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"roclua/host"
)

var update = flag.Bool("update", false, "rewrite the expected output of the transcripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"roclua": func() { os.Exit(host.Main(os.Args[1:], host.OSEnv())) },
	})
}

// TestCommandLine plays the transcripts in testdata/cli: what a user types, and what the program answers.
func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/cli", UpdateScripts: *update, RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits}})
}

// exits is the command `exits CODE roclua ARGS...`: the program ends with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [args...]")
	}
	code := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		code = err.Error()
	}
	if want := args[0]; code != want && code != "exit status "+want {
		ts.Fatalf("%v ended with %q, want exit status %s", args[1:], code, want)
	}
}
