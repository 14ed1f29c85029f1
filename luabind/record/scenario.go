package record

import (
	"slices"
	"strings"
)

// Param is one parameter of a scenario with its default.
type Param struct {
	Name  string
	Value any // float64, string or bool
}

// SchemeRecorded is the scheme of recordings: handles have the memory that the program set.
const SchemeRecorded = "recorded"

// NotKnown begins problems about gaps of a recording or of the model.
const NotKnown = "not known: "

// Scenario is the declaration of a file, or of one of its scenarios.
type Scenario struct {
	Recording bool   // the file is a recording, and no script
	Plain     bool   // the file is a plain script: it returns no table
	Returned  string // value that a plain script returns, such as "the number 5"; "" for none, or if it is unknown
	Name      string // name in a file that returns a list of scenarios; "" in others
	About     string
	Source    string // the document that the scenario demonstrates
	Params    []Param
	Schemes   []string // schemes it runs under, in the given order; nil if it opens its handles itself
	AnyScheme bool     // it runs under every scheme
	Tags      []string
	Platforms []string          // platforms that it can run on; nil for all
	Profiles  []string          // prefixes of the names of profiles that it is about; nil for all
	Expect    map[string]string // conditions on its metrics
	Metrics   map[string]string // which value counts of metrics that a case records more than once; see Choices
	Workload  bool              // its clients run events
	Required  []string          // files that its top level looked at for modules, missing ones included
}

// Unsuited returns why a scenario is not for a platform or a profile, or "" if it is.
func (s *Scenario) Unsuited(platform, profile string) string {
	hasPrefix := func(p string) bool { return strings.HasPrefix(profile, p) }
	switch {
	case s.Platforms != nil && !slices.Contains(s.Platforms, platform):
		return "for the platforms " + strings.Join(s.Platforms, ", ")
	case s.Profiles != nil && !slices.ContainsFunc(s.Profiles, hasPrefix):
		return "about profiles " + strings.Join(s.Profiles, "..., ") + "..."
	}
	return ""
}
