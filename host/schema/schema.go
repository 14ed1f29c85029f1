// Package schema carries the JSON Schemas of what the program reads and writes. They are written from the Go types and
// their comments by the tests of package host (make docs), so that they cannot fall behind.
package schema

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names are the schemas that there are.
var Names = []string{"config", "results", "events"}

// Read returns a schema: "config" is a configuration, "results" the document of --out json, "events" a line of --out jsonl.
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema %q (have %s)", name, strings.Join(Names, ", "))
	}
	return text, nil
}
