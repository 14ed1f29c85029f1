package tests

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"roclua/host"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/internal/randomtest"
)

// specialScript has scenarios that use a string wherever a script can. %s is a Lua literal.
const specialScript = `
local special = %s
local hip = require "hip"
local common = { about = special, source = special, tags = { special }, params = { n = 1, text = special } }
local function scenario(name, fields)
  for key, value in pairs(common) do fields[key] = value end
  fields.name = name
  return fields
end
return {
  scenario("passes", { run = function(t)
    t:metric("name " .. special, special, special) t:metric(special, 0/0) t:log(special) print(special)
  end }),
  scenario("skips", { run = function(t) t:skip(special) end }),
  scenario("raises", { run = function(t) t:log(special) error(special) end }),
  scenario("chunk", { run = function(t) assert(loadstring("error('x')", "@" .. special))() end }),
  scenario("syntax", { run = function(t) assert(loadstring("x x", "=" .. special)) end }),
  scenario("requires", { run = function(t) require(special) end }),
  scenario("checks", { run = function(t)
    t:check(false, special) t:equal(special, special .. "x", special) t:equal({ [special] = special }, 1)
  end }),
  scenario("leaks", { run = function(t) assert(loadstring("require('hip').malloc(64)", "@" .. special))() end }),
  scenario("defers", { run = function(t) t:defer(function() error(special) end) end,
    teardown = function(t) error(special) end }),
  scenario("known", { run = function(t) t:check(false) end }),
  scenario("changes", { run = function(t) t:metric("value", special) end }),
}`

// specialStrings have a special meaning in an output format, or for a terminal, a spreadsheet or a CI server.
var specialStrings = []string{
	"a,b|c # SKIP <b>&\"' ]]> ::error::x\n1..2\n\xff\x00\x1b[31m%0A{{x}}", "\n::error::x\n  ::add-mask::y",
	"##[error]x", "\x00", "\x1b]0;title\x07", "\xc2\x9b31m\xc2\x85", "\xe2\x80\xaetxt.exe\xe2\x81\xa6", "\x7f",
	"\xff\xfe\xc3", "\xed\xa0\x80", "\xef\xbf\xbe", "=1+1", "+cmd|' /C calc'!A0", "@x", "-x", "\t=1", "a\r\nb\rc",
	"`x` ``y``", "\\|", "|", "[a](https://x.org) @user #1 www.x.org", "</script><img src=x onerror=alert(1)>", "]]>",
	"ok 1 # TODO", "  ---\n  ...", "\"\"", "\\", strings.Repeat("x\n", 1000),
}

// luaLiteral returns a Lua literal for any bytes.
func luaLiteral(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		fmt.Fprintf(&b, `\%03d`, text[i])
	}
	return b.String() + `"`
}

// specialConfig uses a string where a configuration can.
const specialConfig = `baseline = "kept"
[[scenario]]
script = "special.lua"
known_failures = [{ match = "known", reason = %[1]q }]
skip = [{ match = "n=3", reason = %[1]q }]
matrix = { n = [1, 3], text = [%[1]q] }
`

// TestOutputsEscapeText uses special strings wherever a script can, with every output format, and parses each output.
// Without -all it uses every fourth string.
func TestOutputsEscapeText(t *testing.T) {
	step := 4
	if *all {
		step = 1
	}
	for i := int(randomtest.Seed(t) % uint64(step)); i < len(specialStrings); i += step {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkOutputs(t, specialStrings[i]) })
	}
}

// TestPathsOfLogs reads logs whose path has control characters. A log may come from anyone.
func TestPathsOfLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	const log = "a\x1b]0;title\x07\u202e<b>.log"
	if err := os.WriteFile(log, []byte("rocblas_create_handle,atomics_allowed\n"+
		"rocsolver-bench -f getrf --precision d -m 64 -n 64\n"), 0o644); err != nil {
		t.Skip(err)
	}
	for _, command := range []string{"log", "plan"} {
		args := []string{command, log, "--profile", "rocm-6.4,rocm-7.2", "--fail-above", "1TiB"}
		formats := output.OfCommand(command)
		for _, f := range formats {
			if f != "text" {
				args = append(args, "--out", f+"="+f)
			}
		}
		var stdout, stderr bytes.Buffer
		if code := host.Main(append(args, "--out", "text"), testEnv(&stdout, &stderr)); code != 0 {
			t.Fatalf("%s: exit %d: %s", command, code, &stderr)
		}
		for _, f := range formats {
			text, err := os.ReadFile(f)
			if f == "text" {
				text, err = stdout.Bytes(), nil
			}
			if bad := unsafeText().Find(text); bad != nil || err != nil {
				t.Errorf("%s as %s: %q, %v", command, f, bad, err)
			}
		}
	}
}

