// Package starter contains the files of a new project: a scenario, and the settings of an editor.
package starter

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed query.lua.tmpl
var query string

//go:embed solve.lua.tmpl
var solve string

//go:embed luarc.json.tmpl
var luarc string

// Scenario is the content of a new scenario.
type Scenario struct {
	About   string
	Routine string // routine for a workspace query, "dgetrf"; "" for a scenario that computes
	Call    string // a call of that routine with its required arguments, "q:dgetrf{ m = 512, n = 512 }"
}

// Text returns the scenario's file.
func (s Scenario) Text() string {
	text := solve
	if s.Routine != "" {
		text = query
	}
	var modules strings.Builder
	for _, name := range s.modules() {
		fmt.Fprintf(&modules, "local %[1]s = require %[1]q\n", name)
	}
	return strings.NewReplacer("<<about>>", s.About, "<<routine>>", s.Routine, "<<call>>", s.Call,
		"<<modules>>\n", modules.String()).Replace(text)
}

// modules lists the modules whose constants or functions the call names.
func (s Scenario) modules() []string {
	return slices.DeleteFunc([]string{"rocblas", "rocsolver"}, func(name string) bool {
		return !strings.Contains(s.Call, name+".")
	})
}
