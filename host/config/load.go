package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"

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
	cfg.complete()
	return &cfg, nil
}

// decode reads TOML over the configuration. name is the file or the flag that messages and sources name.
func (c *Config) decode(text, name string) error {
	return c.decodeFrom(text, func(line int) string { return fmt.Sprintf("%s:%d", name, line) }, name)
}

// decodeFrom reads TOML over the configuration. source describes a line of the text, and name all of it.
func (c *Config) decodeFrom(text string, source func(line int) string, name string) error {
	var tree map[string]any
	_, err := toml.Decode(text, &tree)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", name, syntaxText(syntax))
	case err != nil:
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	lines := readLines(text)
	if err := firstError(checkTypes(reflect.TypeFor[Config](), "", tree), lines); err != nil {
		at := source(lines.of(err.path))
		if err.isValue {
			return fmt.Errorf("%s: %s: %w", at, withoutIndexes(err.path), err)
		}
		return fmt.Errorf("%s: %w", at, err)
	}
	if _, err := toml.Decode(text, c); err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for path, line := range lines {
		c.setSource(path, source(line))
	}
	return nil
}

// syntaxText returns the text of a syntax error with its line. For a file that ends after a backslash in a string, the
// decoder does not return a line.
func syntaxText(e toml.ParseError) string {
	if e.Position.Line < 1 {
		return e.Message
	}
	return strings.TrimPrefix(strings.TrimSpace(e.ErrorWithPosition()), "toml: error: ")
}

// set applies one --set KEY=VALUE. A value that is not TOML, or where a string is expected, is taken as a string.
func (c *Config) set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("--set %s: want KEY=VALUE, such as limits.timeout=30s or params.n=512", assignment)
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	source := func(int) string { return "--set " + assignment }
	asString := fmt.Sprintf("%s = %q", key, value)
	var probe map[string]any
	if _, err := toml.Decode(key+" = "+value, &probe); err != nil {
		return c.decodeFrom(asString, source, source(1))
	}
	err := c.decodeFrom(key+" = "+value, source, source(1))
	var wrong *keyError
	if errors.As(err, &wrong) && wrong.want == "a string" {
		err = c.decodeFrom(asString, source, source(1))
	}
	return err
}
