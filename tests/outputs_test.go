package tests

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"roclua/host"
	"roclua/host/exit"
)

// specialText is a scenario that uses text with a special meaning in one of the formats wherever it can.
const specialText = `
local special = "a,b|c # SKIP <b>&\"' ]]> ::error::x\n1..2\n\255\0\27[31m%0A{{x}}"
return {
  about = special, params = { n = 1 }, schemes = { "managed", "manual", "user_owned" },
  run = function(t)
    t:metric("text " .. special, special, special)
    t:metric("number", 0/0)
    t:log(special)
    if t.scheme == "manual" then t:skip(special) end
    if t.scheme == "user_owned" then error(special) end
    t:check(t.n == 1, special)
  end,
}`

// TestOutputsEscapeText runs specialText with every output format and reads each output with a reader of its format.
func TestOutputsEscapeText(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("special.lua", []byte(specialText), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "special.lua", "--quiet", "--axis", "n=1,2"}
	formats := []string{"text", "json", "jsonl", "junit", "tap", "csv", "markdown", "github", "html", "trace"}
	for _, f := range formats {
		args = append(args, "--out", f+"="+f)
	}
	if code := host.Main(args, testEnv(io.Discard, io.Discard)); code != int(exit.Script) {
		t.Fatalf("exit %d", code)
	}
	readers := map[string]func([]byte) error{
		"json": readJSON, "trace": readJSON, "junit": readXML, "tap": readTAP, "csv": readCSV,
		"github": readAnnotations,
		"jsonl": func(text []byte) error {
			for line := range bytes.Lines(text) {
				if err := readJSON(line); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for _, f := range formats {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Error(err)
			continue
		}
		if !utf8.Valid(text) || bytes.ContainsAny(text, "\x00\x1b") {
			t.Errorf("%s has invalid or control characters", f)
		}
		if read := readers[f]; read != nil {
			if err := read(text); err != nil {
				t.Errorf("%s: %v\n%s", f, err, text)
			}
		}
	}
}

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

func readCSV(text []byte) error {
	_, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	return err
}

var tapLine = regexp.MustCompile(`^(TAP version 14|1\.\.6|(not )?ok \d+ - special.*|` +
	`  ---|  message: ".*"|  outcome: ".*"|  \.\.\.)$`)

func readTAP(text []byte) error { return eachLine(text, tapLine) }

var annotation = regexp.MustCompile(`^::error file=special.lua,line=\d+,title=(2 cases%3A )?special[^:]*::.*$`)

func readAnnotations(text []byte) error { return eachLine(text, annotation) }

func eachLine(text []byte, form *regexp.Regexp) error {
	for line := range strings.Lines(string(text)) {
		if !form.MatchString(strings.TrimSuffix(line, "\n")) {
			return errors.New("invalid line: " + line)
		}
	}
	return nil
}
