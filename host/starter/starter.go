// Package starter holds what a project begins with: a configuration, a scenario, and what its editor needs.
package starter

import (
	"embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Delims("<<", ">>").ParseFS(files, "*.tmpl"))

// Scenario is what the first form of a scenario says.
type Scenario struct {
	About   string
	Routine string // the routine whose workspace it asks for, "dgetrf"; "" for a scenario that computes
	Call    string // that routine with what must be given, "dgetrf{ m = 512, n = 512 }"
}

// Text returns the scenario's file.
func (s Scenario) Text() string {
	if s.Routine != "" {
		return fill("query.lua.tmpl", s)
	}
	return fill("solve.lua.tmpl", s)
}

// NamesConstants reports whether the call names constants of rocblas.
func (s Scenario) NamesConstants() bool { return strings.Contains(s.Call, "rocblas.") }

// Config returns a configuration that runs the scenarios of a folder on several profiles.
func Config(scripts string, profiles ...string) string {
	return fill("config.toml.tmpl", struct {
		Scripts  string
		Profiles []string
	}{scripts, profiles})
}

// EditorSettings returns the file .luarc.json, for annotations in a folder.
func EditorSettings(types string) string { return fill("luarc.json.tmpl", types) }

func fill(name string, data any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("starter: %v", err)) // the templates are our own
	}
	return b.String()
}
