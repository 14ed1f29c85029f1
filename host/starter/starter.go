// Package starter contains the files of a new project: a scenario, and the settings of an editor.
package starter

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Delims("<<", ">>").ParseFS(files, "*.tmpl"))
})

// Scenario is the content of a new scenario.
type Scenario struct {
	About   string
	Routine string // routine for a workspace query, "dgetrf"; "" for a scenario that computes
	Call    string // a call of that routine with its required arguments, "q:dgetrf{ m = 512, n = 512 }"
}

// Text returns the scenario's file.
func (s Scenario) Text() string {
	if s.Routine != "" {
		return fill("query.lua.tmpl", s)
	}
	return fill("solve.lua.tmpl", s)
}

// Modules lists the modules whose constants or functions the call names.
func (s Scenario) Modules() []string {
	return slices.DeleteFunc([]string{"rocblas", "rocsolver"}, func(name string) bool {
		return !strings.Contains(s.Call, name+".")
	})
}

func fill(name string, data any) string {
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("starter: %v", err)) // the templates are our own
	}
	return b.String()
}
