package host

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/hip/nearest"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/schema"
	"roclua/host/topics"
	"roclua/luabind/manual"
)

func newDocs(env Env) *cobra.Command {
	var reference bool
	var schemaOf string
	cmd := &cobra.Command{
		Use:   "docs [NAME]...",
		Short: "Look up a routine, a function, a constant, a status, an error, a key or a topic",
		Long: `Look up a routine (dgetrf) or its family (getrf), a function (hip.malloc), a method (handle:query),
a module (array), an object (error), an enumeration (operation), a status (memory_error), an error
of HIP (hipErrorOutOfMemory), the exit codes (exit), a key of the configuration (limits.timeout), or
a topic (expect). Without a name it lists them.`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return documentedNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			out := bufio.NewWriter(env.Stdout)
			defer out.Flush()
			switch {
			case reference:
				manual.Reference(out, outside())
				return nil
			case schemaOf != "":
				return writeSchema(out, schemaOf)
			}
			return lookUp(out, args)
		},
	}
	cmd.Flags().BoolVar(&reference, "reference", false, "write the whole reference page in Markdown")
	cmd.Flags().StringVar(&schemaOf, "schema", "",
		"write the JSON Schema of config (a configuration), results (--out json) or events (a line of --out jsonl)")
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

func lookUp(w io.Writer, args []string) error {
	if len(args) == 0 {
		manual.Overview(w, outside())
		return nil
	}
	for i, name := range args {
		pages := manual.Find(name, outside())
		if key := config.Find(name); key != nil && len(pages) == 0 {
			pages = append(pages, func(w io.Writer) { io.WriteString(w, key.Page()) })
		}
		if len(pages) == 0 {
			return unknownName(name)
		}
		for k, page := range pages {
			if i+k > 0 {
				fmt.Fprintln(w)
			}
			page(w)
		}
	}
	return nil
}

// documentedNames lists what can be looked up.
func documentedNames() []string {
	names := manual.Names(outside())
	for _, k := range config.Keys {
		names = append(names, k.Name)
	}
	return names
}

func unknownName(name string) error {
	if meant := routine.Documented(name); meant != "" {
		return fmt.Errorf("nothing is called %q: %s", name, meant)
	}
	return fmt.Errorf("nothing is called %q%s (roclua docs lists all names)", name,
		nearest.DidYouMean(name, documentedNames()))
}

// outside returns what the manual shows of the program: exit codes, topics and platforms.
func outside() manual.Program {
	var pages []manual.Topic
	for _, t := range topics.All() {
		pages = append(pages, manual.Topic(t))
	}
	return manual.Program{Exits: exitCodes(), Topics: pages, Computes: func(r *routine.Routine) []manual.Computation {
		var list []manual.Computation
		for _, name := range hip.Platforms() {
			if by, reason := hip.Computes(name, r); by != "" || reason != "" {
				list = append(list, manual.Computation{Platform: name, By: by, Reason: reason})
			}
		}
		return list
	}}
}

// exitCodes lists the exit codes for the manual.
func exitCodes() []manual.ExitCode {
	var list []manual.ExitCode
	for _, code := range exit.Codes {
		list = append(list, manual.ExitCode{Code: int(code), Meaning: code.Meaning()})
	}
	return list
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
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return fmt.Errorf("types needs a folder to write to: --out DIR")
			}
			files, err := manual.WriteStubs(out)
			if err != nil {
				return fmt.Errorf("cannot write the annotations: %w", err)
			}
			_, err = fmt.Fprintf(env.Stdout, "%s\n", strings.Join(files, "\n"))
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to; it is created if necessary")
	return cmd
}
