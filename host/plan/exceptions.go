package plan

import (
	"fmt"
	"regexp"
	"slices"

	"roclua/host/config"
)

// UnusedExceptions describes the exceptions that match no case of a whole run: most likely their expressions are wrong.
func UnusedExceptions(cfg *config.Config, cases []*Case) []string {
	var unused []string
	for _, s := range cfg.Scenarios {
		for _, of := range []struct {
			key  string
			list []config.Exception
		}{{"skip", s.Skip}, {"known_failures", s.KnownFailures}} {
			for _, e := range of.list {
				re := regexp.MustCompile(e.Match)
				if !slices.ContainsFunc(cases, func(p *Case) bool { return re.MatchString(p.ID) }) {
					unused = append(unused,
						fmt.Sprintf("%s: scenario %s: %s = %q matches no case (roclua inspect lists their ids)",
							cfg.File(), s.Script, of.key, e.Match))
				}
			}
		}
	}
	return unused
}
