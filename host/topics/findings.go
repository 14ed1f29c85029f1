package topics

import (
	"embed"
	"fmt"
	"io"
	"path"
	"strings"

	"roclua/luabind/manual"
)

// findingFolder has a page for each code of the findings of roclua log and roclua run in recordings. A page explains
// the finding, and ends with a scenario that shows it, if scripts can.
//
//go:embed findings/*.txt
var findingFolder embed.FS

// beforeScenario is the line of a page before its scenario.
const beforeScenario = "\nThis scenario fails for it:\n\n"

// findingCodes lists the codes, sorted.
func findingCodes() []string {
	var codes []string
	for _, file := range filesOf(findingFolder, "findings") {
		codes = append(codes, strings.TrimSuffix(file, ".txt"))
	}
	return codes
}

// findingPage returns the page of a code; nil for none.
func findingPage(code string) manual.Page {
	text, err := findingFolder.ReadFile(path.Join("findings", code+".txt"))
	if err != nil {
		return nil
	}
	return func(w io.Writer) {
		fmt.Fprintf(w, "%s: a finding of roclua log, plan and run in a recording\n\n%s", code, text)
	}
}

// Findings returns the codes of findings with the scenarios that show them; "" where scripts cannot.
func Findings() map[string]string {
	scripts := map[string]string{}
	for _, code := range findingCodes() {
		var page strings.Builder
		findingPage(code)(&page)
		_, scripts[code], _ = strings.Cut(page.String(), beforeScenario)
	}
	return scripts
}
