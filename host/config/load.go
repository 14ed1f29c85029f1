package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"roclua/input"
)

// Load reads a file over the defaults. Unknown keys are errors that name the line and the nearest key.
func Load(path string) (*Config, error) {
	text, err := input.File(path, input.Config)
	if errors.Is(err, fs.ErrNotExist) && path == DefaultFile {
		return nil, fmt.Errorf("cannot read the configuration: %w; roclua init creates one", err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	cfg := Default()
	cfg.folder, cfg.file = filepath.Dir(path), path
	if err := cfg.decode(string(text), path); err != nil {
		return nil, err
	}
	for i := range cfg.Targets {
		if t := &cfg.Targets[i]; t.Tuning != "" && t.Tuning != Installed {
			t.Tuning = cfg.Path(t.Tuning)
		}
	}
	cfg.complete()
	return &cfg, nil
}

// decode reads the text of a file over the configuration.
func (c *Config) decode(text, file string) error {
	err := c.decodeFrom(text)
	var syntax toml.ParseError
	var wrong *keyError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s%s", file, syntaxText(syntax, text))
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: %w", readPlaces(text).of(wrong.path).in(file), err)
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	}
	c.places = readPlaces(text)
	for path, p := range c.places {
		c.setSource(path, fmt.Sprintf("%s:%d", file, p.line))
	}
	return nil
}

// decodeFrom reads TOML over the configuration. The error is a toml.ParseError, or the first keyError of the text.
func (c *Config) decodeFrom(text string) error {
	var tree map[string]any
	if err := decodeTOML(text, &tree); err != nil {
		return err
	}
	if err := firstError(checkTypes(reflect.TypeFor[Config](), "", tree), text); err != nil {
		return err
	}
	return decodeTOML(text, c)
}

// decodeTOML decodes text. The error has no prefix "toml: " unless it is a toml.ParseError.
func decodeTOML(text string, to any) error {
	err := input.DecodeTOML(text, to)
	if _, syntax := err.(toml.ParseError); err == nil || syntax {
		return err
	}
	return errors.New(strings.TrimPrefix(err.Error(), "toml: "))
}

// longestShown is the maximum length in bytes of a line in a message about a syntax error.
const longestShown = 120

// syntaxText returns the message about a syntax error without the file name: the position, the text, and the line with
// a mark below the position. For a file that ends after a backslash in a string, the decoder returns no position.
func syntaxText(e toml.ParseError, text string) string {
	if e.Position.Line < 1 {
		return ": " + e.Message
	}
	at := min(max(e.Position.Start, 0), len(text))
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	message := fmt.Sprintf(":%d:%d: %s", strings.Count(text[:at], "\n")+1, at-begin+1, e.Message)
	line, _, _ := strings.Cut(text[begin:], "\n")
	line = strings.ReplaceAll(strings.TrimRight(line, "\r"), "\t", " ")
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	if len(line) > longestShown || strings.ContainsFunc(line, unprintable) {
		return message
	}
	before := utf8.RuneCountInString(text[begin:at])
	return message + "\n  " + line + "\n  " + strings.Repeat(" ", before) + "^"
}

// set applies one --set KEY=VALUE. A value that is not TOML, or that is for a string key, is a string.
func (c *Config) set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || key == "" {
		return fmt.Errorf("--set %s: want KEY=VALUE, such as limits.timeout=30s or params.n=512", assignment)
	}
	text, asString := key+" = "+value, fmt.Sprintf("%s = %q", key, value)
	var probe map[string]any
	if err := input.DecodeTOML(text, &probe); err != nil {
		text = asString
	}
	err := c.decodeFrom(text)
	var wrong *keyError
	if errors.As(err, &wrong) && wrong.want == "a string" {
		text, err = asString, c.decodeFrom(asString)
	}
	source := "--set " + assignment
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", source, syntax.Message)
	case err != nil:
		return fmt.Errorf("%s: %w", source, err)
	}
	for path := range readPlaces(text) {
		c.setSource(path, source)
	}
	return nil
}
