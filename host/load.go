package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"

	"roclua/internal/nearest"
)

// loadConfig reads a file over the defaults. Unknown keys are errors that name the line and the nearest key.
func loadConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	cfg := DefaultConfig()
	cfg.folder, cfg.file = filepath.Dir(path), path
	if err := decodeStrict(string(text), path, &cfg); err != nil {
		return nil, err
	}
	cfg.complete()
	return &cfg, nil
}

// decodeStrict decodes TOML; the error of a syntax fault shows the line.
func decodeStrict(text, name string, cfg *Config) error {
	meta, err := toml.Decode(text, cfg)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", name, syntaxText(syntax))
	case err != nil:
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Keys() {
		cfg.came(key.String(), fmt.Sprintf("%s:%d", name, lineOf(text, key)))
	}
	for _, key := range meta.Undecoded() {
		known := keysAt(key[:len(key)-1])
		last := key[len(key)-1]
		return fmt.Errorf("%s:%d: unknown key %q%s (known here: %s)", name, lineOf(text, key), key.String(),
			nearest.DidYouMean(last, known), strings.Join(known, ", "))
	}
	return nil
}

// syntaxText shows the line of a fault. A file that is no text at all has none.
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

func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		if t.Field(i).Tag.Get("toml") == name {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

// lineOf finds the line that sets a key, or that opens a table of its name; the decoder does not say.
func lineOf(text string, key toml.Key) int {
	last, table := key[len(key)-1], key.String()
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		name, _, assigned := strings.Cut(line, "=")
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		if assigned && (name == last || name == table) || strings.Trim(line, "[] ") == table && strings.HasPrefix(line, "[") {
			return i + 1
		}
	}
	return 1
}

// set applies one --set KEY=VALUE; a value that is no TOML value, or where a string is wanted, is a string.
func (c *Config) set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("--set %s: want KEY=VALUE, such as limits.timeout=30s or params.n=512", assignment)
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	asText := fmt.Sprintf("%s = %q", key, value)
	var probe map[string]any
	if _, err := toml.Decode(key+" = "+value, &probe); err != nil {
		return decodeStrict(asText, "--set "+assignment, c)
	}
	err := decodeStrict(key+" = "+value, "--set "+assignment, c)
	if err != nil && strings.Contains(err.Error(), "destination has type string") {
		err = decodeStrict(asText, "--set "+assignment, c)
	}
	return err
}
