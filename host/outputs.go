package host

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/internal/atomicfile"
)

// outOptions are --out of a command, and its short forms.
type outOptions struct {
	list      []string
	json, csv bool
}

// add adds --out to the flags of a command; what is what the command writes.
func (o *outOptions) add(cmd *cobra.Command, what string) {
	cmd.Flags().StringArrayVar(&o.list, "out", nil, fmt.Sprintf("write the %s as FORMAT[=FILE]: %s (repeatable)", what,
		strings.Join(output.OfCommand(cmd.Name()), ", ")))
}

// addJSON and addCSV add the short forms.
func (o *outOptions) addJSON(flags *pflag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, "write JSON, as --out json")
}

func (o *outOptions) addCSV(flags *pflag.FlagSet) {
	flags.BoolVar(&o.csv, "csv", false, "write CSV, as --out csv")
}

// parse returns the outputs of the command line. Without any it returns text on standard output.
func (o *outOptions) parse(cmd *cobra.Command) ([]output.Output, error) {
	if o.json && o.csv {
		return nil, fmt.Errorf("--json and --csv both use standard output; choose one")
	}
	list := o.list
	if o.json {
		list = append(list, "json")
	}
	if o.csv {
		list = append(list, "csv")
	}
	return output.Parse(list, cmd.Name())
}

// checkOutputs returns an error if an output cannot be written, or if it is also another of the files. Before a file is
// written, it lets the program survive that the reader of standard output ends.
func (e Env) checkOutputs(files *atomicfile.Files, outs []output.Output) error {
	for _, out := range outs {
		if out.File == "" {
			continue
		}
		e.surviveClosedStreams()
		if err := files.Writes(out.String(), out.File); err != nil {
			return err
		}
	}
	return nil
}

// checkPlanned is checkOutputs for a command that reads a configuration and scripts.
func (e Env) checkPlanned(outs []output.Output, cfg *config.Config, cases []*plan.Case) error {
	files := atomicfile.NewFiles(e.files())
	if filepath.Ext(cfg.File()) == ".toml" {
		files.Reads("the configuration "+cfg.File(), cfg.File())
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if path := c.Definition.Path(); !seen[path] {
			seen[path] = true
			files.Reads("the script "+path, path)
		}
	}
	return e.checkOutputs(files, outs)
}

// write writes data in the outputs.
func (e Env) write(outs []output.Output, d output.Data) error {
	return output.Write(outs, d, e.destination())
}

// destination returns where outputs are written.
func (e Env) destination() output.Destination {
	return output.Destination{Stdout: e.Stdout, Stderr: e.Stderr, System: e.files(),
		Summary: e.Getenv("GITHUB_STEP_SUMMARY")}
}
