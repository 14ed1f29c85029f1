package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"

	"roclua/hip/nearest"
)

// Load reads a file over the defaults. Unknown keys are errors that name the line and the nearest key.
func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
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
	meta, err := toml.Decode(text, c)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", name, syntaxText(syntax))
	case err != nil:
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Keys() {
		c.setSource(key.String(), fmt.Sprintf("%s:%d", name, lineOf(text, key)))
	}
	for _, key := range meta.Undecoded() {
		known := keysAt(key[:len(key)-1])
		last := key[len(key)-1]
		return fmt.Errorf("%s:%d: unknown key %q%s (known here: %s)", name, lineOf(text, key), key.String(),
			nearest.DidYouMean(last, known), strings.Join(known, ", "))
	}
	return nil
}

// syntaxText returns the text of a syntax error with its line. A file that is not text has none.
func syntaxText(e toml.ParseError) string {
	if e.Position.Line < 1 {
		return strings.TrimPrefix(e.Error(), "toml: ")
	}
	return strings.TrimPrefix(strings.TrimSpace(e.ErrorWithPosition()), "toml: error: ")
}

// keysAt lists the keys that the configuration has in a table.
func keysAt(path toml.Key) []string {
	t := reflect.TypeFor[Config]()
	for _, name := range path {
		if field, ok := fieldOf(t, name); ok {
			t = field.Type
			for t.Kind() == reflect.Slice {
				t = t.Elem()
			}
		}
	}
	var names []string
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		if tag := t.Field(i).Tag.Get("toml"); tag != "" {
			names = append(names, tag)
		}
	}
	sort.Strings(names)
	return names
}

// set applies one --set KEY=VALUE. A value that is not TOML, or where a string is expected, is taken as a string.
func (c *Config) set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("--set %s: want KEY=VALUE, such as limits.timeout=30s or params.n=512", assignment)
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	asString := fmt.Sprintf("%s = %q", key, value)
	var probe map[string]any
	if _, err := toml.Decode(key+" = "+value, &probe); err != nil {
		return c.decode(asString, "--set "+assignment)
	}
	err := c.decode(key+" = "+value, "--set "+assignment)
	if err != nil && strings.Contains(err.Error(), "destination has type string") {
		err = c.decode(asString, "--set "+assignment)
	}
	return err
}
