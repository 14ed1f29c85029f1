// Package schema contains the JSON Schemas of the files that the program reads and writes. Tests compare them with the
// Go types, their comments and the keys of the configuration; make docs rewrites them.
package schema

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names lists the schemas.
var Names = []string{"config", "results", "events", "log", "plan", "gemm", "request", "reply"}

// Read returns a schema: "config" describes a configuration, "results" the document of --out json, "events" a line of
// --out jsonl, "log" the document of roclua log --out json, "plan" the one of roclua plan, "gemm" the one of roclua
// gemm, "request" and "reply" the lines of roclua serve.
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema %q (have %s)", name, strings.Join(Names, ", "))
	}
	return text, nil
}