func checkOutputs(t *testing.T, special string) {
	t.Chdir(t.TempDir())
	encoded, _ := json.Marshal(special) // also a TOML string
	reason := strings.ReplaceAll(string(encoded), "\x7f", "?")
	files := map[string]string{
		"special.lua":       fmt.Sprintf(specialScript, luaLiteral(special)),
		"c.toml":            strings.ReplaceAll(specialConfig, "%[1]q", reason),
		"kept/special.toml": "[\"special/changes[n=1]@cpu/rocm-7.2/gfx90a\"]\nvalue = \"old\"\n",
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"run", "c.toml", "--quiet"}
	formats := []string{"json", "jsonl", "junit", "tap", "csv", "markdown", "github", "html", "trace"}
	for _, f := range formats {
		args = append(args, "--out", f+"="+f)
	}
	var stdout, stderr bytes.Buffer
	env := testEnv(&stdout, &stderr)
	env.Getenv = func(name string) string {
		return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary"}[name]
	}
	if code := host.Main(append(args, "--out", "text", "--color", "always"), env); code != int(exit.Script) {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	text := colors().ReplaceAll(stdout.Bytes(), nil)
	if bad := unsafeText().Find(text); bad != nil || workflowCommand().Match(text) || stderr.Len() > 0 {
		t.Errorf("text has %q\n%s%s", bad, text, &stderr)
	}
	readers := map[string]func([]byte) error{
		"json": readJSON, "trace": readJSON, "junit": readXML, "tap": readTAP, "csv": readCSV,
		"github": readAnnotations, "markdown": readMarkdown, "summary": readMarkdown,
		"jsonl": func(text []byte) error {
			for line := range bytes.Lines(text) {
				if err := readJSON(line); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for _, f := range append(formats, "summary") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Error(err)
			continue
		}
		if bad := unsafeText().Find(text); !utf8.Valid(text) || bad != nil {
			t.Errorf("%s has %q", f, bad)
		}
		if read := readers[f]; read != nil {
			if err := read(text); err != nil {
				t.Errorf("%s: %v\n%s", f, err, text)
			}
		}
	}
}

var (
	// colors are the control sequences allowed in terminal reports.
	colors = lazy(`\x1b\[[0-9;]*m`)
	// unsafeText matches text forbidden in all outputs: control characters and bidirectional formatting characters.
	unsafeText = lazy(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200e}\x{200f}\x{2028}-\x{202e}` +
		`\x{2066}-\x{2069}\x{fffe}\x{ffff}]`)
	// workflowCommand matches text that GitHub Actions interprets as a command.
	workflowCommand = lazy(`(?m)^\s*::|##\[`)
)

func readJSON(text []byte) error {
	var doc map[string]any
	return json.Unmarshal(text, &doc)
}

func readXML(text []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readCSV reads rows and looks for formulas.
func readCSV(text []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	for _, row := range rows {
		for _, cell := range row {
			first := cell[:min(1, len(cell))]
			_, notNumber := strconv.ParseFloat(cell, 64)
			if strings.ContainsAny(first, "=+-@\t\r") && notNumber != nil {
				return errors.New("a formula: " + cell)
			}
		}
	}
	return err
}

// readMarkdown checks that each table row has three or six cells, and that there are no tags outside of code.
func readMarkdown(text []byte) error {
	inCode := regexp.MustCompile("`+[^`]+`+|<br>|</?details>|</?summary>")
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") - 1
		if cells != 3 && cells != 6 {
			return fmt.Errorf("%d cells: %s", cells, line)
		}
		rest := inCode.ReplaceAllString(line, "")
		if strings.ContainsAny(rest, "<[@#") || strings.Contains(rest, "www.") {
			return errors.New("markup: " + line)
		}
	}
	return nil
}

var tapLine = lazy(`^(TAP version 14|# rocm-\S+ reproduces .*|1\.\.23|(not )?ok \d+ - special.*|` +
	`  ---|  message: ".*"|  outcome: ".*"|  \.\.\.)$`)

func readTAP(text []byte) error { return eachLine(text, tapLine()) }

var annotation = lazy(`^::error (file=[^:,]*,line=\d+,)?title=(\d+ cases%3A )?special[^:]*::.*$`)

func readAnnotations(text []byte) error { return eachLine(text, annotation()) }

func eachLine(text []byte, form *regexp.Regexp) error {
	for line := range strings.Lines(string(text)) {
		if !form.MatchString(strings.TrimSuffix(line, "\n")) {
			return errors.New("invalid line: " + line)
		}
	}
	return nil
}

// TestPathsAreEscaped names files and folders with control characters, in commands that print the paths of files that
// they write.
func TestPathsAreEscaped(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"new", "a\x1b[31m\r\u202e"}, {"init", "b\x1b]0;x\x07\xff"},
		{"types", "--out", "c\x1b[2J"}} {
		var stdout, stderr bytes.Buffer
		code := host.Main(args, testEnv(&stdout, &stderr))
		bad := unsafeText().Find(stdout.Bytes())
		if code != int(exit.Pass) || bad != nil || !utf8.Valid(stdout.Bytes()) ||
			!strings.Contains(stdout.String(), `\x1b`) {
			t.Errorf("%q: exit %d, %q\n%s%s", args, code, bad, &stdout, &stderr)
		}
	}
}
