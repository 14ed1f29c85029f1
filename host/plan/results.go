package plan

import (
	"fmt"
	"slices"
)

// StrayResults describes the plain scripts among cases that return a value. Most likely they were meant as scenarios.
func StrayResults(cases List) []string {
	var list []string
	for _, d := range cases.Scenarios() {
		if d.Declared.Returned == "" {
			continue
		}
		text := fmt.Sprintf("%s returns %s, which is ignored; a scenario is a table with a function run, such as "+
			"return { run = function(t) ... end } (see roclua docs scenario)", d.File, d.Declared.Returned)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
