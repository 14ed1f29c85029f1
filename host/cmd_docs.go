package host

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/schema"
	"roclua/host/starter"
	"roclua/host/topics"
	"roclua/internal/nearest"
	"roclua/luabind/manual"
)

func newDocs(env Env) *cobra.Command {
	var reference, preload bool
	var schemaOf string
	cmd := &cobra.Command{
		Use:   "docs [NAME]...",
		Short: "Look up a routine, a function, a constant, a status, an error, a key or a topic",
		Long: `Look up a routine (dgetrf) or its family (getrf), a function (hip.malloc), a method (handle:query),
a module (array), an object (error), an enumeration (operation), a status (memory_error), an error
of HIP (hipErrorOutOfMemory), the exit codes (exit), a key of the configuration (limits.timeout), or
a topic (expect). For another word (leak) it lists the pages that have it. Without a name it lists the
names.

A routine is also found by its name in BLAS and LAPACK (dgetrf_, cblas_dgemm), hipBLAS (hipblasDgemm)
and hipSOLVER (hipsolverDgetrf), a function of handles by its name in both (hipblasSetStream).`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return topics.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			out := bufio.NewWriter(env.Stdout)
			defer out.Flush()
			switch {
			case preload && !slices.Equal(args, []string{"logging"}):
				return fmt.Errorf("--preload belongs to one topic: roclua docs logging --preload")
			case preload:
				_, err := out.WriteString(topics.Preload)
				return err
			case reference:
				manual.Reference(out, topics.Program())
				return nil
			case schemaOf != "":
				return writeSchema(out, schemaOf)
			}
			return topics.LookUp(out, args...)
		},
	}
	cmd.Flags().BoolVar(&reference, "reference", false, "write the whole reference page in Markdown")
	cmd.Flags().BoolVar(&preload, "preload", false,
		"with logging: write the C source of a library that begins the logging of rocSOLVER")
	cmd.Flags().StringVar(&schemaOf, "schema", "",
		"write the JSON Schema of config (a configuration), results (--out json), events (a line of --out jsonl), "+
			"log (roclua log --out json), plan (roclua plan --out json), or of request or reply (lines of roclua "+
			"serve)")
	return cmd
}

func writeSchema(w io.Writer, name string) error {
	text, err := schema.Read(name)
	if err != nil {
		return fmt.Errorf("--schema: %w%s", err, nearest.DidYouMean(name, schema.Names))
	}
	_, err = w.Write(text)
	return err
}

func newTypes(env Env) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "types --out DIR",
		Short: "Write annotations of the modules and routines for an editor",
		Long: `Write annotations for the Lua language server (LuaLS) into a folder: every function and routine with
its parameters, their types and its workspace. Name the folder in the editor's settings, or in
.luarc.json:

  { "runtime.version": "Lua 5.1", "workspace.library": ["DIR"] }`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return fmt.Errorf("types needs a folder to write to: --out DIR")
			}
			files, err := starter.WriteTypes(env.files(), out)
			if err != nil {
				return fmt.Errorf("cannot write the annotations: %w", err)
			}
			return env.say("%s\n", strings.Join(files, "\n"))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to; it is created if necessary")
	return cmd
}
