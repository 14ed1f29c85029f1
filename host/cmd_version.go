package host

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/host/config"
	"roclua/workspace"
)

func newVersion(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the platforms and the profiles",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(env.Stdout, "roclua %s\nplatforms  %s\n", version(), strings.Join(hip.Platforms(), ", "))
			for _, name := range config.Profiles() {
				p, err := workspace.FindProfile(name)
				if err != nil || !p.Modelled() {
					continue
				}
				fmt.Fprintf(env.Stdout, "%-10s %s: %s\n%-10s reproduces %s\n", p.Name, p.Release.Versions, p.About, "",
					p.Release.Verified())
			}
			return nil
		},
	}
}

// release is the version of the program. The Makefile reads it here.
const release = "0.8.0"

// version returns the release and, if Go recorded it, the commit: "0.7.0 (1727b6b65a3d, modified)".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	return release + commitOf(info.Settings)
}

// commitOf returns the commit of a build in parentheses, or "" if Go did not record it.
func commitOf(settings []debug.BuildSetting) string {
	recorded := map[string]string{}
	for _, s := range settings {
		recorded[s.Key] = s.Value
	}
	commit := recorded["vcs.revision"]
	if commit == "" {
		return ""
	}
	commit = commit[:min(12, len(commit))]
	if recorded["vcs.modified"] == "true" {
		commit += ", modified"
	}
	return " (" + commit + ")"
}
