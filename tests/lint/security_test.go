//go:build lint

package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guaranteed are the sections of SECURITY.md that consist of guarantees.
var guaranteed = []string{"The sandbox", "Limits", "Worker processes", "Text and files"}

// sectionsOf returns the text below each heading of a file.
func sectionsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split("\n"+string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		sections[title] = body
	}
	return sections
}

var (
	blocks      = regexp.MustCompile(`\n\s*\n|\n(\* |\|)`)
	sentenceEnd = regexp.MustCompile("([.:]) ([A-Z`])")
	tableHead   = regexp.MustCompile(`^\|?(-|(level|limit|sentence) \|)`)
)

// sentences returns the sentences of a section, and the rows of its tables without the leading bar.
func sentences(section string) []string {
	var list []string
	for _, block := range blocks.Split("\n"+section, -1) {
		text := strings.Join(strings.Fields(strings.TrimLeft(block, "*| ")), " ")
		if text == "" || tableHead.MatchString(text) {
			continue
		}
		list = append(list, strings.Split(sentenceEnd.ReplaceAllString(text, "$1\n$2"), "\n")...)
	}
	return list
}

// TestEveryGuaranteeHasATest checks security-tests.md: each guarantee in SECURITY.md has one row, each row belongs to a
// guarantee, and the tests that it names exist.
func TestEveryGuaranteeHasATest(t *testing.T) {
	promises, tables := sectionsOf(t, "../../SECURITY.md"), sectionsOf(t, "../../docs/development/security-tests.md")
	for _, title := range guaranteed {
		rows := map[string]int{} // sentences of each row
		for _, line := range strings.Split(tables[title], "\n") {
			row, ok := strings.CutPrefix(line, "| ")
			if !ok || tableHead.MatchString(row) {
				continue
			}
			cut := strings.LastIndex(strings.TrimSuffix(row, " |"), " | ")
			rows[strings.ReplaceAll(row[:cut], `\|`, "|")] = 0
			checkTests(t, row[cut+len(" | "):])
		}
		if len(rows) < 10 {
			t.Errorf("%s: %d rows", title, len(rows))
		}
		for _, sentence := range sentences(promises[title]) {
			found := 0
			for start := range rows {
				if strings.HasPrefix(sentence, start) {
					found++
					rows[start]++
				}
			}
			if found != 1 {
				t.Errorf("%s: %d rows of docs/development/security-tests.md, want 1, are of %q", title, found, sentence)
			}
		}
		for start, n := range rows {
			if n != 1 {
				t.Errorf("%s: the row %q is of %d sentences", title, start, n)
			}
		}
	}
}

var testName = regexp.MustCompile("`([^`]+)`")

// checkTests checks that the tests of a row exist: functions of packages, and transcripts of the command line.
func checkTests(t *testing.T, cell string) {
	t.Helper()
	names := testName.FindAllStringSubmatch(cell, -1)
	if len(names) == 0 && !strings.HasPrefix(cell, "explanation") {
		t.Errorf("%q names no test", cell)
	}
	for _, m := range names {
		if strings.HasSuffix(m[1], ".txtar") {
			if _, err := os.Stat(filepath.Join("../testdata/cli", m[1])); err != nil {
				t.Error(err)
			}
			continue
		}
		folder, function, _ := strings.Cut(m[1], ".")
		files, _ := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			found = found || err == nil && strings.Contains(string(text), "\nfunc "+function+"(")
		}
		if !found {
			t.Errorf("there is no test %s in %s", function, folder)
		}
	}
}
