package plan

import (
	"fmt"
	"slices"

	"roclua/host/config"
)

// UnusedExceptions describes the exceptions that select no case of a whole run: most likely their patterns are wrong.
func UnusedExceptions(cfg *config.Config, cases List) []string {
	type exception struct {
		match *config.Pattern
		text  string
	}
	var unused []exception
	for _, s := range cfg.Scenarios {
		for _, of := range []struct {
			key  string
			list []config.Exception
		}{{"skip", s.Skip}, {"known_failures", s.KnownFailures}} {
			for _, e := range of.list {
				match, err := config.ParsePattern(e.Match)
				if err != nil {
					panic(err) // the configuration has been validated
				}
				unused = append(unused, exception{match,
					fmt.Sprintf("%s: scenario %s: %s = %q matches no case (roclua inspect lists their ids)",
						cfg.File(), s.Script, of.key, e.Match)})
			}
		}
	}
	for i := 0; i < len(cases) && len(unused) > 0; i++ {
		unused = slices.DeleteFunc(unused, func(e exception) bool { return cases[i].matches(e.match) })
	}
	var texts []string
	for _, e := range unused {
		texts = append(texts, e.text)
	}
	return texts
}
